import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { withAtSign } from '#schema/rules/telegram.ts';
import { reasonOf } from '#web/api/api-error.ts';
import { checkTelegramMutation, connectTelegramMutation } from '#web/api/telegram.mutations.ts';
import { Button } from '#web/ui/button.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { StartLink } from './start-link.tsx';

export interface PendingLinkProps {
  handle: string;
  /** Opens the bot; null when it was told before this page was loaded. */
  startUrl: string | null;
  onNewLink: (startUrl: string) => void;
  onChange: () => void;
}

/** The handle is saved; what is missing is Start in the bot. */
export function PendingLink({ handle, startUrl, onNewLink, onChange }: PendingLinkProps) {
  const changeHandle = (
    <Button variant="ghost" className="flex-1" onClick={onChange}>
      Change handle
    </Button>
  );
  return (
    <div className="space-y-4">
      <p className="font-medium wrap-anywhere">{withAtSign(handle)}</p>
      {startUrl === null ? (
        <WithoutLink handle={handle} onNewLink={onNewLink} changeHandle={changeHandle} />
      ) : (
        <>
          <StartLink handle={handle} startUrl={startUrl} />
          <div className="flex">{changeHandle}</div>
        </>
      )}
    </div>
  );
}

function WithoutLink({ handle, onNewLink, changeHandle }: Pick<PendingLinkProps, 'handle' | 'onNewLink'> & { changeHandle: ReactNode }) {
  const queryClient = useQueryClient();
  const { toast } = useToast();
  const connect = useMutation(connectTelegramMutation(queryClient));
  const check = useMutation(checkTelegramMutation(queryClient));
  const getLink = async () => {
    try {
      onNewLink((await connect.mutateAsync(handle)).startUrl);
    } catch (error) {
      toast({ title: 'Error', description: reasonOf(error, 'Failed to connect Telegram'), variant: 'destructive' });
    }
  };
  return (
    <>
      <p className="text-sm text-text-muted">To connect it, press Start in the bot. A link to the bot is shown once and works for a day: get a new one.</p>
      <Button variant="primary" className="w-full" isPending={connect.isPending} pendingText="Getting..." onClick={() => void getLink()}>
        Get a new link
      </Button>
      <div>
        <div className="flex gap-2">
          <Button className="flex-1" isPending={check.isPending} pendingText="Checking..." onClick={() => check.mutate()}>
            Check again
          </Button>
          {changeHandle}
        </div>
        <p role="status" className="text-sm text-text-muted not-empty:mt-3">
          {check.isSuccess && 'Not connected yet. Press Start in the bot first.'}
          {check.isError && 'That could not be checked. Try again.'}
        </p>
      </div>
    </>
  );
}
