import { SECOND_MS, TELEGRAM_START_LINK_MS } from '#schema/constants.ts';
import type { ConnectTelegramAnswer } from '#schema/contracts/notifications.ts';
import { readTelegramHandle } from '#schema/rules/telegram.ts';
import { createToken, hashToken, isSameSecret } from '../../shared/secrets.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ChatEvent, EventOf, Messenger } from '../../ports/messenger.ts';
import { createBotTexts } from './bot-text.ts';
import { createHandleInvalidError, createWebhookSecretError } from './telegram.errors.ts';
import type { TelegramLinksRepository } from './telegram-links.repository.ts';

export interface TelegramLinksOptions {
  readonly repository: TelegramLinksRepository;
  readonly messenger: Messenger;
  readonly clock: Clock;
  readonly appOrigin: string;
  /** The headers of Telegram's webhook request. */
  readonly webhookSecret: string;
}

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
  const texts = createBotTexts(`${appOrigin}/dashboard`);

  /** Connects the chat in which Start was pressed, if its username is the saved one. */
  const start = async ({ chatId, username, payload }: EventOf<'start'>): Promise<string> => {
    const now = clock.now();
    if (payload === '') return (await describe(chatId)) ?? texts.welcome;
    const nonceHash = await hashToken(payload);
    const account = username === null ? null : await repository.bind({ nonceHash, chatId, username, now });
    if (account !== null) return texts.connected(account);
    const handle = await repository.findHandleOfNonce({ nonceHash, now });
    if (handle !== null && username === null) return texts.noUsername;
    if (handle !== null && username !== null) {
      return handle.toLowerCase() === username.toLowerCase()
        ? texts.otherAccountsChat
        : texts.otherUsername(username);
    }
    const standing = await repository.findStanding({ chatId, now });
    return standing === null ? texts.deadLink : texts.connectedBefore(standing.account);
  };

  const leave = ({ chatId, at }: ChatEvent) => repository.leave({ chatId, until: at + SECOND_MS - 1 });

  const stop = async (event: ChatEvent): Promise<string> => {
    const account = await leave(event);
    if (account !== null) return texts.disconnected(account);
    const standing = await repository.findStanding({ chatId: event.chatId, now: clock.now() });
    return standing === null ? texts.nothingToStop : texts.stoppedBefore(standing.account);
  };

  const describe = async (chatId: string): Promise<string | null> => {
    const standing = await repository.findStanding({ chatId, now: clock.now() });
    return standing && texts.status(standing);
  };

  /** The bot's answer to an event in a chat. */
  const answer = async (event: ChatEvent): Promise<string | null> => {
    switch (event.kind) {
      case 'start':
        return start(event);
      case 'stop':
        return stop(event);
      case 'status':
        return (await describe(event.chatId)) ?? texts.notConnected;
      case 'blocked':
        await leave(event);
        return null;
      case 'other':
        return texts.help;
    }
  };

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
