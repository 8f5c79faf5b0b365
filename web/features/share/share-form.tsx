import type { FormEvent } from 'react';
import { TWEET_MAX_LENGTH } from '#schema/constants.ts';
import { pluralize } from '#schema/rules/text/format.ts';
import { TOO_LONG_MESSAGES } from '#schema/rules/text/text-limits.ts';
import { findTweetTextProblem, tweetLength, weightedTweetLength } from '#schema/rules/text/tweet-text.ts';
import { useDraft } from '#web/lib/session/drafts.ts';
import type { EndedCall } from '#web/lib/calls/ended-call.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { LinkButton } from '#web/ui/controls/link-button.tsx';
import { Textarea } from '#web/ui/controls/textarea.tsx';
import { useToast } from '#web/ui/overlays/toast.tsx';
import { composeLink, OtherWaysNote, type PostFallbackUrls } from './post-manually.tsx';
import { PostingPermission } from './posting-permission.tsx';
import { resumeLater } from './share-drafts.ts';
import { ShareImageActions } from './share-image-actions.tsx';
import { callUrl, defaultShareText } from './share-text.ts';
import { usePostTweet } from './use-post-tweet.ts';

export interface ShareFormProps {
  call: EndedCall;
  /** PNG as a data URL. */
  imageDataUrl: string;
  /** True if SolCallers may post on X for the user, as last known. */
  canPostOnX: boolean;
  /** Other ways to post, if the user declined on X. */
  declinedWays: PostFallbackUrls | null;
  onDone: () => void;
  /** Called with the new image if the server's image has changed. */
  onImageChange: (imageDataUrl: string) => void;
}

/** The tweet's text and buttons. Stores unposted text until the tab is closed. */
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
  const { toast } = useToast();
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
      <Field label="Tweet" hint={<Counter text={text} />} error={isTooLong && describeExcess(text)}>
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

/** The number of characters and, if it differs, the number that X counts. Red over the limit. */
function Counter({ text }: { text: string }) {
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
