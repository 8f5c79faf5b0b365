import { DAY_MS } from '#schema/constants/time.ts';
import { FREE_TO_PAID_GRACE_MS } from '#schema/constants/money.ts';
import { query } from '../database/database.ts';
import { insertRows } from '../database/insert-rows.ts';
import { createCaller } from '../people/callers.ts';
import type { Random } from '../seeded-random.ts';
import { control, type TestApp } from '../test-app.ts';
import { act, BOT, createChat as createOnTelegram } from './telegram-chats.ts';
import { postUpdate, textUpdate } from './telegram.ts';

export const PEOPLE = 4;
const ACCOUNTS = 3;
export const ALL_RIGHTS = ['can_post_messages', 'can_invite_users', 'can_restrict_members'];

export type Account = ReturnType<typeof createAccount>;
export type Somebody = ReturnType<typeof createPerson>;
export type Presence = ReturnType<typeof createPresence>;
export type Chat = Awaited<ReturnType<typeof createChat>>;
/** One caller with a channel and a group, and the people around them. Times are unix ms. */
export type World = Awaited<ReturnType<typeof createWorld>>;

/** An account on the site, with its access to the history's caller. */
const createAccount = (userId: string) => ({
  userId,
  /** The end of the paid periods, or of the grace after the caller became Paid. The next period begins there. */
  accessUntil: 0,
  /** Follows the caller for free, until the caller becomes Paid. */
  isFollowing: false,
  /** Payments that a fork can still take away, with the start of their periods, the newest last. */
  payments: [] as { id: string; start: number }[],
});

const createPerson = (id: number) => ({
  /** Telegram's id. */
  id,
  /** The account that has connected this person's Telegram. */
  account: null as Account | null,
  hasHadAccess: false,
});

/** A person's state in one chat: the truth, and how much of it Telegram has told the bot. */
export const createPresence = (isInside: boolean) => ({
  isInside,
  isAdmin: false,
  /** The bot was told when the person became an administrator. */
  isPromotionKnown: false,
  /** The bot was told when the person came. It isn't told while it is no administrator. */
  isKnown: false,
  /** The bot was told when the person left, and they haven't come back. */
  isGone: false,
  /** The bot let the person in, or has seen them inside with access. */
  isByUs: 'no' as 'yes' | 'no' | 'maybe',
  joinedAt: 0,
  /** The chat's `paidSince` when the person came. */
  joinedUnder: null as number | null,
  isAsking: false,
  /** The time of an open request that the bot was told of. */
  askedAt: null as number | null,
  /** The chat's `paidSince` at the first check at which the person was inside with their present access. */
  hadAccessUnder: null as number | null,
});

interface NewChat {
  readonly kind: 'channel' | 'group';
  readonly isBasic: boolean;
  readonly ownerId: number;
  /** People who are in the chat before the bot. */
  readonly early: readonly boolean[];
  readonly people: readonly Somebody[];
}

async function createChat({ kind, isBasic, ownerId, early, people }: NewChat) {
  const type = kind === 'group' && !isBasic ? 'supergroup' : kind;
  const members = people.filter((_, index) => early[index]).map(({ id }) => String(id));
  const id = await createOnTelegram({ owner: ownerId, type, members });
  return {
    /** Telegram's id, which changes when a basic group becomes a supergroup. */
    id,
    kind,
    isBasic,
    /** The time when Telegram moved a basic group to its new id. */
    movedAt: 0,
    isPublic: false,
    /** The channel has the caller's group as its discussion group. */
    isDiscussed: false,
    wasDiscussed: false,
    /** The bot's rights. Null: it is no administrator. */
    rights: null as readonly string[] | null,
    isConnected: false,
    /** The time when the caller first confirmed, since the last change to Paid, that the chat is for subscribers. */
    paidSince: null as number | null,
    removesOthers: true,
    presences: early.map(createPresence),
    /** The owner's invite links. */
    links: new Map<string, string>(),
  };
}

interface WorldOptions {
  readonly app: TestApp;
  readonly random: Random;
  /** Worlds in the same database have different numbers. */
  readonly number: number;
}

