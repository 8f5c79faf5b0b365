import { PRODUCT_NAME } from '#schema/constants.ts';
import { LinkButton } from '#web/ui/link-button.tsx';

/** What is left to do where we could not post; each is null where it is no way. */
export interface OtherWays {
  /** Where posting is allowed on X. */
  readonly authorizeUrl: string | null;
  /** X's page to post on by hand. */
  readonly composeUrl: string | null;
}

/** X's page with the text in it; the call's link goes along where the text does not name it, for the page takes no image. */
export function composeLink({
  composeUrl,
  text,
  callUrl,
}: {
  composeUrl: string;
  text: string;
  callUrl: string;
}): string {
  const url = new URL(composeUrl);
  url.searchParams.set('text', text);
  if (!text.includes(callUrl)) url.searchParams.set('url', callUrl);
  return url.href;
}

export interface OtherWaysNoteProps {
  /** Where the person allows posting and comes back from, and where they post by hand. */
  consentHref: string | null;
  composeHref: string | null;
  /** Whether they have just come back from X without having allowed it. */
  hasDeclined: boolean;
  /** They leave this page to allow it. */
  onLeave: () => void;
}

/** Says why nothing was posted and offers what can be done instead; announced when it appears. */
export function OtherWaysNote({ consentHref, composeHref, hasDeclined, onLeave }: OtherWaysNoteProps) {
  const hasWays = consentHref !== null || composeHref !== null;
  const consentWords = hasDeclined
    ? `You have not allowed ${PRODUCT_NAME} to post on X for you. Nothing was posted, and your text is still here.`
    : `${PRODUCT_NAME} may not post on X for you yet. X asks you once; then you are back here, and your text is still there.`;
  return (
    <div role="status">
      {hasWays && (
        <div className="mt-4 border-l-4 border-accent pl-3 text-sm">
          {consentHref !== null && <p className="mb-1">{consentWords}</p>}
          {composeHref !== null && (
            <p className="text-text-muted">
              {`${consentHref === null ? 'You can' : 'Or'} post it by hand: X takes no image that way, but shows it below the link of your call.`}
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
