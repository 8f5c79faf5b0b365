import { InputFile, type Bot } from 'grammy';
import { managerOf, rightsOf, roleOf } from '#schema/rules/access/telegram-members.ts';
import type { Chats, PostResult } from '../ports/chats.ts';
import { isOutOfReach, isRefusal, optionsOf, readSendError } from './telegram-bot.ts';

const NOT_MODIFIED = /message is not modified/i;
const MESSAGE_GONE = /message to edit not found|message can't be edited|MESSAGE_ID_INVALID/i;
/** An administrator has already decided the request, or the person has withdrawn it or is in the chat. */
const NO_REQUEST = /HIDE_REQUESTER_MISSING|USER_ALREADY_PARTICIPANT|USER_CHANNELS_TOO_MUCH|user not found/i;
const IS_ADMINISTRATOR = /is an administrator|chat owner/i;
const NO_MEMBER = /user not found|PARTICIPANT_ID_INVALID/i;

async function postWith(send: () => Promise<{ message_id: number }>): Promise<PostResult> {
  try {
    const { message_id: messageId } = await send();
    return { status: 'sent', messageId };
  } catch (error) {
    if (isRefusal(error, MESSAGE_GONE)) return { status: 'message_gone' };
    if (isRefusal(error, /upgraded to a supergroup/i) && error.parameters.migrate_to_chat_id !== undefined) {
      return { status: 'moved', newChatId: String(error.parameters.migrate_to_chat_id) };
    }
    return readSendError(error);
  }
}

async function unlessRefused(refusal: RegExp, request: Promise<unknown>): Promise<boolean> {
  try {
    await request;
    return true;
  } catch (error) {
    if (isRefusal(error, refusal)) return false;
    throw error;
  }
}

export function createTelegramChats({ api, botInfo }: Pick<Bot, 'api' | 'botInfo'>): Chats {
  const findPerson = async ({ chatId, personId }: { chatId: string; personId: string }) => {
    try {
      return await api.getChatMember(chatId, Number(personId));
    } catch (error) {
      if (isRefusal(error, NO_MEMBER)) return null;
      throw error;
    }
  };

  return {
    async find(chatId) {
      try {
        const [chat, bot] = await Promise.all([api.getChat(chatId), api.getChatMember(chatId, botInfo.id)]);
        if (chat.type === 'private') return 'gone';
        if (bot.status === 'left' || bot.status === 'kicked') return 'bot_removed';
        const isChannel = chat.type === 'channel';
        return {
          kind: isChannel ? 'channel' : 'group',
          title: chat.title,
          isBasicGroup: chat.type === 'group',
          username: 'username' in chat ? (chat.username ?? null) : null,
          linkedChatId:
            'linked_chat_id' in chat && chat.linked_chat_id !== undefined
              ? String(chat.linked_chat_id)
              : null,
          rights: rightsOf(bot, isChannel),
        };
      } catch (error) {
        if (!isOutOfReach(error)) throw error;
        return isRefusal(error, /chat not found|deleted/i) ? 'gone' : 'bot_removed';
      }
    },

    async findMember(person) {
      const member = await findPerson(person);
      return member === null ? 'out' : roleOf(member);
    },

    async findManager({ kind, ...person }) {
      const member = await findPerson(person);
      return member && managerOf(member, kind === 'channel');
    },

    post: ({ chatId, text, buttons, isProtected }) =>
      postWith(() => api.sendMessage(chatId, text, { ...optionsOf(buttons), protect_content: isProtected })),

    edit: ({ chatId, messageId, text, buttons }) =>
      postWith(async () => {
        const edited = api.editMessageText(chatId, messageId, text, optionsOf(buttons));
        await unlessRefused(NOT_MODIFIED, edited);
        return { message_id: messageId };
      }),

    postImage: ({ chatId, png, caption }) =>
      postWith(() => api.sendPhoto(chatId, new InputFile(png, 'recap.png'), { caption })),

    approve: ({ chatId, personId }) =>
      unlessRefused(NO_REQUEST, api.approveChatJoinRequest(chatId, Number(personId))),

    decline: ({ chatId, personId }) =>
      unlessRefused(NO_REQUEST, api.declineChatJoinRequest(chatId, Number(personId))),

    // Without `only_if_banned`, Telegram removes a member, who may come back.
    async remove({ chatId, personId }) {
      try {
        await api.unbanChatMember(chatId, Number(personId));
      } catch (error) {
        if (isRefusal(error, IS_ADMINISTRATOR)) return false;
        if (!isRefusal(error, NO_MEMBER)) throw error;
      }
      return true;
    },

    async createJoinLink(chatId) {
      const { invite_link } = await api.createChatInviteLink(chatId, {
        name: 'SolCallers',
        creates_join_request: true,
      });
      return invite_link;
    },
  };
}
