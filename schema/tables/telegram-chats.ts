import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { CHAT_PROBLEMS, TOPIC_PROBLEMS } from '#schema/constants/messages.ts';
import { callReference } from './calls.ts';
import { flag, isSet, timestamp } from './columns.ts';
import { erase, table, withhold } from './table.ts';
import { accountReference } from './users.ts';

/** Channels and groups on Telegram that callers have connected: at most one of each kind per caller. */
export const telegramChats = table(
  'telegram_chats',
  {
    /** Telegram's id. It changes when a group becomes a supergroup. */
    chatId: erase(text('chat_id').primaryKey()),
    callerId: erase(accountReference('caller_id')),
    kind: erase(text('kind', { enum: ['channel', 'group'] }).notNull()),
    title: erase(text('title').notNull()),
    /** The discussion group of a channel, or the channel of a discussion group. */
    linkedChatId: erase(text('linked_chat_id')),
    problem: erase(text('problem', { enum: CHAT_PROBLEMS })),
    /** The topic of a group in which calls are posted. Null: General, or a chat without topics. */
    topicId: erase(integer('topic_id')),
    topicName: erase(text('topic_name')),
    /** Only Telegram's response to a message shows it, so it stays until the topic is reopened or chosen again. */
    topicProblem: erase(text('topic_problem', { enum: TOPIC_PROBLEMS })),
    /** Time since when the caller has wanted access to be for subscribers only. Null in a Free caller's chat. */
    paidSince: erase(timestamp('paid_since')),
    /** People who came in without us are removed from a Paid caller's chat. */
    removesOthers: erase(flag('removes_others').notNull().default(true)),
    postsRecap: erase(flag('posts_recap').notNull().default(false)),
    /** The Monday of the last weekly recap; 0 before the first. */
    recapAt: erase(timestamp('recap_at').notNull().default(0)),
    /** The number of members at the last check. */
    members: erase(integer('members')),
    /** The bot's link by which people ask to join. Null until the bot could create it. */
    joinLink: erase(text('join_link')),
    /** When Telegram last confirmed the link. */
    linkCheckedAt: erase(timestamp('link_checked_at').notNull().default(0)),
    /** The id of the basic group that became this supergroup. */
    migratedFrom: erase(text('migrated_from')),
    /** After a change of the rules or of the bot's rights, members with ids up to this one have been made due. Null: all have. */
    recheckAfter: withhold(text('recheck_after')),
    /** When members were last made due so. The chat that has waited longest comes first. */
    recheckedAt: withhold(timestamp('rechecked_at').notNull().default(0)),
    /** Members last seen before this time may have left while the bot had lost its rights, so that nobody told it. */
    doubtedBefore: erase(timestamp('doubted_before').notNull().default(0)),
    checkedAt: erase(timestamp('checked_at').notNull()),
    connectedAt: erase(timestamp('connected_at').notNull().default(0)),
    /** The session that had connected the private chat in which the caller has chosen this one. */
    sessionHash: withhold(text('session_hash')),
  },
  { of: 'callerId' },
  (table) => [
    uniqueIndex('telegram_chats_one_per_kind').on(table.callerId, table.kind),
    index('telegram_chats_recheck').on(table.recheckedAt, table.chatId).where(isSet(table.recheckAfter)),
    index('telegram_chats_check').on(table.checkedAt, table.chatId),
  ],
);

/** The one message of a call in a chat, which is edited when the call changes. */
export const chatPosts = table(
  'chat_posts',
  {
    callId: erase(callReference('call_id')),
    chatId: erase(text('chat_id').notNull()),
    /** Telegram's id of the message. Null once somebody has deleted it: it isn't posted again. */
    messageId: erase(integer('message_id')),
    /** The discussion group of the channel when the call was posted: Telegram copied the message there. */
    copiedTo: erase(text('copied_to')),
  },
  { of: 'callId', erasedByHand: true },
  (table) => [
    primaryKey({ columns: [table.callId, table.chatId] }),
    index('chat_posts_chat').on(table.chatId),
  ],
);

/**
 * Events of calls that a chat's members were told of in a reply, so that each is told once. Without a message, they were told
 * by the call's own message, or in private. There are at most two rows for each row of `call_events`, and they are kept as long:
 * the counts of deliveries read them, and a hidden text is edited out of its reply.
 */
export const chatReplies = table(
  'chat_replies',
  {
    chatId: erase(
      text('chat_id')
        .notNull()
        .references(() => telegramChats.chatId, { onDelete: 'cascade', onUpdate: 'cascade' }),
    ),
    /** The id of a row of `call_events`. */
    eventId: erase(text('event_id').notNull()),
    messageId: erase(integer('message_id')),
  },
  { of: 'chatId' },
  (table) => [primaryKey({ columns: [table.chatId, table.eventId] })],
);

/**
 * People in a connected chat, as far as Telegram told us, and those who ask to come in. A row is deleted with the chat,
 * or when the person leaves the chat.
 */
export const chatMembers = table(
  'chat_members',
  {
    chatId: erase(
      text('chat_id')
        .notNull()
        .references(() => telegramChats.chatId, { onDelete: 'cascade', onUpdate: 'cascade' }),
    ),
    /** Telegram's id of the person, which is also the id of their private chat. */
    personId: erase(text('person_id').notNull()),
    name: erase(text('name').notNull()),
    /** The private chat in which the bot may write to somebody who asks to come in, for five minutes and without Start. */
    contactId: erase(text('contact_id')),
    status: erase(text('status', { enum: ['asking', 'in', 'admin'] }).notNull()),
    /** True if the bot let the person in, or found that they have access. Others came by a plain link or through an administrator. */
    isByUs: erase(flag('is_by_us').notNull().default(false)),
    /** When the person joined, or asked to, by Telegram's clock. */
    since: erase(timestamp('since').notNull()),
    /** When Telegram last said that the person is there or asks. 0: never. */
    seenAt: erase(timestamp('seen_at').notNull().default(0)),
    /**
     * When to check again whether the person may be here. Null: not before something changes. 1 and less mean at once; below
     * 1 comes after all others, the lowest first.
     */
    checkAt: erase(timestamp('check_at')),
  },
  { of: 'personId', erasedByHand: true },
  (table) => [
    primaryKey({ columns: [table.chatId, table.personId] }),
    index('chat_members_person').on(table.personId),
    index('chat_members_due').on(table.checkAt).where(isSet(table.checkAt)),
    index('chat_members_others')
      .on(table.chatId, table.since, table.personId)
      .where(sql`is_by_us = 0 AND status <> 'asking'`),
  ],
);
