import { TELEGRAM_START_LINK_MS } from '#schema/constants/messages.ts';
import type { ConnectTelegramResponse, TelegramCalls } from '#schema/contracts/notifications.ts';
import { isFreshSignIn } from '#schema/rules/money/payout-change.ts';
import { readTelegramHandle } from '#schema/rules/people/telegram.ts';
import type { Base } from '../../../app/base.ts';
import { AppError, createSignInTooOldError } from '../../../app/errors.ts';
import { createToken, hashToken, isSameSecret } from '../../../shared/secrets.ts';
import type { SignedInUser } from '../../money/wallets/wallets.service.ts';
import type { CallerGuard } from '../../people/users/caller-guard.ts';
import { createTelegramLinksRepository } from './telegram-links.repository.ts';

interface TelegramLinksOptions extends Pick<Base, 'db' | 'messenger' | 'clock' | 'vars'> {
  readonly callerGuard: CallerGuard;
}

export type CallsChange = TelegramCalls & SignedInUser;

/** Connects chats to accounts. A link's nonce proves whose account it is. */
export function createTelegramLinksService({
  db,
  callerGuard,
  messenger,
  clock,
  vars,
}: TelegramLinksOptions) {
  const links = createTelegramLinksRepository(db);

  return {
    /** Saves a handle, if there is one, and returns the link that connects it. Ends earlier links. @throws telegram.handle_invalid */
    async connect(account: { userId: string; telegramHandle: string }): Promise<ConnectTelegramResponse> {
      const read = readTelegramHandle(account.telegramHandle);
      if ('problem' in read) throw new AppError({ code: 'telegram.handle_invalid', message: read.problem });
      const nonce = createToken();
      const now = clock.now();
      await links.save({
        userId: account.userId,
        handle: read.handle,
        startNonceHash: hashToken(nonce),
        startNonceExpiresAt: now + TELEGRAM_START_LINK_MS,
        updatedAt: now,
      });
      return {
        message: 'Open the bot and press Start to connect it.',
        telegramHandle: read.handle,
        startUrl: messenger.startUrl(nonce),
      };
    },

    disconnect: (userId: string) => links.remove(userId),

    /**
     * Lets callers decide whether they may call in the chat with the bot. Only switching on needs a recent sign-in.
     * @throws users.not_a_caller, auth.fresh_sign_in_needed, telegram.not_connected
     */
    async switchCalls({ userId, signedInAt, isOn }: CallsChange): Promise<TelegramCalls> {
      await callerGuard.assertIsCaller(userId);
      if (isOn && !isFreshSignIn({ signedInAt, now: clock.now() })) {
        throw createSignInTooOldError('make calls from Telegram');
      }
      const isChanged = await links.switchCalls({ userId, canCall: isOn });
      if (!isChanged) throw new AppError({ code: 'telegram.not_connected' });
      return { isOn };
    },

    isFromTelegram: (secret: string | undefined): boolean =>
      secret !== undefined && isSameSecret(vars.TELEGRAM_WEBHOOK_SECRET, secret),
  };
}
