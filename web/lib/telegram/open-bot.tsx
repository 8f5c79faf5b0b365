import { useQuery } from '@tanstack/react-query';
import { POLL_MS } from '#schema/constants/web.ts';
import { currentUserQuery } from '#web/api/session.queries.ts';
import { lazyPart } from '#web/lib/page/lazy-part.tsx';
import { useIsWide } from '#web/lib/page/use-is-wide.ts';
import { LinkButton } from '#web/ui/controls/link-button.tsx';
import { Skeleton } from '#web/ui/lists/skeleton.tsx';

const QrCode = lazyPart(async () => (await import('./qr-code.tsx')).QrCode, <Skeleton className="size-45" />);

/** The link to the bot, as a button and a QR code. Polls until the user presses Start. */
export function OpenBot({ startUrl }: { startUrl: string }) {
  // Phones show no QR code, because they can't scan their own screen.
  const isWide = useIsWide();
  const { isError } = useQuery({ ...currentUserQuery, refetchInterval: POLL_MS.telegramStart });
  return (
    <div className="flex flex-wrap items-center gap-4">
      {isWide && <QrCode url={startUrl} label="QR code that opens the bot" />}
      <div className="min-w-36 flex-1 space-y-3">
        <p className="text-sm text-text-muted">
          {isWide
            ? 'Scan the code with your phone, or open the bot here. Then press Start.'
            : 'Open the bot, then press Start.'}
        </p>
        <LinkButton ref={focusWhenItAppears} href={startUrl} isExternal variant="primary" className="w-full">
          Open the bot
        </LinkButton>
        <p role="status" className="text-sm text-text-muted">
          {isError
            ? "Couldn't check whether you pressed Start. Trying again..."
            : 'Waiting for you to press Start...'}
        </p>
      </div>
      <p className="text-sm text-text-muted">
        This link works once, within a day: don't share it. Not working? Get a new link.
      </p>
    </div>
  );
}

/** Focuses the link, because the focused button that requested it disappears. */
function focusWhenItAppears(link: HTMLAnchorElement | null): void {
  link?.focus();
}
