import { useState, type FormEvent } from 'react';
import { PRODUCT_NAME, TWEET_MAX_LENGTH } from '#schema/constants.ts';
import { findTweetTextProblem, tweetLength } from '#schema/rules/tweet-text.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { LinkButton } from '#web/ui/link-button.tsx';
import { Textarea } from '#web/ui/textarea.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { readDraft, resumeLater, writeDraft } from './share-drafts.ts';
import { ShareImageActions } from './share-image-actions.tsx';
import { defaultShareText, type EndedCall } from './share-words.ts';
import { usePostTweet } from './use-post-tweet.ts';

/** The tweet's text and its buttons. What is typed stays in this tab until it is posted. */
export function ShareForm({ call, imageDataUrl, onDone }: { call: EndedCall; imageDataUrl: string; onDone: () => void }) {
  const [text, setText] = useState(() => readDraft(call.id) ?? defaultShareText(call, window.location.origin));
  const { toast } = useToast();
  const { post, isPosting, consentUrl, tweetUrl } = usePostTweet({ callId: call.id, onDone });
  const length = tweetLength(text);
  const problem = findTweetTextProblem(text);
  const change = (next: string) => {
    setText(next);
    writeDraft(call.id, next);
  };
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (problem === 'empty') toast({ title: 'Please add some text', description: 'Your tweet needs some text content', variant: 'destructive' });
    else if (problem === null && !isPosting) post({ text: text.trim(), imageDataUrl });
  };
  if (tweetUrl !== null) return <Posted tweetUrl={tweetUrl} onDone={onDone} />;
  return (
    <form onSubmit={handleSubmit}>
      <Field
        label="Tweet"
        hint={<span className={problem === 'too_long' ? 'text-loss' : undefined}>{`${length}/${TWEET_MAX_LENGTH}`}</span>}
        error={problem === 'too_long' && `${length - TWEET_MAX_LENGTH} too many.`}
      >
        <Textarea rows={6} dir="auto" value={text} onChange={(event) => change(event.target.value)} />
      </Field>
      <div role="status">
        {consentUrl !== null && (
          <p className="mt-4 border-l-4 border-accent pl-3 text-sm">
            {`${PRODUCT_NAME} may not post on X for you yet. X asks you once; then you are back here, and your text is still there.`}
          </p>
        )}
      </div>
      <div className="mt-5 flex flex-wrap items-center justify-end gap-3">
        <ShareImageActions call={call} />
        <Button variant="ghost" onClick={onDone}>
          Cancel
        </Button>
        {consentUrl === null ? (
          <Button type="submit" variant="primary" disabled={problem === 'too_long'} isPending={isPosting} pendingText="Posting...">
            Post tweet
          </Button>
        ) : (
          <LinkButton href={consentUrl} variant="primary" onClick={() => resumeLater(call)}>
            Allow posting on X
          </LinkButton>
        )}
      </div>
    </form>
  );
}

/** Stands where the browser kept us from opening the tweet. */
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
