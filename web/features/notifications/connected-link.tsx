import { useMutation } from '@tanstack/react-query';
import { withAtSign } from '#schema/rules/people/telegram.ts';
import { disconnectTelegramMutation } from '#web/api/telegram.mutations.ts';
import { useToasts } from '#web/lib/page/use-toasts.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { CallsSwitch } from './calls-switch.tsx';
import { NotificationChoices } from './notification-choices.tsx';

interface ConnectedLinkProps {
  handle: string | null;
  isCaller: boolean;
  canCall: boolean;
}

export function ConnectedLink({ handle, isCaller, canCall }: ConnectedLinkProps) {
  const { toast, showError } = useToasts();
  const { mutateAsync, isPending } = useMutation(disconnectTelegramMutation);
  // Awaits the request. Success unmounts this component, and `mutate` would then drop its callbacks.
  const disconnect = async () => {
    try {
      await mutateAsync();
      toast({ title: 'Telegram Disconnected', description: "You won't get any more messages there." });
    } catch (error) {
      showError(error, 'Failed to disconnect Telegram');
    }
  };
  return (
    <div className="space-y-4">
      {handle !== null && <p className="font-medium wrap-anywhere">{withAtSign(handle)}</p>}
      <NotificationChoices isCaller={isCaller} />
      {isCaller && <CallsSwitch isOn={canCall} />}
      <Button
        className="w-full"
        isPending={isPending}
        pendingText="Disconnecting..."
        onClick={() => void disconnect()}
      >
        Disconnect
      </Button>
    </div>
  );
}
