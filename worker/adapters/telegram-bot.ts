import type { Api } from 'grammy';
import type { ChatAdministratorRights } from 'grammy/types';
import type { Messenger, SendResult } from '../ports/messenger.ts';
import { createReadUpdate } from './read-telegram-update.ts';
import { keyboardOf, readSendError, withoutPreview } from './telegram-api.ts';

/**
 * A button with which an administrator shares a channel or group. Telegram first adds the bot with these rights if it
 * isn't there yet.
 */
const pickButton = (text: string, isChannel: boolean) => {
  const rights: ChatAdministratorRights = {
    is_anonymous: false,
    can_manage_chat: true,
    can_delete_messages: false,
    can_manage_video_chats: false,
    can_promote_members: false,
    can_send_welcome_messages: false,
    can_change_info: false,
    can_post_stories: false,
    can_edit_stories: false,
    can_delete_stories: false,
    can_invite_users: true,
    can_restrict_members: true,
    ...(isChannel && { can_post_messages: true }),
  };
  return {
    text,
    request_chat: {
      request_id: isChannel ? 1 : 2,
      chat_is_channel: isChannel,
      user_administrator_rights: rights,
      bot_administrator_rights: rights,
    },
  };
};
const CHAT_PICKER = {
  keyboard: [[pickButton('Choose a channel', true), pickButton('Choose a group', false)]],
  resize_keyboard: true,
  one_time_keyboard: true,
};

const resultOf = (request: Promise<unknown>): Promise<SendResult> =>
  request.then(() => ({ status: 'sent' as const }), readSendError);

export interface TelegramBotOptions {
  readonly api: Api;
  readonly linkUrl: string;
  readonly username: string;
}

/** A Telegram bot over the Bot API. Its username is configured, so no update has to wait for a `getMe` request. */
export const createTelegramBot = ({ api, linkUrl, username }: TelegramBotOptions): Messenger => ({
  startUrl: (payload) => `${linkUrl}/${username}?start=${payload}`,

  addUrl: (kind) => `${linkUrl}/${username}?start${kind}&admin=post_messages+invite_users+restrict_members`,

  send: ({ chatId, text, buttons = [] }) =>
    resultOf(api.sendMessage(chatId, text, { ...withoutPreview, ...keyboardOf([buttons]) })),

  // Sent as a request of its own, because Telegram doesn't report a refused message in the response to an
  // update.
  reply(chatId, { text, buttons = [], replaces, picksChat }) {
    const chat = Number(chatId);
    const options = { ...withoutPreview, ...keyboardOf(buttons) };
    if (replaces !== undefined) return resultOf(api.editMessageText(chat, replaces, text, options));
    if (picksChat === undefined) return resultOf(api.sendMessage(chat, text, options));
    const picker = picksChat ? CHAT_PICKER : { remove_keyboard: true as const };
    return resultOf(api.sendMessage(chat, text, { ...options, reply_markup: picker }));
  },

  read: createReadUpdate(username),
});
