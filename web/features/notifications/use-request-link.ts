import { useMutation } from '@tanstack/react-query';
import { TELEGRAM_START_LINK_MS } from '#schema/constants/messages.ts';
import { connectTelegramMutation } from '#web/api/telegram.queries.ts';
import { showError } from '#web/lib/page/show-error.ts';

export interface StartLink {
  readonly startUrl: string;
  readonly handle: string | null;
  readonly expiresAt: number;
}

/**
 * Saves a username, if there is one, and passes the new link and the server's message to `onLink`. Shows errors as toasts.
 */
export function useRequestLink(onLink: (link: StartLink, message: string) => void) {
  const { mutateAsync, isPending } = useMutation(connectTelegramMutation);
  const requestLink = async (typed: string | null) => {
    // Computed before the request, so that it's never later than the server's expiry.
    const expiresAt = Date.now() + TELEGRAM_START_LINK_MS;
    try {
      const { message, telegramHandle: handle, startUrl } = await mutateAsync(typed ?? '');
      onLink({ startUrl, handle, expiresAt }, message);
    } catch (error) {
      showError(error, 'Failed to connect Telegram');
    }
  };
  return { requestLink, isPending };
}