/** Creates a Paid caller with a channel and a group, in which the bot is an administrator. They aren't connected yet. */
export async function createWorld({ app, random, number }: WorldOptions) {
  const caller = await createCaller(app, `access_caller_${number}`, '0.5');
  // A new caller isn't silent, so no days are added to periods.
  await query('UPDATE callers SET created_at = ? WHERE caller_id = ?', Number.MAX_SAFE_INTEGER, caller.id);
  const userIds = Array.from({ length: ACCOUNTS }, (_, index) => `access_user_${number}_${index}`);
  await insertRows(
    'users',
    userIds.map((id) => ({ id })),
  );
  const [ownerId = 0, ...ids] = await Promise.all(Array.from({ length: PEOPLE + 1 }, newTelegramUser));
  const people = ids.map(createPerson);
  const common = { ownerId, people, early: people.map(() => random.share() < 0.2) };
  const channel = await createChat({ ...common, kind: 'channel', isBasic: false });
  const group = await createChat({ ...common, kind: 'group', isBasic: random.share() < 0.15 });
  const world = {
    app,
    number,
    caller,
    ownerId,
    people,
    channel,
    group,
    chats: [channel, group],
    accounts: userIds.map(createAccount),
    isFree: false,
    /** The time when the caller last went from Free to Paid. */
    chargesSince: 0,
    isSuspended: false,
    calls: [] as string[],
    /** A text of each call and update since the last check. */
    news: [] as string[],
  };
  await connectTelegram(app, { userId: caller.id, personId: ownerId });
  for (const chat of world.chats) await promoteBot(world, chat, ALL_RIGHTS);
  return world;
}

const newTelegramUser = async () => {
  const { id } = await control<{ id: number }>('POST', '/telegram/users', { firstName: 'Model' });
  return id;
};

async function openSession({ clock }: TestApp, userId: string): Promise<string> {
  const hash = `session of ${userId}`;
  await query(
    `INSERT INTO sessions (token_hash, user_id, created_at, expires_at, device_hash) VALUES (?, ?, ?, ?, '')
     ON CONFLICT DO NOTHING`,
    hash,
    userId,
    clock.now(),
    clock.now() + DAY_MS,
  );
  return hash;
}

/** Opens an account's Start link in a person's private chat. */
export async function connectTelegram(
  app: TestApp,
  pair: { userId: string; personId: number },
): Promise<void> {
  const { userId, personId: chatId } = pair;
  const { startUrl } = await app.services.telegramLinks.connect({
    userId,
    sessionId: await openSession(app, userId),
    signedInAt: app.clock.now(),
    telegramHandle: '',
  });
  const text = `/start ${new URL(startUrl).searchParams.get('start') ?? ''}`;
  await postUpdate(app, textUpdate({ chatId, text, username: null }));
}

export async function promoteBot(
  { ownerId }: Pick<World, 'ownerId'>,
  chat: Chat,
  rights: readonly string[],
): Promise<void> {
  // Telegram tells the bot of changes only.
  if (rights.every((right) => has(chat, right)) && chat.rights?.length === rights.length) return;
  const known = chat.kind === 'channel' ? rights : rights.filter((right) => right !== 'can_post_messages');
  await act('promote', ownerId, { chatId: chat.id, user: BOT, rights: known });
  chat.rights = rights;
}

// The rules of access, computed from the world's facts instead of the bot's tables.

export const hasAccess = ({ app }: World, { account }: Somebody): boolean =>
  account !== null && account.accessUntil > app.clock.now();

export const has = ({ rights }: Chat, right: string): boolean => rights?.includes(right) === true;

/** Telegram tells the bot about the chat's members. At the time of a move, the bot doesn't know the new id yet. */
export const isTold = ({ app }: World, { rights, isConnected, movedAt }: Chat): boolean =>
  rights !== null && isConnected && movedAt < app.clock.now();

/** The bot can let people in and remove them. */
export const canRule = (chat: Chat): boolean =>
  chat.isConnected && !chat.isBasic && has(chat, 'can_invite_users') && has(chat, 'can_restrict_members');

/** Since when the chat has been for subscribers only. Null: nobody may be removed. */
export function confirmedSince({ isFree, chargesSince }: World, chat: Chat): number | null {
  const { isConnected, paidSince } = chat;
  return isConnected && !isFree && paidSince !== null && paidSince >= chargesSince ? paidSince : null;
}

/** Calls may be posted in the chat: the caller is Free, or only subscribers can read them. */
export function mayPost(world: World, chat: Chat): boolean {
  const canWrite = chat.rights !== null && (chat.kind === 'group' || has(chat, 'can_post_messages'));
  if (!chat.isConnected || chat.isBasic || !canWrite || world.isSuspended) return false;
  const isOpen = chat.isPublic || (chat.isDiscussed && !mayPost(world, world.group));
  const isForSubscribers = confirmedSince(world, chat) !== null && has(chat, 'can_restrict_members');
  return world.isFree || (isForSubscribers && !isOpen);
}

/** Whether the person came before the chat was for subscribers, and may stay for 30 days without a subscription. */
export function isInGrace(world: World, chat: Chat, presence: Presence): boolean | 'unknown' {
  const { isKnown, joinedAt, joinedUnder } = presence;
  const since = confirmedSince(world, chat);
  if (since === null || world.app.clock.now() >= since + FREE_TO_PAID_GRACE_MS) return false;
  if (!isKnown) return 'unknown';
  if (joinedUnder === since) return false;
  // Telegram's times are in whole seconds.
  return Math.floor(joinedAt / 1_000) < Math.floor(since / 1_000) ? true : 'unknown';
}
