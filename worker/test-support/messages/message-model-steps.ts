import { Keypair } from '@solana/web3.js';
import { sql } from 'drizzle-orm';
import { NOTIFICATION_KINDS } from '#schema/constants/messages.ts';
import { FREE_TO_PAID_GRACE_MS, SUBSCRIPTION_PERIOD_MS } from '#schema/constants/money.ts';
import { formatPrice } from '#schema/rules/prices/format-prices.ts';
import { formatSol } from '#schema/rules/money/lamports.ts';
import { finalizePeriods, revokePeriod } from '../../modules/money/payments/paid-periods.repository.ts';
import { payBackStatements } from '../payments/refunds.ts';
import { createDatabase, runBatch } from '../../shared/database.ts';
import { query } from '../database/database.ts';
import { landPayment } from '../payments/land-payment.ts';
import { setPayout } from '../people/payout.ts';
import { control, testEnv } from '../test-app.ts';
import {
  expectCallEvent,
  expectEnd,
  expectMessages,
  expectTopicProblem,
  hasAccess,
} from './message-model-rules.ts';
import {
  BROWSERS,
  sessionId,
  Violation,
  type Call,
  type Period,
  type Somebody,
  type World,
} from './message-model-world.ts';
import { memberUpdate, textUpdate } from './telegram.ts';

/** `share` is in [0, 1), for further choices. */
type Update = Parameters<World['machine']['services']['handleTelegramUpdate']>[0];
const BOT_ID = Number.parseInt(testEnv.TELEGRAM_BOT_TOKEN, 10);

type Play = (world: World, share: number, person: Somebody) => unknown;

const now = ({ machine }: World) => machine.clock.now();
const pick = <Item>(items: readonly Item[], share: number): Item | undefined =>
  items[Math.floor(share * items.length)];
const openCalls = ({ calls }: World) => calls.filter(({ endedAt }) => endedAt === null);

// The caller's steps. If the product dies in one, only its database knows whether the step was made.

async function open(world: World, share: number): Promise<void> {
  const free = world.tokens.filter(({ mint }) => !openCalls(world).some((call) => call.mint === mint));
  const token = pick(free, share);
  if (token === undefined) return;
  const { mint, symbol } = token;
  const price = world.market.prices.get(mint) ?? 0;
  const [target, stop] = [price * 1.4, price * 0.7];
  const thesis = nextText(world, 'Thesis');
  const levels = { targetPrice: target.toFixed(4), stopPrice: stop.toFixed(4) };
  const body = { tokenSymbol: symbol, tokenName: symbol, tokenMint: mint, logoURI: null, thesis, ...levels };
  const userId = world.caller.id;
  await world.machine.run(({ calls }) =>
    calls.create({ userId, body: { ...body, entryPrice: String(price), callerId: userId } }),
  );
  const [row] = await query<{ id: string; isRanked: 0 | 1 }>(
    'SELECT id, unranked_reason IS NULL AS isRanked FROM calls WHERE caller_id = ? AND thesis = ?',
    userId,
    thesis,
  );
  if (row === undefined) return;
  const call: Call = {
    id: row.id,
    mint,
    symbol,
    thesis,
    price: `$${formatPrice(String(price))}`,
    isRanked: row.isRanked === 1,
    openedAt: now(world),
    target: Number(levels.targetPrice),
    stop: Number(levels.stopPrice),
    updates: [],
    hits: new Set(),
    endedAt: null,
    isEnding: false,
    isEndsSoonTold: false,
    isPaperTold: false,
    isPostGone: false,
    extraPosts: 0,
    isNews: false,
  };
  world.calls.push(call);
  act(world);
  const isDue = () => call.endedAt === null || call.isEnding;
  expectCallEvent(world, { kind: 'call_opened', call, key: `opened ${call.id}`, isDue });
}

function nextText(world: World, what: string): string {
  world.texts += 1;
  return `${what} ${world.number} ${world.texts} x`;
}

function act(world: World): void {
  world.lastAct = now(world);
  world.silentDays = 0;
}

async function update(world: World, share: number): Promise<void> {
  const call = pick(openCalls(world), share);
  if (call === undefined) return;
  const message = nextText(world, 'Update');
  const userId = world.caller.id;
  await world.machine.run(({ callUpdates }) =>
    callUpdates.send({ userId, body: { callId: call.id, message } }),
  );
  const found = await query('SELECT 1 FROM call_updates WHERE message = ?', message);
  if (found.length === 0) return;
  call.updates.push(message);
  act(world);
  expectCallEvent(world, { kind: 'call_update', call, key: `update ${call.id} ${message}` });
}

