import { Bot, GrammyError, HttpError, type Context } from 'grammy';
import { z } from 'zod';
import { SECOND_MS, TELEGRAM_TIMEOUT_MS } from '#schema/constants.ts';
import type { ChatEvent, Messenger, SendResult } from '../ports/messenger.ts';

const DEFAULT_RETRY_SECONDS = 30;
const HTTP_BAD_REQUEST = 400;
const HTTP_FORBIDDEN = 403;
const HTTP_TOO_MANY = 429;
const HTTP_SERVER_ERROR = 500;
/** Only the description distinguishes a missing chat from other bad requests. */
const NO_SUCH_CHAT = /chat not found|user not found|peer_id_invalid/i;

const chatSchema = z.looseObject({ id: z.int(), type: z.string() });
const personSchema = z.looseObject({ username: z.string().optional() });
/** Validates the fields that we read, because grammY doesn't validate updates. */
const readableSchema = z.looseObject({
  message: z
    .looseObject({
      date: z.int(),
      chat: chatSchema,
      from: personSchema,
      text: z.string().optional(),
      entities: z.array(z.looseObject({ type: z.string(), offset: z.int(), length: z.int() })).optional(),
    })
    .optional(),
  my_chat_member: z
    .looseObject({
      date: z.int(),
      chat: chatSchema,
      from: personSchema,
      new_chat_member: z.looseObject({ status: z.string() }),
    })
    .optional(),
});

export interface TelegramBotOptions {
  readonly apiUrl: string;
  /** The base URL that opens chats in a browser, such as https://t.me. */
  readonly linkUrl: string;
  readonly username: string;
  readonly token: string;
}

/** A Telegram bot over the Bot API. Its username is configured, so no update has to wait for a `getMe` request. */
export function createTelegramBot({ apiUrl, linkUrl, username, token }: TelegramBotOptions): Messenger {
  // Send replies in the response to Telegram's webhook request, so that no extra request can fail.
  const canUseWebhookReply = (method: string) => method === 'sendMessage';
  const client = {
    apiRoot: apiUrl,
    timeoutSeconds: TELEGRAM_TIMEOUT_MS / SECOND_MS,
    canUseWebhookReply,
    fetch: fetchResponse,
  };
  const createBot = () => new Bot(token, { botInfo: describeBot(username, token), client });
  const { api } = createBot();

  return {
    startUrl: (payload) => `${linkUrl}/${username}?start=${payload}`,

    async send({ chatId, text, buttons = [] }): Promise<SendResult> {
      try {
        await api.sendMessage(chatId, text, {
          link_preview_options: { is_disabled: true },
          ...(buttons.length === 0 ? {} : { reply_markup: { inline_keyboard: [[...buttons]] } }),
        });
        return { status: 'sent' };
      } catch (error) {
        return readSendError(error);
      }
    },

    async respondToUpdate(update, onEvent) {
      if (!readableSchema.safeParse(update).success) {
        console.warn(JSON.stringify({ event: 'telegram.update_ignored', updateId: update.update_id }));
        return null;
      }
      const bot = createBot();
      listen(bot, onEvent);
      let response: string | null = null;
      await bot.handleUpdate(update, {
        send: (json) => {
          response = json;
        },
      });
      return response;
    },
  };
}

function describeBot(username: string, token: string) {
  return {
    id: Number.parseInt(token, 10),
    is_bot: true,
    first_name: username,
    username,
    can_join_groups: false,
    can_read_all_group_messages: false,
    supports_inline_queries: false,
    can_connect_to_business: false,
    has_main_web_app: false,
    has_topics_enabled: false,
    allows_users_to_create_topics: false,
    can_manage_bots: false,
    supports_join_request_queries: false,
  } as const;
}

/** Converts an error into a result. @throws the error if the message certainly did not arrive and may be sent again */
function readSendError(error: unknown): SendResult {
  if (error instanceof HttpError) {
    if (error.error instanceof ServerError) throw error.error;
    return { status: 'no_response', cause: error.error };
  }
  if (!(error instanceof GrammyError)) throw error;
  if (
    error.error_code === HTTP_FORBIDDEN ||
    (error.error_code === HTTP_BAD_REQUEST && NO_SUCH_CHAT.test(error.description))
  ) {
    return { status: 'unreachable' };
  }
  if (error.error_code === HTTP_TOO_MANY) {
    return {
      status: 'rate_limited',
      retryAfterSeconds: error.parameters.retry_after ?? DEFAULT_RETRY_SECONDS,
    };
  }
  throw error;
}

type OnEvent = (event: ChatEvent) => Promise<string | null>;
type EventDetails = { kind: 'start'; payload: string } | { kind: Exclude<ChatEvent['kind'], 'start'> };

/** Passes events of private chats to `onEvent`, and replies with the text that `onEvent` returns. */
function listen(bot: Bot, onEvent: OnEvent): void {
  const respondToEvent = async (context: Context, event: EventDetails) => {
    const at = (context.msg ?? context.myChatMember)?.date ?? 0;
    const text = await onEvent({
      chatId: String(context.chat?.id),
      username: context.from?.username ?? null,
      at: at * SECOND_MS,
      ...event,
    });
    if (text !== null) await context.reply(text);
  };
  const chats = bot.chatType('private');
  chats.on('message:text', (context, next) => {
    // Phones capitalise the first letter of a command, so ignore its case.
    context.message.text = context.message.text.replace(/^\/\w+/, (command) => command.toLowerCase());
    return next();
  });
  chats.command('start', (context) => respondToEvent(context, { kind: 'start', payload: context.match }));
  chats.command('stop', (context) => respondToEvent(context, { kind: 'stop' }));
  chats.command('status', (context) => respondToEvent(context, { kind: 'status' }));
  // Ignores service messages. Telegram sends them itself, for example when a message is pinned.
  chats.on(['message:text', 'message:file'], (context) => respondToEvent(context, { kind: 'other' }));
  chats.on('my_chat_member', async (context) => {
    if (context.myChatMember.new_chat_member.status === 'kicked') {
      await respondToEvent(context, { kind: 'blocked' });
    }
  });
}

/** A 5xx from Telegram or a proxy, perhaps with HTML instead of JSON. */
class ServerError extends Error {}

const fetchResponse: typeof fetch = async (...request) => {
  const response = await fetch(...request);
  if (response.status >= HTTP_SERVER_ERROR) throw new ServerError(`Telegram responded ${response.status}`);
  return response;
};
