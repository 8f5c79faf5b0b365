import { Bot, GrammyError } from 'grammy';
import type { Messenger, SendResult } from '../ports/messenger.ts';

const TIMEOUT_SECONDS = 10;
const DEFAULT_RETRY_SECONDS = 30;
const HTTP_BAD_REQUEST = 400;
const HTTP_FORBIDDEN = 403;
const HTTP_TOO_MANY = 429;
/** How Telegram says that there is no such chat (any more); only the words tell it from other bad requests. */
const NO_SUCH_CHAT = /chat not found|user not found|peer_id_invalid/i;

export interface TelegramBotOptions {
  readonly apiUrl: string;
  /** Where chats are opened in a browser. */
  readonly linkUrl: string;
  readonly username: string;
  readonly token: string;
}

/** A Telegram bot over the Bot API. Its own name is configuration, so that no update waits for a getMe. */
export function createTelegramBot({ apiUrl, linkUrl, username, token }: TelegramBotOptions): Messenger {
  const botInfo = {
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
  // An answer in the chat travels in the answer to Telegram's own request: nothing that can fail by itself.
  const client = { apiRoot: apiUrl, timeoutSeconds: TIMEOUT_SECONDS, canUseWebhookReply: (method: string) => method === 'sendMessage' };
  const createBot = () => new Bot(token, { botInfo, client });
  const { api } = createBot();

  return {
    startUrl: (payload) => `${linkUrl}/${username}?start=${payload}`,

    async send({ chatId, text }): Promise<SendResult> {
      try {
        await api.sendMessage(chatId, text, { link_preview_options: { is_disabled: true } });
        return { status: 'sent' };
      } catch (error) {
        if (!(error instanceof GrammyError)) throw error;
        if (error.error_code === HTTP_FORBIDDEN || (error.error_code === HTTP_BAD_REQUEST && NO_SUCH_CHAT.test(error.description))) return { status: 'unreachable' };
        if (error.error_code === HTTP_TOO_MANY) return { status: 'rate_limited', retryAfterSeconds: error.parameters.retry_after ?? DEFAULT_RETRY_SECONDS };
        throw error;
      }
    },

    async answerUpdate(update, onStart) {
      const bot = createBot();
      bot.chatType('private').command('start', async (context) => {
        await context.reply(await onStart({ chatId: String(context.chat.id), payload: context.match }));
      });
      let answer: string | null = null;
      await bot.handleUpdate(update, {
        send: (json) => {
          answer = json;
        },
      });
      return answer;
    },
  };
}