async function end(world: World, share: number): Promise<void> {
  const call = pick(openCalls(world), share);
  if (call === undefined) return;
  await world.machine.run(({ calls }) => calls.end({ id: call.id, userId: world.caller.id }));
  const found = await query('SELECT 1 FROM calls WHERE id = ? AND ended_at IS NOT NULL', call.id);
  if (found.length === 0) return;
  call.endedAt = now(world);
  act(world);
  expectEnd(world, call);
}

/** The price reaches the target or the stop of a call that was opened before the last change. */
async function movePrice(world: World, share: number): Promise<void> {
  const { mint = '' } = pick(world.tokens, share) ?? {};
  const isRising = (share * 8) % 1 < 0.5;
  const price = Number(((world.market.prices.get(mint) ?? 1) * (isRising ? 1.5 : 0.6)).toFixed(4));
  world.market.prices.set(mint, price);
  world.market.hasMoved = true;
  await control('POST', '/prices', { mint, price });
}

async function charge(world: World): Promise<void> {
  if (!world.isFree) return;
  const at = now(world);
  const userId = world.caller.id;
  await world.machine.services.users.updateCallerProfile({ userId, signedInAt: at, monthlyFee: '0.5' });
  Object.assign(world, { isFree: false, chargesSince: at });
  for (const person of world.people.filter(({ isFollowing }) => isFollowing)) {
    person.periods.push(
      createPeriod({ id: 'grace', start: at, end: at + FREE_TO_PAID_GRACE_MS, isPaid: false, share: 0 }),
    );
    person.isFollowing = false;
  }
}

async function changePayout(world: World): Promise<void> {
  const { id } = world.caller;
  await setPayout(Keypair.generate().publicKey.toBase58(), { at: now(world), where: sql`caller_id = ${id}` });
  expectMessages(world, { key: 'payout', to: world.caller });
}

// The followers' steps.

/** Each payment has another amount, by which messages name it. */
let payments = 0;
type NewPeriod = Pick<Period, 'id' | 'start' | 'end' | 'isPaid' | 'share'>;
const createPeriod = (period: NewPeriod): Period => ({
  ...period,
  version: 0,
  isFinal: false,
  paidBack: 0,
  isRefunded: false,
});

const batch = (statements: Parameters<typeof runBatch>[1]) =>
  runBatch(createDatabase(testEnv.DB), statements);

async function pay(world: World, share: number, person: Somebody): Promise<void> {
  const pair = { userId: person.id, callerId: world.caller.id };
  if (world.isFree) {
    await world.machine.services.subscriptions.subscribeFree(pair);
    person.isFollowing = true;
    return;
  }
  const at = now(world);
  const start = Math.max(at, ...person.periods.map(({ end: ends }) => ends));
  const id = await landPayment({ ...pair, now: at, platformLamports: (payments += 1) });
  const period = createPeriod({
    id,
    start,
    end: start + SUBSCRIPTION_PERIOD_MS,
    isPaid: true,
    share: 9 * payments,
  });
  person.periods.push(period);
  if (share < 0.7) await finalize(world, share, person);
}

async function finalize(world: World, _: number, person: Somebody): Promise<void> {
  const period = person.periods.find(({ isPaid, isFinal }) => isPaid && !isFinal);
  if (period === undefined) return;
  await batch(finalizePeriods([{ paymentId: period.id, slot: 1 }], now(world)));
  period.isFinal = true;
  const isDue = () => person.periods.includes(period);
  expectMessages(
    world,
    {
      key: `payment ${formatSol(BigInt(period.share))}`,
      to: world.caller,
      channels: ['telegram', 'push', 'webhook'],
      switchedBy: 'payment_received',
      isDue,
    },
    { key: `paid ${formatSol((BigInt(period.share) * 10n) / 9n)}`, to: person, isDue },
  );
}

/** A fork takes away the newest payment. */
async function revoke(world: World, _: number, person: Somebody): Promise<void> {
  const period = person.periods.at(-1);
  if (!period?.isPaid || period.isFinal || period.end <= now(world)) return;
  const { id } = period;
  await batch(revokePeriod({ paymentId: id, grantId: id, revocationId: `${id}-revoked`, now: now(world) }));
  person.periods.pop();
  person.hasLostPayment = true;
}

