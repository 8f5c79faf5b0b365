import { Bot, GrammyError, HttpError, InlineKeyboard, type Api, type Context, type Keyboard } from 'grammy';
import type { UserFromGetMe } from 'grammy/types';
import { SECOND_MS } from '#schema/constants/time.ts';
import type { Clock } from '../ports/clock.ts';
import type { Lifetime } from '../ports/lifetime.ts';
import type { ChatButton, Messenger, SendResult } from '../ports/messenger.ts';
import { OutageError } from '../ports/unavailable.ts';
import { readableUpdate } from './telegram-update.ts';

export const TELEGRAM_TIMEOUT_MS = 25 * SECOND_MS;
/** Telegram repeats an update without a response after about a minute, so an answer waits for at most this long. */
const ANSWER_WAIT_MS = 25 * SECOND_MS;

const DEFAULT_RETRY_SECONDS = 30;
const HTTP_BAD_REQUEST = 400;
const HTTP_UNAUTHORIZED = 401;
const HTTP_FORBIDDEN = 403;
const HTTP_NOT_FOUND = 404;
const HTTP_TOO_MANY = 429;
const HTTP_SERVER_ERROR = 500;
/** Only the description distinguishes a missing chat from other bad requests. */
const NO_SUCH_CHAT = /chat not found|user not found|peer_id_invalid/i;

/** A 5xx from Telegram or a proxy, perhaps with HTML instead of JSON. */
class ServerError extends Error {}

const fetchResponse: typeof fetch = async (...request) => {
  const response = await fetch(...request);
  if (response.status >= HTTP_SERVER_ERROR) throw new ServerError(`Telegram responded ${response.status}`);
  return response;
};

export const isRefusal = (error: unknown, description: RegExp): error is GrammyError =>
  error instanceof GrammyError && description.test(error.description);

export const isOutOfReach = (error: unknown): boolean =>
  error instanceof GrammyError &&
  (error.error_code === HTTP_FORBIDDEN ||
    (error.error_code === HTTP_BAD_REQUEST && NO_SUCH_CHAT.test(error.description)));

/** The wait that Telegram demands before a retry. Null for other errors. */
export const waitSecondsOf = (error: unknown): number | null =>
  error instanceof GrammyError && error.error_code === HTTP_TOO_MANY
    ? (error.parameters.retry_after ?? DEFAULT_RETRY_SECONDS)
    : null;

/** The new id of a group that became a supergroup. */
export const newChatIdOf = (error: unknown): number | undefined =>
  error instanceof GrammyError ? error.parameters.migrate_to_chat_id : undefined;

/**
 * Converts an error into a result.
 * @throws the error if the message certainly did not arrive and may be sent again
 */
export function readSendError(error: unknown): Exclude<SendResult, { status: 'sent' }> {
  if (error instanceof HttpError) {
    if (error.error instanceof ServerError) throw error.error;
    return { status: 'no_response', cause: error.error };
  }
  if (isOutOfReach(error)) return { status: 'unreachable' };
  const waitSeconds = waitSecondsOf(error);
  if (waitSeconds !== null) return { status: 'rate_limited', retryAfterSeconds: waitSeconds };
  throw error;
}

const withoutPreview = { link_preview_options: { is_disabled: true } };

function buttonOf(button: ChatButton) {
  if ('url' in button) return InlineKeyboard.url(button.text, button.url);
  if ('copy' in button) return InlineKeyboard.copyText(button.text, button.copy);
  return InlineKeyboard.text(button.text, button.action);
}

/** The options of a message with inline buttons and without a link preview. */
export function optionsOf(rows: readonly (readonly ChatButton[])[]) {
  if (rows.flat().length === 0) return withoutPreview;
  const buttons = rows.map((row) => row.map(buttonOf));
  return { ...withoutPreview, reply_markup: InlineKeyboard.from(buttons) };
}

const resultOf = (request: Promise<unknown>): Promise<SendResult> =>
  request.then(() => ({ status: 'sent' as const }), readSendError);

/** Functions for the bot's handlers, added to grammY's context. */
export type BotContext = Context & {
  /** The topic of a group in which the message is; null for General. */
  topic: Topic | null;
  /**
   * Sends a message; after a pressed button, replaces the button's message. Sent as a request of its own, because Telegram
   * doesn't report a refused message in the response to an update. If Telegram refuses it, logs that it's lost: the update
   * isn't repeated, because its command has run.
   */
  answer(text: string, keyboard?: InlineKeyboard | Keyboard | { remove_keyboard: true }): Promise<void>;
  /** Ends the waiting sign on a pressed button, and shows a short text. */
  acknowledge(text?: string): void;
};

/** A topic of a group. */
export interface Topic {
  readonly id: number;
  readonly name: string;
}

