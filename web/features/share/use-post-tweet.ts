import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import type { TwitterPostBody } from '#schema/contracts/shares.ts';
import { ApiError, hasCode, reasonOf } from '#web/api/api-error.ts';
import { currentUserQuery } from '#web/api/session.queries.ts';
import { postTweetMutation } from '#web/api/shares.queries.ts';
import { withReturnTo } from '#web/lib/text/links.ts';
import { toast } from '#web/ui/overlays/toast-queue.ts';
import type { PostFallbackUrls } from './post-manually.tsx';

const FAILED = 'Failed to post tweet';

export interface PostTweetOptions {
  declinedWays: PostFallbackUrls | null;
  onPosted: () => void;
  onDone: () => void;
  onImageChange: (imageDataUrl: string) => void;
}

/**
 * Posts a tweet and opens it in a new tab.
 * - `ways`: alternatives after a failure.
 * - `consentUrl`: link to X, which asks for permission to post and returns to this page.
 * - `tweetUrl`: the posted tweet, if the browser blocked the new tab.
 */
export function usePostTweet({ declinedWays, onPosted, onDone, onImageChange }: PostTweetOptions) {
  const queryClient = useQueryClient();
  const place = useLocation({ select: ({ pathname, searchStr }) => `${pathname}${searchStr}` });
  const [ways, setWays] = useState(declinedWays);
  const [tweetUrl, setTweetUrl] = useState<string | null>(null);
  const { mutate, isPending } = useMutation(postTweetMutation);

  const handlePosted = (url: string) => {
    setWays(null);
    onPosted();
    toast({ title: 'Tweet posted', action: { label: 'View tweet', href: url, isExternal: true } });
    // Don't pass 'noopener': window.open would always return null, even if the tab opened.
    const tab = window.open(url, '_blank');
    if (tab === null) return setTweetUrl(url);
    tab.opener = null;
    onDone();
  };
  const showFailure = (error: unknown) => {
    if (hasCode(error, 'shares.consent_needed')) {
      // Refetch the user, because the cached permission to post is out of date.
      return void queryClient.invalidateQueries({ queryKey: currentUserQuery.queryKey });
    }
    // The server's sentence starts with this title, so remove the title from it.
    const reason = reasonOf(error, "The server didn't respond. Check X before you try again.");
    toast({ title: FAILED, description: reason.replace(`${FAILED}: `, ''), variant: 'destructive' });
  };
  const handleError = (error: unknown) => {
    setWays(readWays(error));
    const newImage = readNewImage(error);
    if (newImage === null) return showFailure(error);
    onImageChange(newImage);
    toast({
      title: 'The image has changed',
      description: 'The preview shows the new image. Your text is kept. Check both, then post again.',
      variant: 'destructive',
    });
  };
  const post = (body: TwitterPostBody) =>
    mutate(body, { onSuccess: (response) => handlePosted(response.tweetUrl), onError: handleError });
  const consentUrl = typeof ways?.authorizeUrl === 'string' ? withReturnTo(ways.authorizeUrl, place) : null;
  return { post, isPosting: isPending, ways, consentUrl, tweetUrl };
}

function readNewImage(error: unknown): string | null {
  const { imageDataUrl } =
    error instanceof ApiError && hasCode(error, 'shares.image_changed') ? error.details : {};
  return typeof imageDataUrl === 'string' ? imageDataUrl : null;
}

function readWays(error: unknown): PostFallbackUrls | null {
  const { authorizeUrl, composeUrl } = error instanceof ApiError ? error.details : {};
  const ways = {
    authorizeUrl: typeof authorizeUrl === 'string' ? authorizeUrl : null,
    composeUrl: typeof composeUrl === 'string' ? composeUrl : null,
  };
  return ways.authorizeUrl === null && ways.composeUrl === null ? null : ways;
}
