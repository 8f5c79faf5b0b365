import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { withAtSign } from '#schema/rules/telegram.ts';
import { checkTelegramMutation } from '#web/api/telegram.mutations.ts';
import { Button } from '#web/ui/button.tsx';
import { useNowPast } from '#web/ui/use-now.ts';
import { StartLink } from './start-link.tsx';
import { type GivenLink, useAskForLink } from './use-request-link.ts';

export interface PendingLinkProps {
  handle: string;
  /** Opens the bot; null when it was told before this page was loaded. */
  link: GivenLink | null;
  onNewLink: (link: GivenLink) => void;
  onChange: () => void;
}

/** The handle is saved; what is missing is Start in the bot. */
export function PendingLink({ handle, link, onNewLink, onChange }: PendingLinkProps) {
  const now = useNowPast(link?.until ?? Infinity);
  const { askForLink, isPending } = useAskForLink(onNewLink);
  const newLink = { isPending, pendingText: 'Getting...', onClick: () => void askForLink(handle) };
  const changeHandle = (
    <Button variant="ghost" className="flex-1" onClick={onChange}>
      Change handle
    </Button>
  );
  return (
    <div className="space-y-4">
      <p className="font-medium wrap-anywhere">{withAtSign(handle)}</p>
      {/* Another tab or device may have saved another handle since. */}
      {link !== null && link.handle === handle && now < link.until ? (
        <>
          <StartLink key={link.startUrl} handle={handle} startUrl={link.startUrl} />
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
            To connect it, press Start in the bot. A link to the bot is shown once and works for a day: get a
            new one.
          </p>
          <Button variant="primary" className="w-full" {...newLink}>
            Get a new link
          </Button>
          <CheckAgain beside={changeHandle} />
        </>
      )}
    </div>
  );
}

function CheckAgain({ beside }: { beside: ReactNode }) {
  const check = useMutation(checkTelegramMutation(useQueryClient()));
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
        {beside}
      </div>
      <p role="status" className="text-sm text-text-muted not-empty:mt-3">
        {check.isSuccess && 'Not connected yet. Press Start in the bot first.'}
        {check.isError && 'That could not be checked. Try again.'}
      </p>
    </div>
  );
}
