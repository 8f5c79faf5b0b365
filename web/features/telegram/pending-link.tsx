import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { withAtSign } from '#schema/rules/telegram.ts';
import { reasonOf } from '#web/api/api-error.ts';
import { checkTelegramMutation, connectTelegramMutation } from '#web/api/telegram.mutations.ts';
import { Button } from '#web/ui/button.tsx';
import { LinkButton } from '#web/ui/link-button.tsx';
import { useToast } from '#web/ui/toast.tsx';

export interface PendingLinkProps {
  handle: string;
  /** Opens the bot; null when it was told before this page was loaded. */
  startUrl: string | null;
  onNewLink: (startUrl: string) => void;
  onChange: () => void;
}

/** The handle is saved; what is missing is Start in the bot. */
export function PendingLink({ handle, startUrl, onNewLink, onChange }: PendingLinkProps) {
  const queryClient = useQueryClient();
  const { toast } = useToast();
  const connect = useMutation(connectTelegramMutation(queryClient));
  const check = useMutation(checkTelegramMutation(queryClient));
  const { mutate: checkNow } = check;

  // Whoever comes back from Telegram has most likely pressed Start.
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === 'visible') checkNow();
    };
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, [checkNow]);

  const getLink = async () => {
    try {
      onNewLink((await connect.mutateAsync(handle)).startUrl);
    } catch (error) {
      toast({ title: 'Error', description: reasonOf(error, 'Failed to connect Telegram'), variant: 'destructive' });
    }
  };

  return (
    <div className="space-y-4">
      <p className="font-medium wrap-anywhere">{withAtSign(handle)}</p>
      <p className="text-sm text-text-muted">
        {startUrl === null
          ? 'To connect it, press Start in the bot. A link to the bot is shown once and works for a day: get a new one.'
          : 'One step is left: open the bot and press Start in it. Then come back here.'}
      </p>
      {startUrl === null ? (
        <Button variant="primary" className="w-full" isPending={connect.isPending} pendingText="Getting..." onClick={() => void getLink()}>
          Get a new link
        </Button>
      ) : (
        <LinkButton ref={focusWhenItAppears} href={startUrl} isExternal variant="primary" className="w-full">
          Open the bot
        </LinkButton>
      )}
      <div>
        <div className="flex gap-2">
          <Button className="flex-1" isPending={check.isPending} pendingText="Checking..." onClick={() => checkNow()}>
            Check again
          </Button>
          <Button variant="ghost" className="flex-1" onClick={onChange}>
            Change handle
          </Button>
        </div>
        <p role="status" className="text-sm text-text-muted not-empty:mt-3">
          {check.isSuccess && 'Not connected yet. Press Start in the bot first.'}
          {check.isError && 'That could not be checked. Try again.'}
        </p>
      </div>
    </div>
  );
}

/** It takes the place of the button that asked for it, and its focus. */
function focusWhenItAppears(link: HTMLAnchorElement | null): void {
  link?.focus();
}