async function refund(world: World, share: number, person: Somebody): Promise<void> {
  const at = now(world);
  const period = person.periods.find(
    ({ isFinal, isRefunded, end: ends }) => isFinal && !isRefunded && ends > at,
  );
  if (period === undefined) return;
  const reference = `refund-${world.number}-${(world.texts += 1)}`;
  const amount = share < 0.6 ? period.share : Math.ceil(period.share / 2);
  const lamports = BigInt(amount);
  await batch(payBackStatements({ paymentId: period.id, reference, lamports, now: at }));
  expectMessages(world, { key: `refund ${formatSol(lamports)}`, to: person });
  period.paidBack += amount;
  if (period.paidBack < period.share) return;
  if (period.start < at) Object.assign(period, { end: at, version: at, isRefunded: true });
  else person.periods.splice(person.periods.indexOf(period), 1);
  closeGap(person, at);
}

/** The periods that haven't started follow each other again. */
function closeGap({ periods }: Somebody, at: number): void {
  const isUpcoming = ({ isPaid, start }: Period) => isPaid && start > at;
  let start = Math.max(at, ...periods.filter((each) => !isUpcoming(each)).map(({ end: ends }) => ends));
  for (const period of periods.filter(isUpcoming)) {
    const length = period.end - period.start;
    if (period.start !== start) Object.assign(period, { start, end: start + length, version: at });
    start += length;
  }
}

async function unfollow(world: World, _: number, person: Somebody): Promise<void> {
  if (!person.isFollowing) return;
  await world.machine.services.subscriptions.unfollow({ userId: person.id, callerId: world.caller.id });
  // A person who follows again starts without a mute.
  Object.assign(person, { isFollowing: false, hasMuted: false });
}

// Connections and settings of people.

async function connectTelegram(world: World, _: number, person: Somebody): Promise<void> {
  const { machine, outside } = world;
  outside.blocked.delete(String(person.telegramId));
  const { telegramLinks } = machine.services;
  const { startUrl } = await telegramLinks.connect({ ...signedIn(machine, person), telegramHandle: '' });
  const text = `/start ${new URL(startUrl).searchParams.get('start') ?? ''}`;
  person.hasTelegram = true;
  expectMessages(world, { key: 'new chat', to: person, channels: ['push'] });
  await post(machine, textUpdate({ chatId: person.telegramId, text, username: null }));
}

const signedIn = ({ clock }: World['machine'], { id }: Somebody) => ({
  userId: id,
  sessionId: sessionId(id, 0),
  signedInAt: clock.now(),
});

/** Posts an update as Telegram does. */
const post = ({ services }: World['machine'], update: object): Promise<unknown> =>
  services.handleTelegramUpdate(update as Parameters<typeof services.handleTelegramUpdate>[0]);

async function disconnectTelegram({ machine }: World, _: number, person: Somebody): Promise<void> {
  await machine.services.telegramLinks.disconnect(person.id);
  person.hasTelegram = false;
}

async function switchBrowser(world: World, share: number, person: Somebody): Promise<void> {
  const { machine, outside } = world;
  const slot = Math.floor(share * BROWSERS);
  const session = { userId: person.id, sessionId: sessionId(person.id, slot) };
  const endpoint = person.browsers[slot];
  if (endpoint != null && (share * 10) % 1 < 0.5) {
    person.browsers[slot] = null;
    await machine.services.push.remove(session);
  } else {
    const subscription = await outside.newBrowser();
    expectMessages(world, { key: 'new browser', to: person, channels: ['telegram'] });
    await machine.services.push.save(session, subscription);
    person.browsers[slot] = subscription.endpoint;
  }
}

/** The browser has unsubscribed. The product learns it from a 410. */
async function loseBrowser({ outside }: World, share: number, person: Somebody): Promise<void> {
  const slot = Math.floor(share * BROWSERS);
  const endpoint = person.browsers[slot];
  if (endpoint == null) return;
  outside.leave(endpoint);
  person.browsers[slot] = null;
}

async function switchProgram(world: World, share: number, person: Somebody): Promise<void> {
  const { machine, outside } = world;
  const { webhooks } = machine.services;
  if (person.program !== null && share < 0.3) {
    outside.leave(person.program);
    person.program = null;
  } else if (person.program !== null && share < 0.6) {
    await machine.services.ways.end({ userId: person.id, id: 'webhook' });
    person.program = null;
  } else {
    const url = outside.newProgram();
    expectMessages(world, { key: 'new webhook', to: person });
    await webhooks.save({ ...signedIn(machine, person), url });
    person.program = url;
  }
}

