import { z } from 'zod';
import { openStoredJson, type StoredJson } from '../controls/stored-json.ts';

const pickButton = z.object({
  text: z.string(),
  requestId: z.number(),
  isChannel: z.boolean(),
  /** The rights that the user must have and the bot gets. */
  rights: z.array(z.string()),
});

const user = z.object({
  /** Also the id of the user's private chat with the bot. */
  id: z.number(),
  firstName: z.string(),
  username: z.string().nullable(),
  /** The user pressed Start or wrote to the bot. Before that, the bot can't write. */
  hasStarted: z.boolean(),
  isBlocked: z.boolean(),
  /** The bot had an update about the user. */
  isKnown: z.boolean(),
  /** The bot's buttons below the private chat, which share a chat with it. */
  pickButtons: z.array(pickButton).default([]),
});

const member = z.object({
  status: z.enum(['creator', 'administrator', 'member', 'restricted', 'left', 'kicked']),
  /** The granted rights of an administrator. `is_anonymous` also applies to the creator. */
  rights: z.array(z.string()),
});

const inviteLink = z.object({
  url: z.string(),
  creatorId: z.number(),
  name: z.string(),
  createsJoinRequest: z.boolean(),
  isRevoked: z.boolean(),
});

const joinRequest = z.object({ userId: z.number(), date: z.number(), url: z.string().nullable() });

const topic = z.object({
  /** The id of the message that created it; 1 for General. */
  id: z.number(),
  name: z.string(),
  isClosed: z.boolean(),
});

const group = z.object({
  id: z.number(),
  type: z.enum(['group', 'supergroup', 'channel']),
  title: z.string(),
  username: z.string().nullable(),
  /** The discussion group of a channel, or the channel of a discussion group. */
  linkedChatId: z.number().nullable(),
  isProtected: z.boolean(),
  joinByRequest: z.boolean(),
  /** Empty unless the group has topics. Deleted topics are missing. */
  topics: z.array(topic).default([]),
  isDeleted: z.boolean(),
  migratedTo: z.number().nullable(),
  /** By user id. */
  members: z.record(z.string(), member),
  links: z.array(inviteLink),
  requests: z.array(joinRequest),
  nextMessageId: z.number(),
});

const button = z.object({
  text: z.string(),
  url: z.string().optional(),
  data: z.string().optional(),
  copy: z.string().optional(),
});

const message = z.object({
  messageId: z.number(),
  chatId: z.number(),
  from: z.enum(['bot', 'user']),
  senderId: z.number(),
  /** The channel, or the group of an anonymous administrator. */
  senderChatId: z.number().nullable(),
  /** The text, or a photo's caption. */
  text: z.string(),
  photo: z.string().nullable(),
  entities: z.array(z.object({ type: z.string(), offset: z.number(), length: z.number() })),
  keyboard: z.array(z.array(button)),
  replyTo: z.number().nullable(),
  /** Null in General, and in chats without topics. */
  topicId: z.number().nullable().default(null),
  isProtected: z.boolean(),
  /** The users whom Telegram notified: a new message notifies everybody else in the chat, an edit nobody. */
  notified: z.array(z.number()).default([]),
  /** Unix seconds, as in the Bot API. */
  date: z.number(),
  editDate: z.number().nullable(),
  /** The channel post that Telegram forwarded into the discussion group. */
  forwardOf: z.object({ chatId: z.number(), messageId: z.number(), date: z.number() }).nullable(),
  /** The fields of a service message, as in the Bot API. */
  service: z.record(z.string(), z.unknown()).nullable(),
});

const callbackQuery = z.object({
  id: z.string(),
  userId: z.number(),
  chatId: z.number(),
  at: z.number(),
  answer: z.object({ text: z.string(), showAlert: z.boolean() }).nullable(),
});

const webhook = z.object({ url: z.string(), secretToken: z.string().nullable() });

const telegramState = z.object({
  nextUpdateId: z.number(),
  nextMessageId: z.number(),
  nextChatNumber: z.number(),
  users: z.array(user),
  groups: z.array(group),
  messages: z.array(message),
  callbackQueries: z.array(callbackQuery),
  /** 'default' until setWebhook; null after deleteWebhook. */
  webhook: z.union([z.literal('default'), webhook, z.null()]),
  /** Null for all kinds that Telegram sends without being asked. */
  allowedUpdates: z.array(z.string()).nullable(),
  /** The settings that the owner of a bot changes at BotFather. */
  botSettings: z.object({ canJoinGroups: z.boolean(), hasPrivacyMode: z.boolean() }),
  /** By the type of their scope. */
  commands: z.record(z.string(), z.array(z.object({ command: z.string(), description: z.string() }))),
  /** Updates that the webhook hasn't accepted yet, oldest first. `expiresAt` is unix ms. */
  pending: z.array(z.object({ expiresAt: z.number(), update: z.record(z.string(), z.unknown()) })),
});

export type PickButton = z.infer<typeof pickButton>;
export type User = z.infer<typeof user>;
export type Member = z.infer<typeof member>;
export type InviteLink = z.infer<typeof inviteLink>;
export type Topic = z.infer<typeof topic>;
export type Group = z.infer<typeof group>;
export type Button = z.infer<typeof button>;
export type Message = z.infer<typeof message>;
export type Webhook = z.infer<typeof webhook>;
export type TelegramState = z.infer<typeof telegramState>;
export type PendingUpdate = TelegramState['pending'][number];

/** A message as tests read it: with its buttons in one list. */
export interface ChatMessage extends Omit<Message, 'keyboard'> {
  /** Always null: the stand-in accepts plain text only. */
  parseMode: null;
  buttons: Button[];
}

export function openTelegramState(file: string): StoredJson<TelegramState> {
  const initial: TelegramState = {
    nextUpdateId: 840_000_001,
    nextMessageId: 1,
    nextChatNumber: 1,
    users: [],
    groups: [],
    messages: [],
    callbackQueries: [],
    webhook: 'default',
    allowedUpdates: null,
    botSettings: { canJoinGroups: true, hasPrivacyMode: true },
    commands: {},
    pending: [],
  };
  return openStoredJson({ file, schema: telegramState, initial });
}
