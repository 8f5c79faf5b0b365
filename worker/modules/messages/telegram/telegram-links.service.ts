import { TELEGRAM_START_LINK_MS } from '#schema/constants/messages.ts';
import { SECOND_MS } from '#schema/constants/time.ts';
import type { ConnectTelegramResponse, TelegramCalls } from '#schema/contracts/notifications.ts';
import { isFreshSignIn } from '#schema/rules/money/payout-change.ts';
import { readTelegramHandle } from '#schema/rules/people/telegram.ts';
import { AppError, createSignInTooOldError } from '../../../app/errors.ts';
import { createToken, hashToken, isSameSecret } from '../../../shared/secrets.ts';
import type { ChatUpdate, MessengerUpdate } from '../../../ports/chat-updates.ts';
import type { ChatHandlers, Messenger, Reply } from '../../../ports/messenger.ts';
import type { CallerGuard } from '../../people/users/caller-guard.ts';
import { createBotReplies, type BotRepliesOptions } from './bot-replies.ts';
import type { CallerOffersRepository } from './caller-offers.repository.ts';

export interface TelegramLinksOptions extends BotRepliesOptions {
  readonly offers: Pick<CallerOffersRepository, 'switchCalls'>;
  readonly callers: Pick<CallerGuard, 'assertIsCaller'>;
  readonly messenger: Messenger;
  readonly chatHandlers: ChatHandlers;
  readonly webhookSecret: string;
}

export interface CallsChange extends TelegramCalls {
  readonly userId: string;
  readonly signedInAt: number;
}

/** Telegram repeats an update without a response after about a minute, so a reply waits for at most this long. */
const REPLY_WAIT_MS = 25 * SECOND_MS;

/** Connects chats to accounts. A link's nonce proves whose account it is. */
export function createTelegramLinksService(options: TelegramLinksOptions) {
  const { repository, offers, callers, messenger, chatHandlers, clock, webhookSecret } = options;
  const respondInPrivate = createBotReplies(options);
  const respondInChat = async (update: ChatUpdate): Promise<Reply | null> => {
    if (update.kind === 'command') return chatHandlers.command(update);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- TypeScript can't follow that the handler has the update's kind.
    await chatHandlers[update.kind](update as never);
    return null;
  };

  /** Telegram sends a chat's updates one by one, so a waiting reply delays only the chat's own commands. */
  const sendReply = async (chatId: string, reply: Reply, until: number): Promise<void> => {
    const failed = (cause: unknown) => ({ status: 'failed' as const, cause });
    const result = await messenger.reply(chatId, reply).catch(failed);
    if (result.status === 'sent') return;
    const waitMs = result.status === 'rate_limited' ? result.retryAfterSeconds * SECOND_MS : Infinity;
    if (clock.now() + waitMs <= until) {
      await clock.sleep(waitMs);
      return sendReply(chatId, reply, until);
    }
    console.warn(JSON.stringify({ event: 'telegram.reply_lost', chatId, status: result.status }));
  };

  const isFromTelegram = async (secret: string | undefined): Promise<boolean> =>
    secret !== undefined && (await isSameSecret(webhookSecret, secret));

  return {
    /** Saves a handle, if there is one, and returns the link that connects it. Ends earlier links. @throws telegram.handle_invalid */
    async connect(account: { userId: string; telegramHandle: string }): Promise<ConnectTelegramResponse> {
      const read = readTelegramHandle(account.telegramHandle);
      if ('problem' in read) throw new AppError({ code: 'telegram.handle_invalid', message: read.problem });
      const nonce = createToken();
      const now = clock.now();
      await repository.save({
        userId: account.userId,
        handle: read.handle,
        startNonceHash: await hashToken(nonce),
        startNonceExpiresAt: now + TELEGRAM_START_LINK_MS,
        updatedAt: now,
      });
      return {
        message: 'Open the bot and press Start to connect it.',
        telegramHandle: read.handle,
        startUrl: messenger.startUrl(nonce),
      };
    },

    disconnect: (userId: string) => repository.remove(userId),

    /**
     * Lets callers decide whether they may call in the chat with the bot. Only switching on needs a recent sign-in.
     * @throws users.not_a_caller, auth.fresh_sign_in_needed, telegram.not_connected
     */
    async switchCalls({ userId, signedInAt, isOn }: CallsChange): Promise<TelegramCalls> {
      await callers.assertIsCaller(userId);
      if (isOn && !isFreshSignIn({ signedInAt, now: clock.now() })) {
        throw createSignInTooOldError('make calls from Telegram');
      }
      const isChanged = await offers.switchCalls({ userId, canCall: isOn });
      if (!isChanged) throw new AppError({ code: 'telegram.not_connected' });
      return { isOn };
    },

    isFromTelegram,

    /** @throws telegram.secret_invalid if the request isn't from Telegram. */
    async assertFromTelegram(secret: string | undefined): Promise<void> {
      if (!(await isFromTelegram(secret))) throw new AppError({ code: 'telegram.secret_invalid' });
    },

    read: messenger.read,

    /** Handles an update and sends the reply. Idempotent, because Telegram repeats an update after an error. */
    async respond(update: MessengerUpdate): Promise<void> {
      const reply = update.in === 'private' ? await respondInPrivate(update) : await respondInChat(update);
      if (reply !== null) await sendReply(update.chatId, reply, clock.now() + REPLY_WAIT_MS);
    },
  };
}
