import { InputFile, type Bot } from 'grammy';
import { PRODUCT_NAME } from '#schema/constants/app.ts';
import type { ChatFacts, ChatKind, Found, TopicProblem } from '#schema/rules/access/telegram-chats.ts';
import { managerOf, rightsOf, roleOf } from '#schema/rules/access/telegram-members.ts';
import { RateLimitedError, type ChatButton, type SendResult } from '../ports/messenger.ts';
import {
  isOutOfReach,
  isRefusal,
  newChatIdOf,
  optionsOf,
  readSendError,
  waitSecondsOf,
} from './telegram-bot.ts';

export interface PersonInChat {
  readonly chatId: string;
  readonly personId: string;
}

export interface Place {
  readonly chatId: string;
  /** The topic of a group. Null for General. */
  readonly topicId: number | null;
}

export interface ChatPost extends Place {
  /** Plain text of at most `TELEGRAM_MESSAGE_MAX_LENGTH` UTF-16 units. */
  readonly text: string;
  readonly buttons: readonly (readonly ChatButton[])[];
  /** Members can't forward or save the message. */
  readonly isProtected: boolean;
  /** The message to reply to. If it's gone, Telegram sends an ordinary message. */
  readonly replyTo?: number | null;
}

/** `message_gone`: somebody has deleted the message. `moved`: the chat has another id now. */
export type PostResult =
  | Exclude<SendResult, { status: 'sent' }>
  | { readonly status: 'sent'; readonly messageId: number }
  | { readonly status: 'message_gone' }
  | { readonly status: 'topic_refused'; readonly problem: TopicProblem }
  | { readonly status: 'moved'; readonly newChatId: string };

const LINK_OPTIONS = { name: PRODUCT_NAME, creates_join_request: true };
/** Messages in a closed topic stay as they are. */
const NOT_MODIFIED = /message is not modified|TOPIC_CLOSED/i;
const MESSAGE_GONE = /message to edit not found|message can't be edited|MESSAGE_ID_INVALID/i;
/** The errors of `messages.sendMessage` and of the Bot API's own check. */
const TOPIC_CLOSED = /TOPIC_CLOSED/i;
const TOPIC_GONE = /thread not found|TOPIC_DELETED|TOPIC_ID_INVALID/i;
/** An administrator has already decided the request, or the person has withdrawn it or is in the chat. */
const NO_REQUEST = /HIDE_REQUESTER_MISSING|USER_ALREADY_PARTICIPANT|USER_CHANNELS_TOO_MUCH|user not found/i;
const IS_ADMINISTRATOR = /is an administrator|chat owner/i;
/** The error of `messages.editExportedChatInvite` (core.telegram.org), which the Bot API passes on. Another one throws. */
const LINK_REVOKED = /INVITE_HASH_(?:EXPIRED|INVALID)/i;
const NO_MEMBER = /user not found|PARTICIPANT_ID_INVALID/i;

const inTopic = ({ topicId }: Place) => (topicId === null ? {} : { message_thread_id: topicId });

async function postWith(send: () => Promise<{ message_id: number }>): Promise<PostResult> {
  try {
    const { message_id: messageId } = await send();
    return { status: 'sent', messageId };
  } catch (error) {
    if (isRefusal(error, MESSAGE_GONE)) return { status: 'message_gone' };
    if (isRefusal(error, TOPIC_CLOSED)) return { status: 'topic_refused', problem: 'topic_closed' };
    if (isRefusal(error, TOPIC_GONE)) return { status: 'topic_refused', problem: 'topic_gone' };
    const newChatId = newChatIdOf(error);
    if (newChatId !== undefined) return { status: 'moved', newChatId: String(newChatId) };
    return readSendError(error);
  }
}

/** Returns the value if Telegram refuses the request for this reason. */
async function onRefusal<Result, Value>(
  refusal: RegExp,
  value: Value,
  request: Promise<Result>,
): Promise<Result | Value> {
  try {
    return await request;
  } catch (error) {
    if (isRefusal(error, refusal)) return value;
    const waitSeconds = waitSecondsOf(error);
    throw waitSeconds === null ? error : new RateLimitedError(waitSeconds);
  }
}

