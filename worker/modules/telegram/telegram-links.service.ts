import { TELEGRAM_START_LINK_MS } from '#schema/constants.ts';
import type { ConnectTelegramAnswer } from '#schema/contracts/notifications.ts';
import { readTelegramHandle } from '#schema/rules/telegram.ts';
import { createToken, hashToken, isSameSecret } from '../../shared/secrets.ts';
import { createBotAnswers } from './bot-answers.ts';
import { createHandleInvalidError, createWebhookSecretError } from './telegram.errors.ts';
import type { TelegramLinksOptions } from './telegram-links.options.ts';

/**
 * Connects Telegram chats to accounts. The link's nonce is the proof; it works only for the username that
 * was saved.
 */
export function createTelegramLinksService({
  repository,
  messenger,
  clock,
  appOrigin,
  webhookSecret,
}: TelegramLinksOptions) {
  const answer = createBotAnswers({ repository, clock, appOrigin });

  return {
    /**
     * Saves a handle and returns the link that connects it. Earlier links stop working. @throws
     * telegram.handle_invalid
     */
    async connect({
      userId,
      telegramHandle,
    }: {
      userId: string;
      telegramHandle: string;
    }): Promise<ConnectTelegramAnswer> {
      const read = readTelegramHandle(telegramHandle);
      if ('problem' in read) throw createHandleInvalidError(read.problem);
      const nonce = createToken();
      const now = clock.now();
      await repository.save({
        userId,
        handle: read.handle,
        nonceHash: await hashToken(nonce),
        expiresAt: now + TELEGRAM_START_LINK_MS,
        now,
      });
      return {
        message: 'Open the bot and press Start to connect it.',
        telegramHandle: read.handle,
        startUrl: messenger.startUrl(nonce),
      };
    },

    disconnect: (userId: string) => repository.remove(userId),

    /** @throws telegram.secret_invalid if the request isn't from Telegram. */
    async assertFromTelegram(secret: string | undefined): Promise<void> {
      if (secret === undefined || !(await isSameSecret(webhookSecret, secret))) {
        throw createWebhookSecretError();
      }
    },

    /**
     * Handles an update. Returns the JSON answer, or null for none. A repeated update changes nothing;
     * after an error Telegram sends it again.
     */
    receive: (update: { readonly update_id: number }) => messenger.answerUpdate(update, answer),
  };
}
