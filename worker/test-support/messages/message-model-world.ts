import { tokens, UNLISTED_MINT } from '#dev/stand-ins/market/tokens.ts';
import type { NotificationKind } from '#schema/contracts/notifications.ts';
import { query } from '../database/database.ts';
import { insertRows } from '../database/insert-rows.ts';
import { addDerivedRows } from '../derived-rows.ts';
import type { Channel } from '../../ports/outbox.ts';
import type { Random } from '../seeded-random.ts';
import { control } from '../test-app.ts';
import type { Machine } from './message-model-machine.ts';
import type { Group, Outside } from './message-model-outside.ts';

/** The product broke a rule. */
export class Violation extends Error {
  override name = 'Violation';
}

const FOLLOWERS = 3;
export const BROWSERS = 2;
const TOKENS_EACH = 3;
/** Tokens whose calls are ranked. */
const CALLED = tokens.filter(
  ({ isReal, volatility, mint, symbol }) =>
    isReal && volatility > 0.4 && mint !== UNLISTED_MINT && /^\w{3,}$/.test(symbol),
);

/** The market's prices in USD. */
export interface Market {
  readonly prices: Map<string, number>;
  /** A price has changed in this round. */
  hasMoved: boolean;
}

export async function createMarket(): Promise<Market> {
  const prices = new Map(CALLED.map(({ mint }, index) => [mint, 3 + index * 1.0371]));
  for (const [mint, price] of prices) await control('POST', '/prices', { mint, price });
  return { prices, hasMoved: false };
}

/** A period of access. Times are unix ms; `end` includes silent days. */
export interface Period {
  readonly id: string;
  readonly isPaid: boolean;
  start: number;
  end: number;
  /** Changes when a refund or a fork moves the period. A reminder belongs to one of these. */
  version: number;
  isFinal: boolean;
  /** Paid back by the caller, in lamports. */
  paidBack: number;
  isRefunded: boolean;
  readonly share: number;
}

export type Somebody = ReturnType<typeof createPerson>;

const createPerson = (id: string, telegramId: number) => ({
  id,
  /** The person's id and private chat on Telegram. */
  telegramId,
  hasTelegram: false,
  /** The endpoints of the browsers that get notifications. */
  browsers: Array.from({ length: BROWSERS }, (): string | null => null),
  program: null as string | null,
  hasMuted: false,
  switchedOff: new Set<NotificationKind>(),
  paperSince: null as number | null,
  isInGroup: false,
  /** The person came or left in this round. */
  hasMoved: false,
  /** When the person asked to join, and until when Telegram refuses to let them in. */
  askedAt: null as number | null,
  refusedUntil: 0,
  /** The bot lost its rights meanwhile, so it doesn't know whether the person is still in the group. */
  isDoubted: false,
  /** Follows a Free caller. */
  isFollowing: false,
  /** Oldest first. */
  periods: [] as Period[],
  /** The reminders that were due, as `{period} {version} {stage}`. */
  reminded: new Set<string>(),
  hasLostPayment: false,
});

export interface Call {
  readonly id: string;
  readonly mint: string;
  readonly symbol: string;
  readonly thesis: string;
  /** The price at the entry, as messages show it. */
  readonly price: string;
  readonly isRanked: boolean;
  readonly openedAt: number;
  readonly target: number;
  readonly stop: number;
  readonly updates: string[];
  readonly hits: Set<string>;
  endedAt: number | null;
  /** The cron was to end it in this round. */
  isEnding: boolean;
  isEndsSoonTold: boolean;
  isPaperTold: boolean;
  /** Its message in the group was deleted. */
  isPostGone: boolean;
  /** Messages in the group about which the bot may not know. */
  extraPosts: number;
  /** Something happened to it in this round. */
  isNews: boolean;
}

/** Groups are compared by their posts. */
export type PeopleChannel = Exclude<Channel, 'chat'>;

/** Something that a person must be told. */
export interface Fact {
  /** The message, as `keyOf` reads it. */
  readonly key: string;
  readonly to: Somebody;
  readonly channels?: readonly PeopleChannel[];
  /** The switch that turns it off. */
  readonly switchedBy?: NotificationKind;
  /** Somebody who mutes the caller doesn't get it. */
  readonly isMutable?: boolean;
  /** Conditions when it's sent. */
  readonly isDue?: (at: number) => boolean;
  /** Conditions when the recipients are listed. */
  readonly isListed?: (channel: PeopleChannel) => boolean;
  /** True where the product may know less than the model. */
  readonly mayBeListed?: (channel: PeopleChannel) => boolean;
  /** Events of a call keep their order. */
  readonly order?: { readonly call: Call; readonly place: number };
}

