import { PRODUCT_NAME } from '#schema/constants/app.ts';
import { LinkButton } from '#web/ui/controls/link-button.tsx';

/** URLs of other ways to post, which are offered after a failed post. Null if a way isn't offered. */
export interface PostFallbackUrls {
  readonly authorizeUrl: string | null;
  readonly composeUrl: string | null;
}

export interface ComposedTweet {
  readonly composeUrl: string;
  readonly text: string;
  readonly callUrl: string;
}

/** X's compose page with the text. It takes no image, so the call's link is added if it's missing. */
export function composeLink({ composeUrl, text, callUrl }: ComposedTweet): string {
  const url = new URL(composeUrl);
  url.searchParams.set('text', text);
  if (!text.includes(callUrl)) url.searchParams.set('url', callUrl);
  return url.href;
}

export interface OtherWaysNoteProps {
  consentHref: string | null;
  composeHref: string | null;
  hasDeclined: boolean;
  onLeave: () => void;
}

export function OtherWaysNote({ consentHref, composeHref, hasDeclined, onLeave }: OtherWaysNoteProps) {
  const hasWays = consentHref !== null || composeHref !== null;
  return (
    <div role="status">
      {hasWays && (
        <div className="mt-4 border-l-4 border-accent pl-3 text-sm">
          {consentHref !== null && (
            <p className="mb-1">
              {hasDeclined
                ? `You didn't allow ${PRODUCT_NAME} to post on X. Nothing was posted, and your text is still here.`
                : `Allow ${PRODUCT_NAME} to post on X. You'll return here with your text intact.`}
            </p>
          )}
          {composeHref !== null && (
            <p className="text-text-muted">
              {consentHref === null ? 'You can post it yourself.' : 'Or post it yourself.'} X won't attach the
              image, but shows it with the link to your call.
            </p>
          )}
          <div className="mt-3 flex flex-wrap gap-3">
            {consentHref !== null && (
              <LinkButton href={consentHref} variant="primary" onClick={onLeave}>
                Allow posting on X
              </LinkButton>
            )}
            {composeHref !== null && (
              <LinkButton href={composeHref} isExternal>
                Post it on X yourself
              </LinkButton>
            )}
          </div>
        </div>
      )}
    </div>
  );
}
