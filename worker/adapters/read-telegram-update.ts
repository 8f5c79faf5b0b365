import { z } from 'zod';
import { SECOND_MS } from '#schema/constants/time.ts';
import type { MessengerUpdate } from '../ports/chat-updates.ts';
import { rightsOf, roleOf, type TelegramMember } from './telegram-member.ts';

const chatSchema = z.looseObject({
  id: z.int(),
  type: z.enum(['private', 'group', 'supergroup', 'channel']),
  title: z.string().optional(),
});
const personSchema = z.looseObject({
  id: z.int(),
  is_bot: z.boolean(),
  first_name: z.string(),
  last_name: z.string().optional(),
  username: z.string().optional(),
});
const memberSchema = z.looseObject({
  user: personSchema,
  status: z.enum(['creator', 'administrator', 'member', 'restricted', 'left', 'kicked']),
  is_member: z.boolean().optional(),
  can_post_messages: z.boolean().optional(),
  can_invite_users: z.boolean().optional(),
  can_restrict_members: z.boolean().optional(),
});
const changeSchema = z.looseObject({
  date: z.int(),
  chat: chatSchema,
  from: personSchema,
  old_chat_member: memberSchema,
  new_chat_member: memberSchema,
});
const messageSchema = z.looseObject({
  message_id: z.int(),
  date: z.int(),
  chat: chatSchema,
  from: personSchema.optional(),
  text: z.string().optional(),
  entities: z.array(z.looseObject({ type: z.string(), offset: z.int(), length: z.int() })).optional(),
  forward_origin: z.unknown().optional(),
  via_bot: z.unknown().optional(),
  migrate_to_chat_id: z.int().optional(),
  chat_shared: z.looseObject({ chat_id: z.int() }).optional(),
});
const pressSchema = z.looseObject({
  id: z.string(),
  from: personSchema,
  message: messageSchema,
  data: z.string(),
});
/** The fields that we read. Telegram sends one of them per update. */
const updateSchema = z.looseObject({
  message: messageSchema.optional(),
  callback_query: pressSchema.optional(),
  my_chat_member: changeSchema.optional(),
  chat_member: changeSchema.optional(),
  chat_join_request: z.looseObject({ date: z.int(), chat: chatSchema, from: personSchema }).optional(),
});

type Chat = z.infer<typeof chatSchema>;
type Person = z.infer<typeof personSchema>;
type Change = z.infer<typeof changeSchema>;
type Message = z.infer<typeof messageSchema>;

/** Anonymous administrators act as this bot. */
const ANONYMOUS_ADMINISTRATOR = 1_087_968_824;

const personOf = ({ id, first_name, last_name = '', username }: Person) => {
  return { id: String(id), name: `${first_name} ${last_name}`.trim(), username: username ?? null };
};
const chatOf = (chat: Chat, date: number) => ({
  in: 'chat' as const,
  chatId: String(chat.id),
  chatKind: chat.type === 'channel' ? ('channel' as const) : ('group' as const),
  title: chat.title ?? '',
  at: date * SECOND_MS,
});
const isInChat = (member: TelegramMember): boolean => roleOf(member) !== 'out';

const privateChatOf = (chat: Chat, { username }: Pick<Person, 'username'>, date: number) => ({
  in: 'private' as const,
  chatId: String(chat.id),
  username: username ?? null,
  at: date * SECOND_MS,
});

function readPress({ id, from, data, message }: z.infer<typeof pressSchema>): MessengerUpdate | null {
  const { chat, date, message_id: messageId } = message;
  if (chat.type !== 'private') return null;
  return { ...privateChatOf(chat, from, date), kind: 'button', action: data, buttonId: id, messageId };
}

function readOwnChange({ chat, from, date, new_chat_member: own }: Change): MessengerUpdate | null {
  if (chat.type === 'private') {
    return own.status === 'kicked' ? { ...privateChatOf(chat, from, date), kind: 'blocked' } : null;
  }
  const byId = from.id === ANONYMOUS_ADMINISTRATOR ? null : String(from.id);
  const rights = rightsOf(own, chat.type === 'channel');
  return { ...chatOf(chat, date), kind: 'bot', byId, isIn: isInChat(own), rights };
}

export function createReadUpdate(username: string) {
  /** The command at the start of a message; null if there is none, or it is for another bot. */
  const commandOf = ({ text = '', entities = [] }: Message) => {
    const entity = entities.find(({ type, offset }) => type === 'bot_command' && offset === 0);
    if (entity === undefined) return null;
    const [name = '', bot = username] = text.slice(1, entity.length).split('@');
    if (bot.toLowerCase() !== username.toLowerCase()) return null;
    // Phones capitalise the first letter of a command.
    return { kind: 'command' as const, name: name.toLowerCase(), text: text.slice(entity.length).trim() };
  };

  const readMessage = (message: Message): MessengerUpdate | null => {
    const { chat, date, from, text, migrate_to_chat_id: newChatId, chat_shared: shared } = message;
    const isOwnText = message.forward_origin === undefined && message.via_bot === undefined;
    const command = isOwnText ? commandOf(message) : null;
    if (chat.type !== 'private') {
      if (newChatId !== undefined) {
        return { ...chatOf(chat, date), kind: 'migrated', newChatId: String(newChatId) };
      }
      return command && { ...chatOf(chat, date), ...command, personId: String(from?.id ?? chat.id) };
    }
    const inPrivate = privateChatOf(chat, from ?? {}, date);
    if (shared) return { ...inPrivate, kind: 'picked_chat', pickedId: String(shared.chat_id) };
    const isService = text === undefined && !HAS_FILE.some((kind) => kind in message);
    if (isService) return null;
    return {
      ...inPrivate,
      ...(command ?? { kind: 'other', text: isOwnText ? (text ?? '') : '' }),
    };
  };

  return (update: unknown): MessengerUpdate | null => {
    const { data, success } = updateSchema.safeParse(update);
    if (!success) return null;
    const {
      message,
      callback_query: press,
      my_chat_member: own,
      chat_member: change,
      chat_join_request: request,
    } = data;
    if (message) return readMessage(message);
    if (press) return readPress(press);
    if (own) return readOwnChange(own);
    if (change) {
      const { old_chat_member: before, new_chat_member: member } = change;
      if (member.user.is_bot) return null;
      const hasJoined = !isInChat(before) && isInChat(member);
      const details = { person: personOf(member.user), status: roleOf(member), hasJoined };
      return { ...chatOf(change.chat, change.date), kind: 'member', ...details };
    }
    if (request) {
      return { ...chatOf(request.chat, request.date), kind: 'join_request', person: personOf(request.from) };
    }
    return null;
  };
}

/** Messages with other contents are service messages, which Telegram sends itself, such as about a pinned message. */
const HAS_FILE = [
  'animation',
  'audio',
  'document',
  'photo',
  'sticker',
  'video',
  'video_note',
  'voice',
] as const;