export interface Expectation extends Fact {
  readonly channel: PeopleChannel;
  /** How often it has happened since the last check. */
  times: number;
  /** All conditions have been fulfilled since it happened. */
  isOwed: boolean;
  /** The same, wherever the person is told. */
  isOwedSomewhere: boolean;
  wasListed: boolean;
  /** It waits for another attempt, so later messages may arrive before it. */
  hasFailed: boolean;
  /** The addresses that have been connected all the time. */
  addresses: readonly string[];
  /** By address. `uncertain`: the sender can't know that these have arrived. */
  readonly arrivals: Map<string, { count: number; uncertain: number; at: number }>;
}

/** A caller, people around them, and what each must get. */
export type World = Awaited<ReturnType<typeof createWorld>>;

interface OwnGroup {
  id: string;
  wasBroken: boolean;
  /** It gets posts again in this round. */
  wasMended: boolean;
  revokedAt: number;
  /** The posts and edits of this round. */
  arrivals: GroupArrival[];
  /** The events of this round that the members must be told of, once. */
  events: { readonly key: string; readonly call: Call; readonly at: number }[];
}

interface GroupArrival {
  readonly call: Call;
  /** The event that a reply tells. Null for the call's own message, which tells all that has happened before. */
  readonly key: string | null;
  readonly isEdit: boolean;
  readonly at: number;
  isUncertain: boolean;
}

interface WorldOptions {
  readonly machine: Machine;
  readonly outside: Outside;
  readonly market: Market;
  readonly random: Random;
  /** Worlds in the same database have different numbers. */
  readonly number: number;
}

export async function createWorld({ machine, outside, market, random, number }: WorldOptions) {
  const caller = createPerson(`caller-${number}`, 1_000 + number);
  const people = Array.from({ length: FOLLOWERS }, (_, index) =>
    createPerson(`person-${number}-${index}`, 10_000 + number * 100 + index),
  );
  const all = [caller, ...people];
  const now = machine.clock.now();
  const isFree = random.share() < 0.3;
  await insertRows(
    'users',
    all.map(({ id, telegramId }) => ({
      id,
      x_user_id: String(telegramId),
      twitter_handle: `x_${telegramId}`,
    })),
  );
  await insertRows('callers', [
    { caller_id: caller.id, fee_lamports: isFree ? 0 : 500_000_000, created_at: now },
  ]);
  const hasGroup = random.share() < 0.5;
  const group: Group & OwnGroup = {
    id: String(-100_000 - number),
    isBotAdmin: true,
    topicId: number % 2 === 0 ? 5 : null,
    isTopicClosed: false,
    link: '',
    wasMended: false,
    revokedAt: Infinity,
    posts: new Map(),
    wasBroken: false,
    arrivals: [],
    events: [],
  };
  if (hasGroup) {
    outside.groups.set(group.id, group);
    // A caller who charges a fee later has confirmed the group already.
    const paid = { paid_since: isFree ? Number.MAX_SAFE_INTEGER : now, checked_at: now };
    const topic = { topic_id: group.topicId, topic_name: group.topicId && 'Calls' };
    await insertRows('telegram_chats', [
      { chat_id: group.id, caller_id: caller.id, kind: 'group', ...topic, ...paid },
    ]);
  }
  return {
    machine,
    outside,
    random,
    number,
    caller,
    people,
    all,
    isFree,
    group: hasGroup ? group : null,
    market,
    tokens: Array.from({ length: TOKENS_EACH }, () => random.pick(CALLED)),
    createdAt: now,
    chargesSince: 0,
    lastAct: now,
    /** The last midnight that was considered, and the silent days in a row until then. */
    midnight: now,
    silentDays: 0,
    calls: [] as Call[],
    /** People whom the bot has removed from the group, which Telegram hasn't reported yet. */
    removed: [] as Somebody[],
    expectations: [] as Expectation[],
    /** The history, for the report of a violation. */
    trace: [] as string[],
    texts: 0,
  };
}

/** Writes the rows that follow from the inserted ones, and gives all people sessions for their browsers. */
export async function finishWorlds(worlds: readonly World[]): Promise<void> {
  await addDerivedRows();
  const sessions = worlds.flatMap(({ all }) =>
    all.flatMap(({ id }) => Array.from({ length: BROWSERS }, (_, slot) => [sessionId(id, slot), id])),
  );
  await query(
    `INSERT INTO sessions (token_hash, user_id, created_at, expires_at, device_hash)
     SELECT value ->> 0, value ->> 1, 1, ?, '' FROM json_each(?)`,
    Number.MAX_SAFE_INTEGER,
    JSON.stringify(sessions),
  );
}

export const sessionId = (userId: string, slot: number) => `session-${userId}-${slot}`;