/** Telegram shows a message in a topic as a reply to the topic's first message. */
function topicOf({ msg }: Context): Topic | null {
  if (!msg?.is_topic_message || msg.message_thread_id === undefined) return null;
  const id = msg.message_thread_id;
  return { id, name: msg.reply_to_message?.forum_topic_created?.name ?? `Topic ${id}` };
}

/** Sends to the chat, whose id changes if it becomes a supergroup. */
type SendTo = (chatId: number) => Promise<unknown>;

export interface TelegramBotOptions {
  readonly apiUrl: string;
  readonly token: string;
  readonly username: string;
  readonly lifetime: Lifetime;
  readonly clock: Clock;
}

/** A bot without handlers. Its username is configured, so no update has to wait for a `getMe` request. */
export function createTelegramBot({ apiUrl, token, username, lifetime, clock }: TelegramBotOptions) {
  const id = Number.parseInt(token, 10);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- grammY only reads the id and the username.
  const botInfo = { id, username, is_bot: true, first_name: username } as UserFromGetMe;
  const client = {
    apiRoot: apiUrl,
    timeoutSeconds: TELEGRAM_TIMEOUT_MS / SECOND_MS,
    fetch: fetchResponse,
  };
  const bot = new Bot<BotContext>(token, { botInfo, client });

  /** Telegram sends a chat's updates one by one, so a waiting answer delays only the chat's own commands. */
  const deliver = async (chatId: number, send: SendTo, until: number): Promise<void> => {
    const result = await resultOf(send(chatId)).catch((error: unknown) => {
      return { status: 'failed' as const, newChatId: newChatIdOf(error) };
    });
    if (result.status === 'sent') return;
    if ('newChatId' in result && result.newChatId !== undefined) {
      return deliver(result.newChatId, send, until);
    }
    const waitMs = result.status === 'rate_limited' ? result.retryAfterSeconds * SECOND_MS : Infinity;
    if (clock.now() + waitMs <= until) {
      await clock.sleep(waitMs);
      return deliver(chatId, send, until);
    }
    const lost = { event: 'telegram.reply_lost', chatId: String(chatId), status: result.status };
    console.warn(JSON.stringify(lost));
  };

  bot.use(async (ctx, next) => {
    // Telegram would repeat a refused update, so an unreadable one is ignored.
    if (!readableUpdate.safeParse(ctx.update).success) return;
    const { api, chatId, callbackQuery } = ctx;
    const messageId = callbackQuery?.message?.message_id;
    const topic = topicOf(ctx);
    ctx.topic = topic;
    ctx.answer = async (text, keyboard) => {
      if (chatId === undefined) return;
      const send: SendTo = (to) => {
        if (messageId === undefined) {
          const inTopic = topic && { message_thread_id: topic.id };
          const options = { ...withoutPreview, ...inTopic, ...(keyboard && { reply_markup: keyboard }) };
          return api.sendMessage(to, text, options);
        }
        const inline = keyboard instanceof InlineKeyboard && { reply_markup: keyboard };
        return api.editMessageText(to, messageId, text, { ...withoutPreview, ...inline });
      };
      await deliver(chatId, send, clock.now() + ANSWER_WAIT_MS);
    };
    ctx.acknowledge = (text = '') => lifetime.keepAlive(ctx.answerCallbackQuery(text));
    await next();
  });
  bot.on('message:text', ({ message }, next) => {
    const isOwn = message.forward_origin === undefined && message.via_bot === undefined;
    // Phones capitalise the first letter of a command. A text that the sender hasn't written is no command.
    message.text = isOwn ? message.text.replace(/^\/\w+/, (command) => command.toLowerCase()) : '';
    return next();
  });
  return bot;
}

/** Telegram refuses our token. */
const isTokenRefused = (error: unknown): boolean =>
  error instanceof GrammyError &&
  (error.error_code === HTTP_UNAUTHORIZED || error.error_code === HTTP_NOT_FOUND);

/** @throws OutageError if the bot can't send messages now */
export const createTelegramProbe =
  ({ api }: { readonly api: Api }) =>
  async (): Promise<void> => {
    try {
      await api.getMe();
    } catch (error) {
      throw toOutage(error);
    }
  };

/** For messages that couldn't be sent. */
export const toOutage = (error: unknown): OutageError =>
  new OutageError(isTokenRefused(error) ? 'telegram.refused' : 'telegram.unavailable', error);

interface MessengerOptions {
  readonly api: Api;
  /** The address that opens the bot. */
  readonly botUrl: string;
}

export const createTelegramMessenger = ({ api, botUrl }: MessengerOptions): Messenger => ({
  startUrl: (payload) => `${botUrl}?start=${payload}`,

  addUrl: (kind) => `${botUrl}?start${kind}&admin=post_messages+invite_users+restrict_members`,

  send: ({ chatId, text, buttons = [] }) => resultOf(api.sendMessage(chatId, text, optionsOf([buttons]))),
});
