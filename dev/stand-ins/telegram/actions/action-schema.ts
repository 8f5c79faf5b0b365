import { z } from 'zod';

/** A username, with or without @, or a user's id. */
export const userReference = z
  .union([z.string(), z.number().transform(String)])
  .transform((text) => text.trim().replace(/^@/, ''))
  .refine((text) => /^[A-Za-z0-9_]{3,32}$/.test(text), {
    error: 'a Telegram username has 3 to 32 letters, digits and underscores',
  });

const chatId = z.coerce.number().int();
const messageId = z.coerce.number().int();
/** Forms send text, JSON sends booleans. */
const flag = z.union([z.boolean(), z.string().transform((text) => ['true', 'on'].includes(text))]);
const as = userReference;
const inChat = { as, chatId };
const inTopic = { as, chatId, topicId: messageId };
const ofUser = { as, chatId, user: userReference };
/** Names of rights, in a list or separated by spaces. */
const rights = z.union([
  z.array(z.string()),
  z.string().transform((text) => text.split(/[\s+]+/).filter((name) => name !== '')),
]);

/** An action of a person in the Telegram app. The page and tests send it. */
export const actionSchema = z.discriminatedUnion('action', [
  z.strictObject({
    action: z.literal('write'),
    ...inChat,
    text: z.string().min(1).max(4096),
    replyTo: messageId.optional(),
    /** Left out: General. */
    topicId: messageId.optional(),
  }),
  z.strictObject({ action: z.literal('press'), ...inChat, messageId, button: z.string() }),
  z.strictObject({ action: z.literal('delete-message'), ...inChat, messageId }),
  z.strictObject({ action: z.literal('join'), as, chatId: chatId.optional(), link: z.string().optional() }),
  z.strictObject({ action: z.literal('leave'), ...inChat }),
  z.strictObject({ action: z.literal('add'), ...ofUser }),
  z.strictObject({ action: z.literal('remove'), ...ofUser }),
  z.strictObject({ action: z.literal('restrict'), ...ofUser }),
  z.strictObject({ action: z.literal('promote'), ...ofUser, rights: rights.optional() }),
  z.strictObject({ action: z.literal('demote'), ...ofUser }),
  z.strictObject({
    action: z.literal('add-bot'),
    ...inChat,
    /** The rights that the link of the bot asks for. */
    rights: rights.default([]),
    payload: z.string().max(64).default(''),
  }),
  /** Shares the chat with the bot by one of its buttons below the private chat. */
  z.strictObject({ action: z.literal('share-chat'), ...inChat, button: z.string() }),
  z.strictObject({ action: z.literal('approve'), ...ofUser }),
  z.strictObject({ action: z.literal('decline'), ...ofUser }),
  z.strictObject({
    action: z.literal('create-link'),
    ...inChat,
    name: z.string().max(32).default(''),
    createsJoinRequest: flag.default(false),
  }),
  z.strictObject({ action: z.literal('revoke-link'), ...inChat, link: z.string() }),
  z.strictObject({
    action: z.literal('change-chat'),
    ...inChat,
    title: z.string().min(1).max(128).optional(),
    /** Empty for a private chat. */
    username: z.string().max(32).optional(),
    /** The discussion group of a channel; 0 for none. */
    linkedChatId: chatId.optional(),
    isProtected: flag.optional(),
    joinByRequest: flag.optional(),
    /** Switches topics on or off. */
    isForum: flag.optional(),
    /** Makes this owner or administrator anonymous. */
    isAnonymous: flag.optional(),
  }),
  z.strictObject({ action: z.literal('create-topic'), ...inChat, name: z.string().min(1).max(128) }),
  z.strictObject({ action: z.literal('close-topic'), ...inTopic }),
  z.strictObject({ action: z.literal('reopen-topic'), ...inTopic }),
  z.strictObject({ action: z.literal('delete-topic'), ...inTopic }),
  z.strictObject({ action: z.literal('migrate'), ...inChat }),
  z.strictObject({ action: z.literal('delete-chat'), ...inChat }),
]);

export type Action = z.infer<typeof actionSchema>;
export type ActionNamed<Name extends Action['action']> = Extract<Action, { action: Name }>;

export const newChatSchema = z.strictObject({
  as,
  type: z.enum(['group', 'supergroup', 'channel']),
  title: z.string().min(1).max(128),
  username: z.string().max(32).optional(),
  /** Members from the beginning. No update tells the bot about them. */
  members: z.array(userReference).default([]),
});
export type NewChat = z.infer<typeof newChatSchema>;
