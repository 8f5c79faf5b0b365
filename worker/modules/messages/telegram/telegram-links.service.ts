import { TELEGRAM_START_LINK_MS } from '#schema/constants/messages.ts';
import type { ConnectTelegramResponse, TelegramCalls } from '#schema/contracts/notifications.ts';
import { readTelegramHandle } from '#schema/rules/people/telegram.ts';
import type { Base } from '../../../app/base.ts';
import { AppError, assertFreshSignIn } from '../../../app/errors.ts';
import type { MessagesWriter } from '../../../ports/outbox.ts';
import { createToken, hashToken, isSameSecret } from '../../../shared/secrets.ts';
import type { SignedInUser } from '../../money/wallets/wallets.service.ts';
import type { CallerGuard } from '../../people/users/caller-guard.ts';
import { createTelegramLinksRepository } from './telegram-links.repository.ts';

interface TelegramLinksOptions extends Pick<Base, 'db' | 'messenger' | 'clock' | 'vars'> {
  readonly callerGuard: CallerGuard;
  readonly messages: MessagesWriter;
}

export type CallsChange = TelegramCalls & SignedInUser;

export interface Connecting extends SignedInUser {
  readonly sessionId: string;
  readonly telegramHandle: string;
}

/** Connects chats to accounts. A link's nonce proves whose account it is. */
export function createTelegramLinksService({
  db,
  callerGuard,
  messages,
  messenger,
  clock,
  vars,
}: TelegramLinksOptions) {
  const links = createTelegramLinksRepository(db);

  return {
    /**
     * Saves a handle, if there is one, and returns the link that connects it. Ends earlier links.
     * @throws telegram.handle_invalid, auth.fresh_sign_in_needed
     */
    async connect({
      userId,
      sessionId,
      signedInAt,
      telegramHandle,
    }: Connecting): Promise<ConnectTelegramResponse> {
      const read = readTelegramHandle(telegramHandle);
      if ('problem' in read) throw new AppError({ code: 'telegram.handle_invalid', message: read.problem });
      const nonce = createToken();
      const now = clock.now();
      assertFreshSignIn({ signedInAt, now, action: 'connect Telegram' });
      await links.save({
        userId,
        handle: read.handle,
        startNonceHash: hashToken(nonce),
        startSessionHash: sessionId,
        startNonceExpiresAt: now + TELEGRAM_START_LINK_MS,
        updatedAt: now,
      });
      return {
        message: 'Open the bot and press Start to connect it.',
        telegramHandle: read.handle,
        startUrl: messenger.startUrl(nonce),
      };
    },

    disconnect: (userId: string) => links.disconnect(userId, clock.now()),

    /**
     * Lets callers decide whether they may call in the chat with the bot. Only switching on needs a recent sign-in.
     * @throws users.not_a_caller, auth.fresh_sign_in_needed, telegram.not_connected
     */
    async switchCalls({ userId, signedInAt, isOn }: CallsChange): Promise<TelegramCalls> {
      await callerGuard.assertIsCaller(userId);
      const now = clock.now();
      if (isOn) assertFreshSignIn({ signedInAt, now, action: 'make calls from Telegram' });
      const isChanged = await links.switchCalls({ userId, canCall: isOn, now });
      if (!isChanged) throw new AppError({ code: 'telegram.not_connected' });
      if (isOn) await messages.writeSoon();
      return { isOn };
    },

    isFromTelegram: (secret: string | undefined): boolean =>
      secret !== undefined && isSameSecret(vars.TELEGRAM_WEBHOOK_SECRET, secret),
  };
}
