import { useMutation, useQueryClient } from '@tanstack/react-query';
import { withAtSign } from '#schema/rules/telegram.ts';
import { reasonOf } from '#web/api/api-error.ts';
import { disconnectTelegramMutation } from '#web/api/telegram.mutations.ts';
import { Button } from '#web/ui/button.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { NotificationChoices } from './notification-choices.tsx';

/** Telegram is connected, until one does not want it any more: what arrives there, of whom, and the way out. */
export function ConnectedLink({ handle, isCaller }: { handle: string; isCaller: boolean }) {
  const { toast } = useToast();
  const disconnect = useMutation(disconnectTelegramMutation(useQueryClient()));
  const end = async () => {
    try {
      await disconnect.mutateAsync();
      toast({ title: 'Telegram Disconnected', description: 'Nothing more is sent to you there.' });
    } catch (error) {
      toast({
        title: 'Error',
        description: reasonOf(error, 'Failed to disconnect Telegram'),
        variant: 'destructive',
      });
    }
  };
  return (
    <div className="space-y-4">
      <p className="font-medium wrap-anywhere">{withAtSign(handle)}</p>
      <NotificationChoices isCaller={isCaller} />
      <Button
        className="w-full"
        isPending={disconnect.isPending}
        pendingText="Disconnecting..."
        onClick={() => void end()}
      >
        Disconnect
      </Button>
    </div>
  );
}