async function mute({ machine, caller }: World, _: number, person: Somebody): Promise<void> {
  const pair = { userId: person.id, callerId: caller.id };
  const { notificationSettings } = machine.services;
  await (person.hasMuted ? notificationSettings.unmute(pair) : notificationSettings.mute(pair));
  person.hasMuted = !person.hasMuted;
}

async function switchKind({ machine }: World, share: number, person: Somebody): Promise<void> {
  const kind = pick(NOTIFICATION_KINDS, share);
  if (kind === undefined) return;
  const isOn = person.switchedOff.has(kind);
  await machine.services.notificationSettings.change({ userId: person.id, kind, isOn });
  if (isOn) person.switchedOff.delete(kind);
  else person.switchedOff.add(kind);
}

async function followOnPaper({ machine, caller }: World, _: number, person: Somebody): Promise<void> {
  const pair = { userId: person.id, callerId: caller.id };
  const { paperFollows } = machine.services;
  if (person.paperSince === null) await paperFollows.follow({ ...pair, amountUsd: 100 });
  else await paperFollows.unfollow(pair);
  person.paperSince = person.paperSince === null ? machine.clock.now() : null;
}

async function signIn(world: World, _: number, person: Somebody): Promise<void> {
  const { auth } = world.machine.services;
  const browser = { sessionToken: undefined, deviceToken: undefined, userAgent: undefined };
  expectMessages(world, { key: 'device', to: person });
  await auth.finishSignIn({ code: String(person.telegramId), codeVerifier: 'verifier', browser });
}

// The caller's group.

/** Telegram tells the bot only while it's an administrator. */
async function moveInGroup(world: World, _: number, person: Somebody): Promise<void> {
  if (world.group?.isBotAdmin !== true) return;
  Object.assign(person, { isInGroup: !person.isInGroup, isDoubted: false, hasMoved: true });
  await post(
    world.machine,
    memberChange(world, person, person.isInGroup ? ['left', 'member'] : ['member', 'left']),
  );
}

function memberChange(world: World, person: Somebody, [before, after]: readonly [string, string]) {
  const user = { id: person.telegramId, is_bot: false, first_name: 'Tele' };
  const change = {
    chat: { id: Number(world.group?.id), type: 'supergroup', title: 'Alpha' },
    from: after === 'kicked' ? { id: BOT_ID, is_bot: true, first_name: 'Bot' } : user,
    date: Math.floor(now(world) / 1_000),
    old_chat_member: { user, status: before },
    new_chat_member: { user, status: after },
  };
  return { update_id: 1, chat_member: change } as unknown as Update;
}

/** Telegram reports what the bot has done. */
export const removalUpdate = (world: World, person: Somebody): Update =>
  memberChange(world, person, ['member', 'kicked']);

/** The bot loses its rights, or gets them again. */
async function changeBot(world: World): Promise<void> {
  const { group, machine, caller } = world;
  if (group === null || (group.isBotAdmin && group.wasBroken)) return;
  group.isBotAdmin = !group.isBotAdmin;
  group.wasBroken = true;
  group.wasMended ||= group.isBotAdmin;
  const status = group.isBotAdmin ? 'administrator' : 'member';
  const rights = group.isBotAdmin ? ['can_invite_users', 'can_restrict_members'] : [];
  const chat = { chatId: Number(group.id), type: 'supergroup', title: 'Alpha' };
  const update = memberUpdate({
    ...chat,
    status,
    rights,
    fromId: caller.telegramId,
    at: machine.clock.now(),
  });
  if (!group.isBotAdmin) {
    for (const person of world.people) person.isDoubted = person.isInGroup;
    expectMessages(world, { key: 'problem', to: caller, isDue: () => !group.isBotAdmin });
  }
  await post(machine, update);
}

const groupUpdate = (world: World, message: object) => ({
  update_id: 1,
  message: {
    message_id: 1,
    date: Math.floor(now(world) / 1_000),
    from: { id: world.caller.telegramId, is_bot: false, first_name: 'Tele' },
    chat: { id: Number(world.group?.id), type: 'supergroup', title: 'Alpha' },
    ...message,
  },
});

const inTopic = (topicId: number | null) => ({ message_thread_id: topicId, is_topic_message: true });

/** The topic is closed, or reopened. */
async function closeTopic(world: World): Promise<void> {
  const { group, machine } = world;
  if (group?.isBotAdmin !== true || group.topicId === null) return;
  group.isTopicClosed = !group.isTopicClosed;
  group.wasBroken = true;
  if (group.isTopicClosed) return expectTopicProblem(world);
  group.wasMended = true;
  await post(machine, groupUpdate(world, { ...inTopic(group.topicId), forum_topic_reopened: {} }));
}

