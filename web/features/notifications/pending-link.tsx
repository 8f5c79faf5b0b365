import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { withAtSign } from '#schema/rules/people/telegram.ts';
import { checkTelegramMutation } from '#web/api/telegram.queries.ts';
import { OpenBot } from '#web/lib/telegram/open-bot.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { useNowWithDeadline } from '#web/ui/figures/use-now.ts';
import { type StartLink, useRequestLink } from './use-request-link.ts';

export interface PendingLinkProps {
  handle: string | null;
  /** Null if it was requested before this page loaded, because the server sends each link only once. */
  link: StartLink | null;
  onNewLink: (link: StartLink) => void;
  onChange: () => void;
}

export function PendingLink({ handle, link, onNewLink, onChange }: PendingLinkProps) {
  const now = useNowWithDeadline(link?.expiresAt ?? Infinity);
  const { requestLink, isPending } = useRequestLink(onNewLink);
  const newLink = { isPending, pendingText: 'Getting...', onClick: () => void requestLink(handle) };
  const changeHandle = (
    <Button variant="ghost" className="flex-1" onClick={onChange}>
      Change username
    </Button>
  );
  // If another tab or device has saved another handle, its link has replaced this one.
  const isUsable = link !== null && link.handle === handle && now < link.expiresAt;
  return (
    <div className="space-y-4">
      {handle !== null && <p className="font-medium wrap-anywhere">{withAtSign(handle)}</p>}
      {isUsable ? (
        <>
          <OpenBot key={link.startUrl} startUrl={link.startUrl} />
          <div className="flex flex-wrap gap-2">
            <Button className="flex-1" {...newLink}>
              Get a new link
            </Button>
            {changeHandle}
          </div>
        </>
      ) : (
        <>
          <p className="text-sm text-text-muted">
            To connect, get a new link to the bot and press Start there. A link is shown once and works for a
            day.
          </p>
          <Button variant="primary" className="w-full" {...newLink}>
            Get a new link
          </Button>
          <CheckAgain>{changeHandle}</CheckAgain>
        </>
      )}
    </div>
  );
}

function CheckAgain({ children }: { children: ReactNode }) {
  const check = useMutation(checkTelegramMutation);
  return (
    <div>
      <div className="flex gap-2">
        <Button
          className="flex-1"
          isPending={check.isPending}
          pendingText="Checking..."
          onClick={() => check.mutate()}
        >
          Check again
        </Button>
        {children}
      </div>
      <p role="status" className="text-sm text-text-muted not-empty:mt-3">
        {check.isSuccess && 'Not connected yet. Press Start in the bot first.'}
        {check.isError && 'The check failed. Try again.'}
      </p>
    </div>
  );
}
