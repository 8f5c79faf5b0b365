import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import type { TwitterPostBody } from '#schema/contracts/shares.ts';
import { ApiError, hasCode, reasonOf } from '#web/api/api-error.ts';
import { currentUserQuery } from '#web/api/session.queries.ts';
import { postTweetMutation } from '#web/api/shares.queries.ts';
import { withReturnTo } from '#web/lib/links.ts';
import { useSignInUrl } from '#web/lib/use-sign-in-url.ts';
import { useToast } from '#web/ui/toast.tsx';
import type { OtherWays } from './post-manually.tsx';
import { dropDraft } from './share-drafts.ts';

const FAILED = 'Failed to post tweet';

/**
 * Posts, and opens the tweet in a new tab. `ways` are what is left where that did not work, and `consentUrl` the one to allow it
 * and come back here; `tweetUrl` stands when the tweet is posted but the browser let no tab open.
 */
export function usePostTweet({
  callId,
  declinedWays,
  onDone,
}: {
  callId: string;
  declinedWays: OtherWays | null;
  onDone: () => void;
}) {
  const { toast } = useToast();
  const signInUrl = useSignInUrl();
  const queryClient = useQueryClient();
  const place = useLocation({ select: ({ pathname, searchStr }) => `${pathname}${searchStr}` });
  const [ways, setWays] = useState(declinedWays);
  const [tweetUrl, setTweetUrl] = useState<string | null>(null);
  const { mutate, isPending } = useMutation(postTweetMutation);

  const handlePosted = (url: string) => {
    setWays(null);
    dropDraft(callId);
    toast({ title: 'Tweet posted', action: { label: 'View tweet', href: url, isExternal: true } });
    // Without 'noopener', whose answer would not tell whether a tab was opened.
    const tab = window.open(url, '_blank');
    if (tab === null) return setTweetUrl(url);
    tab.opener = null;
    onDone();
  };

  const handleError = (error: unknown) => {
    setWays(readWays(error));
    if (hasCode(error, 'shares.consent_needed')) {
      // What was known of the leave to post is over.
      void queryClient.invalidateQueries({ queryKey: currentUserQuery.queryKey });
      return;
    }
    // The server's sentence says it again for readers that have no title.
    const description = reasonOf(error, 'The post did not go through. Please try again.').replace(
      `${FAILED}: `,
      '',
    );
    const action = hasCode(error, 'auth.required')
      ? { label: 'Sign in with Twitter', href: signInUrl }
      : undefined;
    toast({ title: FAILED, description, variant: 'destructive', action });
  };

  const post = (body: TwitterPostBody) =>
    mutate(body, { onSuccess: (answer) => handlePosted(answer.tweetUrl), onError: handleError });
  const consentUrl = typeof ways?.authorizeUrl === 'string' ? withReturnTo(ways.authorizeUrl, place) : null;
  return { post, isPosting: isPending, ways, consentUrl, tweetUrl };
}

function readWays(error: unknown): OtherWays | null {
  const { authorizeUrl, composeUrl } = error instanceof ApiError ? error.details : {};
  const ways = {
    authorizeUrl: typeof authorizeUrl === 'string' ? authorizeUrl : null,
    composeUrl: typeof composeUrl === 'string' ? composeUrl : null,
  };
  return ways.authorizeUrl === null && ways.composeUrl === null ? null : ways;
}
