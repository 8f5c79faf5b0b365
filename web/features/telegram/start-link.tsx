import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, type ReactNode } from 'react';
import { POLL_MS } from '#schema/constants.ts';
import { withAtSign } from '#schema/rules/telegram.ts';
import { currentUserQuery } from '#web/api/session.queries.ts';
import { useIsWide } from '#web/lib/use-is-wide.ts';
import { LinkButton } from '#web/ui/link-button.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

/** Without its code the link still works: what draws the code may fail to load. */
const LinkCode = lazy(() =>
  import('./link-code.tsx').then(
    (module) => ({ default: module.LinkCode }),
    () => ({ default: (): ReactNode => null }),
  ),
);

/** The link to the bot's Start, to be pressed here or scanned, and then a look every few seconds whether it was. */
export function StartLink({ handle, startUrl }: { handle: string; startUrl: string }) {
  // On a phone Telegram is in the same hand: there is nothing to scan with.
  const isWide = useIsWide();
  const { isError } = useQuery({ ...currentUserQuery, refetchInterval: POLL_MS.telegramStart });
  const way = isWide
    ? 'Scan with the phone that has Telegram, or press Open the bot.'
    : 'Press Open the bot.';
  return (
    <div className="flex flex-wrap items-center gap-4">
      {isWide && (
        <Suspense fallback={<Skeleton className="size-45" />}>
          <LinkCode url={startUrl} label="QR code of the link to the bot" />
        </Suspense>
      )}
      <div className="min-w-36 flex-1 space-y-3">
        <p className="text-sm text-text-muted">{way} Then press Start.</p>
        <LinkButton ref={focusWhenItAppears} href={startUrl} isExternal variant="primary" className="w-full">
          Open the bot
        </LinkButton>
        <p role="status" className="text-sm text-text-muted">
          {isError ? 'Whether Start was pressed could not be checked. Trying again.' : 'Waiting for Start...'}
        </p>
      </div>
      <p className="text-sm wrap-anywhere text-text-muted">
        The link works once, for a day, and only for{' '}
        <span className="font-medium text-text">{withAtSign(handle)}</span>: pressed by another username it
        connects nothing. Does it not work? Get a new one.
      </p>
    </div>
  );
}

/** It takes the place of the button that asked for it, and its focus. */
function focusWhenItAppears(link: HTMLAnchorElement | null): void {
  link?.focus();
}