const createPost =
  (api: Bot['api']) =>
  async ({ text, buttons, isProtected, replyTo = null, ...place }: ChatPost): Promise<PostResult> => {
    const options = { ...optionsOf(buttons), ...inTopic(place), protect_content: isProtected };
    const send = (to: number | null) => {
      const reply = to !== null && {
        reply_parameters: { message_id: to, allow_sending_without_reply: true },
      };
      return postWith(() => api.sendMessage(place.chatId, text, { ...options, ...reply }));
    };
    const result = await send(replyTo);
    // General can't be named, so a reply to a message of another topic goes there.
    const isInGeneral = place.topicId === null && replyTo !== null;
    return result.status === 'topic_refused' && isInGeneral ? send(null) : result;
  };

/** Channels and groups. All methods throw if Telegram doesn't respond or refuses for a reason that isn't named here. */
export function createTelegramChats({ api, botInfo }: Pick<Bot, 'api' | 'botInfo'>) {
  const findPerson = ({ chatId, personId }: PersonInChat) =>
    onRefusal(NO_MEMBER, null, api.getChatMember(chatId, Number(personId)));

  return {
    async find(
      chatId: string,
    ): Promise<Found<ChatFacts & { kind: ChatKind; title: string; members: number | null }>> {
      try {
        const [chat, bot, members] = await Promise.all([
          api.getChat(chatId),
          api.getChatMember(chatId, botInfo.id),
          api.getChatMemberCount(chatId).catch(() => null),
        ]);
        if (chat.type === 'private') return 'gone';
        if (bot.status === 'left' || bot.status === 'kicked') return 'bot_removed';
        const isChannel = chat.type === 'channel';
        return {
          kind: isChannel ? 'channel' : 'group',
          title: chat.title,
          members,
          isBasicGroup: chat.type === 'group',
          isForum: 'is_forum' in chat && chat.is_forum === true,
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

    async findMember(person: PersonInChat): Promise<'admin' | 'in' | 'out'> {
      const member = await findPerson(person);
      return member === null ? 'out' : roleOf(member);
    },

    /** Finds out whether a person owns a chat, or may post, invite and remove people there, as the bot does. */
    async findManager({ kind, ...person }: PersonInChat & { kind: ChatKind }) {
      const member = await findPerson(person);
      return member && managerOf(member, kind === 'channel');
    },

    post: createPost(api),

    /** Replaces a post. An unchanged one counts as sent. */
    edit: ({ chatId, messageId, text, buttons }: Omit<ChatPost, 'topicId'> & { messageId: number }) =>
      postWith(async () => {
        const edited = api.editMessageText(chatId, messageId, text, optionsOf(buttons));
        await onRefusal(NOT_MODIFIED, true, edited);
        return { message_id: messageId };
      }),

    postImage: ({ png, caption, ...place }: Place & { png: Uint8Array; caption: string }) => {
      const image = new InputFile(png, 'recap.png');
      return postWith(() => api.sendPhoto(place.chatId, image, { caption, ...inTopic(place) }));
    },

    /** Accepts a join request. Returns false if there is none. */
    approve: ({ chatId, personId }: PersonInChat) =>
      onRefusal(NO_REQUEST, false, api.approveChatJoinRequest(chatId, Number(personId))),

    decline: ({ chatId, personId }: PersonInChat) =>
      onRefusal(NO_REQUEST, false, api.declineChatJoinRequest(chatId, Number(personId))),

    /**
     * Removes a person, who may ask to join again. Returns false for an administrator, who can't be removed, and true if
     * nobody is there.
     */
    remove({ chatId, personId }: PersonInChat): Promise<boolean> {
      // Without `only_if_banned`, Telegram removes a member.
      const removed = api.unbanChatMember(chatId, Number(personId));
      return onRefusal(NO_MEMBER, true, onRefusal(IS_ADMINISTRATOR, false, removed));
    },

    async createJoinLink(chatId: string): Promise<string> {
      return (await api.createChatInviteLink(chatId, LINK_OPTIONS)).invite_link;
    },

    /** Finds out whether a link of the bot works. The Bot API can't read a link, so this edits it without a change. */
    async isLinkValid(chatId: string, link: string): Promise<boolean> {
      const edited = await onRefusal(LINK_REVOKED, null, api.editChatInviteLink(chatId, link, LINK_OPTIONS));
      return edited !== null && !edited.is_revoked;
    },

    revokeLink: (chatId: string, link: string) =>
      onRefusal(LINK_REVOKED, null, api.revokeChatInviteLink(chatId, link)),
  };
}
