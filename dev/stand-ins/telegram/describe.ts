import { SERVICE_USER_ID, specialUsers, type UserJson } from './special-users.ts';
import type { Group, InviteLink, Member, Message } from './telegram-state.ts';
import type { TelegramStore, UpdateContent } from './telegram-store.ts';

const commonRights = [
  'can_manage_chat',
  'can_change_info',
  'can_delete_messages',
  'can_invite_users',
  'can_restrict_members',
  'can_promote_members',
  'can_manage_video_chats',
  'can_post_stories',
  'can_edit_stories',
  'can_delete_stories',
  'can_send_welcome_messages',
  'is_anonymous',
];
/** The rights of an administrator in each type of chat, as the Bot API lists them. */
export const rightsOf: Readonly<Record<Group['type'], readonly string[]>> = {
  group: [...commonRights, 'can_pin_messages', 'can_manage_tags'],
  supergroup: [...commonRights, 'can_pin_messages', 'can_manage_topics', 'can_manage_tags'],
  channel: [...commonRights, 'can_post_messages', 'can_edit_messages', 'can_manage_direct_messages'],
};
const memberPermissions = [
  'can_send_messages',
  'can_send_audios',
  'can_send_documents',
  'can_send_photos',
  'can_send_videos',
  'can_send_video_notes',
  'can_send_voice_notes',
  'can_send_polls',
  'can_send_other_messages',
  'can_add_web_page_previews',
  'can_react_to_messages',
  'can_change_info',
  'can_invite_users',
  'can_edit_tag',
  'can_pin_messages',
  'can_manage_topics',
];

export type Descriptions = ReturnType<typeof createDescriptions>;

/** The JSON of the Bot API. */
export function createDescriptions(store: TelegramStore) {
  const { bot } = store;

  function user(id: number): UserJson {
    if (id === bot.id) return { ...bot };
    const special = specialUsers[id];
    if (special !== undefined) return special;
    const found = store.findUser(id);
    return {
      id,
      is_bot: false,
      first_name: found?.firstName ?? '',
      ...(found?.username == null ? {} : { username: found.username }),
      language_code: 'en',
    };
  }

  function chat(id: number): object {
    const group = store.findGroup(id);
    if (group !== undefined) return describeGroup(group);
    const found = store.findUser(id);
    const username = found?.username == null ? {} : { username: found.username };
    return { id, first_name: found?.firstName ?? '', ...username, type: 'private' };
  }

  function member(group: Group, { userId, is }: { userId: number; is: Member }): object {
    return { user: user(userId), status: is.status, ...describeStatus(group, is) };
  }

  function link({ url, name, ...rest }: InviteLink, pendingCount = 0): object {
    return {
      invite_link: url,
      ...(name === '' ? {} : { name }),
      creator: user(rest.creatorId),
      ...(pendingCount === 0 ? {} : { pending_join_request_count: pendingCount }),
      creates_join_request: rest.createsJoinRequest,
      is_primary: false,
      is_revoked: rest.isRevoked,
    };
  }

  function message(found: Message, { withReply = true } = {}): UpdateContent {
    const { messageId, senderId, senderChatId, chatId, text, photo, entities, keyboard } = found;
    const isPost = store.findGroup(chatId)?.type === 'channel';
    // Without an explicit reply, the message that created the topic.
    const repliedId = found.replyTo ?? found.topicId;
    const isReply = withReply && repliedId !== null && repliedId !== messageId;
    const replied = isReply ? store.findMessage(chatId, repliedId) : undefined;
    return {
      message_id: messageId,
      ...(isPost ? {} : { from: user(senderId) }),
      ...(senderChatId === null ? {} : { sender_chat: chat(senderChatId) }),
      chat: chat(chatId),
      date: found.date,
      ...(found.editDate === null ? {} : { edit_date: found.editDate }),
      ...(found.topicId === null ? {} : { message_thread_id: found.topicId, is_topic_message: true }),
      ...describeForward(found),
      ...(replied === undefined ? {} : { reply_to_message: message(replied, { withReply: false }) }),
      ...(found.isProtected ? { has_protected_content: true } : {}),
      ...(found.service ?? describeContent({ text, photo })),
      ...(entities.length === 0 ? {} : { entities }),
      ...(keyboard.length === 0 ? {} : { reply_markup: { inline_keyboard: keyboard.map(describeRow) } }),
    };
  }

  function describeForward({ senderId, forwardOf }: Message): object {
    if (forwardOf === null) return {};
    const origin = chat(forwardOf.chatId);
    return {
      forward_origin: {
        type: 'channel',
        chat: origin,
        message_id: forwardOf.messageId,
        date: forwardOf.date,
      },
      ...(senderId === SERVICE_USER_ID ? { is_automatic_forward: true } : {}),
      forward_from_chat: origin,
      forward_from_message_id: forwardOf.messageId,
      forward_date: forwardOf.date,
    };
  }

  return { user, chat, member, link, message };
}

function describeGroup({ id, title, type, username, topics }: Group): object {
  if (type === 'group') return { id, title, type, all_members_are_administrators: false };
  const isForum = topics.length > 0 && { is_forum: true };
  return { id, title, ...(username === null ? {} : { username }), type, ...isForum };
}

function describeStatus(group: Group, { status, rights }: Member): object {
  if (status === 'creator') return { is_anonymous: rights.includes('is_anonymous') };
  if (status === 'kicked') return { until_date: 0 };
  if (status === 'restricted') {
    const permissions = memberPermissions.map((name) => [name, rights.includes(name)]);
    return { until_date: 0, ...Object.fromEntries(permissions), is_member: true };
  }
  if (status !== 'administrator') return {};
  const granted = rightsOf[group.type].map((right) => [right, rights.includes(right)]);
  return { can_be_edited: false, ...Object.fromEntries(granted) };
}

function describeContent({ text, photo }: Pick<Message, 'text' | 'photo'>): object {
  if (photo === null) return { text };
  const [width = 0, height = 0, size = 0] = (/_(\d+)x(\d+)_(\d+)$/.exec(photo) ?? []).slice(1).map(Number);
  return {
    photo: [{ file_id: photo, file_unique_id: photo.split('_')[0], file_size: size, width, height }],
    ...(text === '' ? {} : { caption: text }),
  };
}

const describeRow = (row: Message['keyboard'][number]) =>
  row.map(({ text, url, data, copy }) => {
    if (copy !== undefined) return { text, copy_text: { text: copy } };
    return url === undefined ? { text, callback_data: data } : { text, url };
  });
