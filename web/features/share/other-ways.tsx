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
export function composeLink({ composeUrl, text, callUrl }: { composeUrl: string; text: string; callUrl: string }): string {
  const url = new URL(composeUrl);
  url.searchParams.set('text', text);
  if (!text.includes(callUrl)) url.searchParams.set('url', callUrl);
  return url.href;
}

/** Says why nothing was posted yet and what can be done instead; announced when it appears. */
export function OtherWaysNote({ ways, hasDeclined, composeHref }: { ways: OtherWays | null; hasDeclined: boolean; composeHref: string | null }) {
  const consentWords = hasDeclined
    ? `You have not allowed ${PRODUCT_NAME} to post on X for you. Nothing was posted, and your text is still here.`
    : `${PRODUCT_NAME} may not post on X for you yet. X asks you once; then you are back here, and your text is still there.`;
  return (
    <div role="status">
      {ways !== null && (
        <div className="mt-4 border-l-4 border-accent pl-3 text-sm">
          {ways.authorizeUrl !== null && <p className="mb-2">{consentWords}</p>}
          {composeHref !== null && (
            <>
              <p className="mb-3 text-text-muted">
                {`${ways.authorizeUrl === null ? 'You can' : 'Or'} post it by hand: X takes no image that way, but shows it below the link of your call.`}
              </p>
              <LinkButton href={composeHref} isExternal size="sm">
                Post it on X yourself
              </LinkButton>
            </>
          )}
        </div>
      )}
    </div>
  );
}
