import { useMutation } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import type { TwitterPostBody } from '#schema/contracts/shares.ts';
import { hasCode, reasonOf } from '#web/api/api-error.ts';
import { postTweetMutation } from '#web/api/shares.queries.ts';
import { withReturnTo } from '#web/lib/links.ts';
import { useSignInUrl } from '#web/lib/use-sign-in-url.ts';
import { useToast } from '#web/ui/toast.tsx';
import { dropDraft } from './share-drafts.ts';

const FAILED = 'Failed to post tweet';

/**
 * Posts, and opens the tweet in a new tab. `consentUrl` is where posting is to be allowed first;
 * `tweetUrl` stands when the tweet is posted but the browser let no tab open.
 */
export function usePostTweet({ callId, onDone }: { callId: string; onDone: () => void }) {
  const { toast } = useToast();
  const signInUrl = useSignInUrl();
  const place = useLocation({ select: ({ pathname, searchStr }) => `${pathname}${searchStr}` });
  const [consentUrl, setConsentUrl] = useState<string | null>(null);
  const [tweetUrl, setTweetUrl] = useState<string | null>(null);
  const { mutate, isPending } = useMutation(postTweetMutation);

  const handlePosted = (url: string) => {
    dropDraft(callId);
    toast({ title: 'Tweet posted', action: { label: 'View tweet', href: url, isExternal: true } });
    // Without 'noopener', whose answer would not tell whether a tab was opened.
    const tab = window.open(url, '_blank');
    if (tab === null) return setTweetUrl(url);
    tab.opener = null;
    onDone();
  };

  const handleError = (error: unknown) => {
    const authorizeUrl = hasCode(error, 'shares.consent_needed') ? error.details['authorizeUrl'] : undefined;
    if (typeof authorizeUrl === 'string') return setConsentUrl(withReturnTo(authorizeUrl, place));
    // The server's sentence says it again for readers that have no title.
    const description = reasonOf(error, 'The post did not go through. Please try again.').replace(`${FAILED}: `, '');
    const action = hasCode(error, 'auth.required') ? { label: 'Sign in with Twitter', href: signInUrl } : undefined;
    toast({ title: FAILED, description, variant: 'destructive', action });
  };

  const post = (body: TwitterPostBody) => mutate(body, { onSuccess: (answer) => handlePosted(answer.tweetUrl), onError: handleError });
  return { post, isPosting: isPending, consentUrl, tweetUrl };
}