/** The topic is deleted, and the caller chooses a new one. */
async function chooseTopic(world: World): Promise<void> {
  const { group, machine, caller } = world;
  if (group?.isBotAdmin !== true || group.topicId === null || !caller.hasTelegram) return;
  group.topicId += 1;
  group.isTopicClosed = false;
  Object.assign(group, { wasBroken: true, wasMended: true });
  for (const call of world.calls) if (group.posts.size > 0) call.isPostGone = true;
  group.posts.clear();
  const entities = [{ type: 'bot_command', offset: 0, length: 8 }];
  await post(machine, groupUpdate(world, { ...inTopic(group.topicId), text: '/connect', entities }));
}

/** The group gets another id, perhaps while messages wait for it. */
async function migrate(world: World): Promise<void> {
  const { group, machine, outside } = world;
  if (group === null) return;
  const from = group.id;
  const message = { migrate_to_chat_id: Number(`${from}0`) };
  const update = groupUpdate(world, message);
  group.id = `${from}0`;
  outside.groups.delete(from);
  outside.groups.set(group.id, group);
  outside.migrated.set(from, group.id);
  await post(machine, update);
}

/** Somebody revokes the link for subscribers, which Telegram doesn't report. */
async function revokeLink(world: World): Promise<void> {
  if (world.group === null) return;
  world.group.link = 'revoked';
  world.group.revokedAt = now(world);
}

/** A person with access asks to join, and Telegram may refuse to let them in for a while. */
async function ask(world: World, _: number, person: Somebody): Promise<void> {
  const { group, machine } = world;
  const isWelcome = person.hasTelegram && hasAccess(world, person, now(world));
  if (group?.isBotAdmin !== true || person.isInGroup || !isWelcome) return;
  const user = { id: person.telegramId, is_bot: false, first_name: 'Tele' };
  const chat = { id: Number(group.id), type: 'supergroup', title: 'Alpha' };
  const asked = { chat, from: user, user_chat_id: user.id, date: Math.floor(now(world) / 1_000) };
  Object.assign(person, { askedAt: now(world), refusedUntil: 0, hasMoved: true });
  await post(machine, { update_id: 1, chat_join_request: asked });
  await machine.letIn();
  if (person.askedAt !== null) throw new Violation(`${person.id} still waits to join`);
}

async function deletePost({ group, calls }: World, share: number): Promise<void> {
  const call = pick(
    calls.filter(({ endedAt }) => endedAt === null),
    share,
  );
  const posts = [...(group?.posts ?? [])].filter(([, text]) => call && text.includes(call.id));
  if (call === undefined || posts.length === 0) return;
  for (const [id] of posts) group?.posts.delete(id);
  call.isPostGone = true;
}

async function block({ outside }: World, _: number, person: Somebody): Promise<void> {
  outside.blocked.add(String(person.telegramId));
  person.hasTelegram = false;
}

const groupSteps = { changeBot, deletePost, closeTopic, chooseTopic, migrate, revokeLink };
const callersSteps = { open, update, end, movePrice, charge, changePayout, ...groupSteps };
const followersSteps = { pay, finalize, revoke, refund, unfollow, mute, followOnPaper, moveInGroup, ask };
const everybodysSteps = {
  connectTelegram,
  disconnectTelegram,
  block,
  switchBrowser,
  loseBrowser,
  switchProgram,
  switchKind,
  signIn,
};

/** Each step does nothing where it's impossible. */
export const STEPS = {
  ...callersSteps,
  ...followersSteps,
  ...everybodysSteps,
} as const satisfies Readonly<Record<string, Play>>;

export const isForFollowers = (name: StepName): boolean => name in followersSteps;

export type StepName = keyof typeof STEPS;

/** Steps in which the product may die: their outcome is read afterwards. */
export const MAY_DIE: ReadonlySet<StepName> = new Set(['open', 'update', 'end']);

const OFTEN: Partial<Record<StepName, number>> = {
  open: 8,
  update: 12,
  end: 6,
  pay: 5,
  connectTelegram: 3,
  switchBrowser: 3,
  switchProgram: 2,
  movePrice: 2,
  charge: 4,
  refund: 2,
  moveInGroup: 2,
  ask: 3,
  closeTopic: 2,
  followOnPaper: 2,
};

export const NAMES = (Object.keys(STEPS) as StepName[]).flatMap((name) =>
  Array.from({ length: OFTEN[name] ?? 1 }, () => name),
);
