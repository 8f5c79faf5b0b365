import type { FormEvent } from 'react';
import { useMutation } from '@tanstack/react-query';
import { PRODUCT_NAME } from '#schema/constants/app.ts';
import { TWEET_MAX_LENGTH } from '#schema/constants/public.ts';
import { pluralize } from '#schema/rules/text/format.ts';
import { TOO_LONG_MESSAGES } from '#schema/rules/text/text-limits.ts';
import {
  findTweetTextProblem,
  hasMention,
  MENTION_NOTE,
  tweetLength,
  weightedTweetLength,
} from '#schema/rules/text/tweet-text.ts';
import { useDraft } from '#web/lib/session/drafts.ts';
import type { EndedCall } from '#web/lib/calls/ended-call.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { LinkButton } from '#web/ui/controls/link-button.tsx';
import { Textarea } from '#web/ui/controls/textarea.tsx';
import { toast } from '#web/ui/overlays/toast-queue.ts';
import { Download, Link } from '#web/ui/more-icons.ts';
import { shareImagePath, disconnectXMutation } from '#web/api/shares.queries.ts';
import { showError } from '#web/lib/page/show-error.ts';
import { composeLink, OtherWaysNote, type PostFallbackUrls } from './post-manually.tsx';
import { resumeLater } from './share-drafts.ts';
import { callUrl, defaultShareText } from './share-text.ts';
import { usePostTweet } from './use-post-tweet.ts';

export interface ShareFormProps {
  call: EndedCall;
  imageDataUrl: string;
  canPostOnX: boolean;
  declinedWays: PostFallbackUrls | null;
  onDone: () => void;
  onImageChange: (imageDataUrl: string) => void;
}

export function ShareForm({
  call,
  imageDataUrl,
  canPostOnX,
  declinedWays,
  onDone,
  onImageChange,
}: ShareFormProps) {
  const { origin } = window.location;
  const draft = useDraft(`share.${call.id}`, defaultShareText(call));
  const text = draft.value;
  const { post, isPosting, ways, consentUrl, tweetUrl } = usePostTweet({
    declinedWays,
    onPosted: draft.drop,
    onDone,
    onImageChange,
  });
  const problem = findTweetTextProblem(text);
  const isTooLong = problem === 'too_long' || problem === 'too_heavy';
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (problem === 'empty') {
      toast({
        title: 'Please add some text',
        description: 'Your tweet needs some text content',
        variant: 'destructive',
      });
    } else if (problem === null && !isPosting) post({ text: text.trim(), imageDataUrl });
  };
  if (tweetUrl !== null) return <Posted tweetUrl={tweetUrl} onDone={onDone} />;
  const composeUrl = ways?.composeUrl ?? null;
  return (
    <form onSubmit={handleSubmit}>
      <Field label="Tweet" hint={<TextHint text={text} />} error={isTooLong && describeExcess(text)}>
        <Textarea rows={6} dir="auto" value={text} onChange={(event) => draft.change(event.target.value)} />
      </Field>
      <OtherWaysNote
        consentHref={consentUrl}
        composeHref={
          composeUrl === null
            ? null
            : composeLink({ composeUrl, text: text.trim(), callUrl: callUrl(call, origin) })
        }
        hasDeclined={ways !== null && ways === declinedWays}
        onLeave={() => ways !== null && resumeLater({ call, ways })}
      />
      <div className="mt-5 flex flex-wrap items-center justify-end gap-3">
        <ShareImageActions call={call} />
        <Button variant="ghost" onClick={onDone}>
          Cancel
        </Button>
        {consentUrl === null && (
          <Button
            type="submit"
            variant="primary"
            disabled={isTooLong}
            isPending={isPosting}
            pendingText="Posting..."
          >
            Post tweet
          </Button>
        )}
      </div>
      {canPostOnX && <PostingPermission />}
    </form>
  );
}

/** The number of characters and, if it differs, the number that X counts. Red over the limit. Below, a warning about mentions. */
function TextHint({ text }: { text: string }) {
  const length = tweetLength(text);
  const weight = weightedTweetLength(text);
  const redOver = (count: number) => (count > TWEET_MAX_LENGTH ? 'text-loss' : undefined);
  return (
    <>
      <span className={redOver(length)}>{`${length}/${TWEET_MAX_LENGTH}`}</span>
      {weight !== length && (
        <>
          {' · '}
          <span className={redOver(weight)}>{`X counts ${weight}`}</span>
        </>
      )}
      {hasMention(text) && <span className="block">{MENTION_NOTE}</span>}
    </>
  );
}

function describeExcess(text: string): string {
  if (tweetLength(text) > TWEET_MAX_LENGTH) return TOO_LONG_MESSAGES.tweet;
  const excess = weightedTweetLength(text) - TWEET_MAX_LENGTH;
  return `Too long for X. Remove ${pluralize(excess, 'character')}: X counts a link as 23 and an emoji as 2.`;
}

/** Shown if the browser blocked the new tab for the tweet. */
function Posted({ tweetUrl, onDone }: { tweetUrl: string; onDone: () => void }) {
  return (
    <div className="flex flex-wrap items-center justify-end gap-3">
      <p role="status" className="mr-auto text-sm">
        Your tweet is posted.
      </p>
      <Button variant="ghost" onClick={onDone}>
        Close
      </Button>
      <LinkButton href={tweetUrl} isExternal variant="primary">
        View tweet
      </LinkButton>
    </div>
  );
}

function ShareImageActions({ call }: { call: EndedCall }) {
  const path = shareImagePath(call.id);
  const copy = async () => {
    const link = `${window.location.origin}${path}`;
    try {
      await navigator.clipboard.writeText(link);
      toast({ title: 'Image link copied' });
    } catch {
      // The browser denied writing to the clipboard, so show the link.
      toast({ title: 'Copying was blocked', description: `Copy the link yourself: ${link}` });
    }
  };
  return (
    <div className="mr-auto flex flex-wrap gap-3 max-sm:w-full max-sm:*:flex-1 max-sm:*:px-2">
      <LinkButton href={path} download={`${PRODUCT_NAME}-${call.tokenSymbol}.png`.toLowerCase()}>
        <Download size={16} />
        Download image
      </LinkButton>
      <Button onClick={() => void copy()}>
        <Link size={16} />
        Copy image link
      </Button>
    </div>
  );
}

function PostingPermission() {
  const { mutate, isPending } = useMutation(disconnectXMutation);
  const disconnect = () =>
    mutate(undefined, {
      onSuccess: ({ message }) => toast({ title: 'Disconnected from X', description: message }),
      onError: (error) => showError(error, 'Failed to disconnect from X'),
    });
  return (
    <div
      className={
        'mt-5 flex flex-wrap items-center justify-between gap-x-3 gap-y-1 border-t border-line pt-3 ' +
        'text-sm text-text-muted'
      }
    >
      <p>{PRODUCT_NAME} can post on X for you.</p>
      <Button
        variant="ghost"
        size="sm"
        isPending={isPending}
        pendingText="Disconnecting..."
        onClick={disconnect}
      >
        Disconnect
      </Button>
    </div>
  );
}
