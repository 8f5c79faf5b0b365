import { useMutation } from '@tanstack/react-query';
import { hasCode } from '#web/api/api-error.ts';
import { switchTelegramCallsMutation } from '#web/api/telegram.mutations.ts';
import { useToasts } from '#web/lib/page/use-toasts.ts';
import { SignInAgain } from '#web/lib/session/sign-in-again.tsx';
import { Switch } from '#web/ui/controls/switch.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';

/** Id of the card to which a fresh sign-in returns. */
export const TELEGRAM_ANCHOR = 'telegram';

/** Lets a caller make calls in the chat with the bot. */
export function CallsSwitch({ isOn }: { isOn: boolean }) {
  const { showError } = useToasts();
  const { mutate, error, isPending, variables, reset } = useMutation({
    ...switchTelegramCallsMutation,
    onError: (failure) => {
      if (!hasCode(failure, 'auth.fresh_sign_in_needed')) showError(failure, 'Failed to change the setting');
    },
  });
  return (
    <>
      <Switch
        label="Calls from this chat"
        description="Send /call, /update or /end to the bot. Whoever can use your Telegram can then call in your name."
        checked={isPending ? variables : isOn}
        onCheckedChange={(next) => mutate(next)}
      />
      <Dialog
        open={hasCode(error, 'auth.fresh_sign_in_needed')}
        onOpenChange={(isOpen) => !isOpen && reset()}
        title="Sign in again"
      >
        <SignInAgain
          action="make calls from Telegram"
          danger="make calls in your name"
          anchor={TELEGRAM_ANCHOR}
          onCancel={reset}
        />
      </Dialog>
    </>
  );
}
