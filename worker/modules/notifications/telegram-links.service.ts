import { HOUR_MS, PRODUCT_NAME, TELEGRAM_START_LINK_MS } from '#schema/constants.ts';
import type { ConnectTelegramAnswer } from '#schema/contracts/notifications.ts';
import { readTelegramHandle } from '#schema/rules/telegram.ts';
import { createToken, hashToken, isSameSecret } from '../../app/tokens.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Messenger, StartPress } from '../../ports/messenger.ts';
import { createHandleInvalidError, createWebhookSecretError } from './notifications.errors.ts';
import type { TelegramLinksRepository } from './telegram-links.repository.ts';

export interface TelegramLinksOptions {
  readonly repository: TelegramLinksRepository;
  readonly messenger: Messenger;
  readonly clock: Clock;
  readonly appOrigin: string;
  /** What Telegram sends along with every update. */
  readonly webhookSecret: string;
}

/** Connects people's Telegram chats to their accounts. The handle is display only; the link to Start is the proof. */
export function createTelegramLinksService({ repository, messenger, clock, appOrigin, webhookSecret }: TelegramLinksOptions) {
  const dashboard = `${appOrigin}/dashboard`;

  /** Connects the chat in which Start was pressed, and says in words what came of it. */
  const start = async ({ chatId, payload }: StartPress): Promise<string> => {
    if (payload === '') {
      return `This is the bot of ${PRODUCT_NAME}. To get updates from the callers you follow, open your dashboard, save your Telegram username there and press the link it shows you: ${dashboard}`;
    }
    const nonceHash = await hashToken(payload);
    const now = clock.now();
    const isBound = await repository.bind({ nonceHash, chatId, now });
    if (!isBound && (await repository.isNonceOpen({ nonceHash, now }))) {
      return `This chat is connected to another ${PRODUCT_NAME} account already. Disconnect Telegram on that account's dashboard first, then press the link again.`;
    }
    const account = await repository.findAccountOfChat(chatId);
    if (isBound) return `Connected. Updates from the callers that @${account} follows on ${PRODUCT_NAME} arrive in this chat.`;
    const expired = `This link does not work any more: a link works once, for ${TELEGRAM_START_LINK_MS / HOUR_MS} hours, and a newer one replaces it.`;
    return account === null ? `${expired} Get a new one on your dashboard: ${dashboard}` : `${expired} This chat is connected to @${account} already.`;
  };

  return {
    /**
     * Saves a handle and gives the link that connects it. Links given before stop working.
     * @throws telegram.handle_invalid
     */
    async connect({ userId, telegramHandle }: { userId: string; telegramHandle: string }): Promise<ConnectTelegramAnswer> {
      const read = readTelegramHandle(telegramHandle);
      if ('problem' in read) throw createHandleInvalidError(read.problem);
      const nonce = createToken();
      const now = clock.now();
      await repository.save({ userId, handle: read.handle, nonceHash: await hashToken(nonce), expiresAt: now + TELEGRAM_START_LINK_MS, now });
      return { message: 'Open the bot and press Start to connect it.', telegramHandle: read.handle, startUrl: messenger.startUrl(nonce) };
    },

    disconnect: (userId: string) => repository.remove(userId),

    /** @throws telegram.secret_invalid unless Telegram itself is posting. */
    async assertFromTelegram(secret: string | undefined): Promise<void> {
      if (secret === undefined || !(await isSameSecret(webhookSecret, secret))) throw createWebhookSecretError();
    },

    /** Takes an update from Telegram. Returns the answer's JSON, or `null` for an update that is none of ours. */
    receive: (update: { readonly update_id: number }) => messenger.answerUpdate(update, start),
  };
}
