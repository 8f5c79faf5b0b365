import type { Api } from 'grammy';
import type { Messenger, SendResult } from '../ports/messenger.ts';
import { createReadUpdate } from './read-telegram-update.ts';
import { keyboardOf, readSendError, withoutPreview } from './telegram-api.ts';

export interface TelegramBotOptions {
  readonly api: Api;
  /** The base URL that opens chats in a browser, such as https://t.me. */
  readonly linkUrl: string;
  readonly username: string;
}

/** A Telegram bot over the Bot API. Its username is configured, so no update has to wait for a `getMe` request. */
export const createTelegramBot = ({ api, linkUrl, username }: TelegramBotOptions): Messenger => ({
  startUrl: (payload) => `${linkUrl}/${username}?start=${payload}`,

  async send({ chatId, text, buttons = [] }): Promise<SendResult> {
    try {
      await api.sendMessage(chatId, text, { ...withoutPreview, ...keyboardOf([buttons]) });
      return { status: 'sent' };
    } catch (error) {
      return readSendError(error);
    }
  },

  read: createReadUpdate(username),

  // Telegram runs the method in the response to its request, so no extra request can fail.
  writeReply: (chatId, { text, buttons = [], replaces }) =>
    JSON.stringify({
      ...(replaces === undefined
        ? { method: 'sendMessage' }
        : { method: 'editMessageText', message_id: replaces }),
      chat_id: Number(chatId),
      text,
      ...withoutPreview,
      ...keyboardOf(buttons),
    }),
});
