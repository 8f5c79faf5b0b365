import { FREE_TO_PAID_GRACE_MS, SUBSCRIPTION_PERIOD_MS } from '#schema/constants/money.ts';
import { DAY_MS } from '#schema/constants/time.ts';
import { revokePeriod } from '../../modules/money/payments/paid-periods.repository.ts';
import { createDatabase, runBatch } from '../../shared/database.ts';
import { query } from '../database/database.ts';
import { landPayment } from '../payments/land-payment.ts';
import { makeCall, MINTS } from '../people/callers.ts';
import { testEnv } from '../test-app.ts';
import {
  ALL_RIGHTS,
  connectTelegram,
  createPresence,
  confirmedSince,
  has,
  isTold,
  promoteBot,
  type Account,
  type Chat,
  type Presence,
  type Somebody,
  type World,
} from './access-model-world.ts';
import { act, BOT } from './telegram-chats.ts';
import { postUpdate, pressUpdate, takeReply, textUpdate } from './telegram.ts';

interface Scene {
  readonly world: World;
  readonly chat: Chat;
  readonly person: Somebody;
  readonly presence: Presence;
  /** In [0, 1), for further choices. */
  readonly share: number;
}

type Play = (scene: Scene) => Promise<unknown> | undefined;

const CALLED = [MINTS.BONK, MINTS.WIF, MINTS.JUP];
const now = ({ app }: World) => app.clock.now();
const pick = <Item>(items: readonly Item[], share: number): Item | undefined =>
  items[Math.floor(share * items.length)];

/** Does something as a user of Telegram. Returns null if the app refuses it, for example to join twice. */
const tryTo = (action: string, as: number, details: object) =>
  act<{ chatId?: number; status?: string }>(action, as, details).catch(() => null);

/** The chat's owner does something with the person. */
const byOwner =
  (action: string, details: object = {}): Play =>
  ({ world, chat, person }) =>
    tryTo(action, world.ownerId, { chatId: chat.id, user: String(person.id), ...details });

/** A step with the person's account, or any without one. */
const withAccount =
  (play: (world: World, account: Account, share: number) => Promise<unknown>): Play =>
  ({ world, person, share }) => {
    const account = person.account ?? pick(world.accounts, share);
    return account && play(world, account, share);
  };

async function pay(world: World, account: Account): Promise<void> {
  if (world.isFree) return;
  const { userId } = account;
  const id = await landPayment({ userId, callerId: world.caller.id, now: now(world) });
  const start = Math.max(now(world), account.accessUntil);
  account.accessUntil = start + SUBSCRIPTION_PERIOD_MS;
  account.payments.push({ id, start });
}

/** A fork removes the newest payment. */
async function revoke(world: World, account: Account): Promise<void> {
  const payment = account.payments.pop();
  if (payment === undefined || account.accessUntil <= now(world)) return;
  const { id, start } = payment;
  const revocation = { paymentId: id, grantId: id, revocationId: `${id}-revoked`, now: now(world) };
  await runBatch(createDatabase(testEnv.DB), revokePeriod(revocation));
  account.accessUntil = Math.max(start, now(world));
}

async function setFee(world: World, monthlyFee: string | null): Promise<void> {
  const isFree = monthlyFee === null;
  if (isFree === world.isFree) return;
  const at = now(world);
  await world.app.services.users.updateCallerProfile({ userId: world.caller.id, signedInAt: at, monthlyFee });
  world.isFree = isFree;
  if (!isFree) world.chargesSince = at;
  for (const account of world.accounts) {
    const graceEnd = account.isFollowing ? at + FREE_TO_PAID_GRACE_MS : 0;
    if (!isFree) account.accessUntil = Math.max(account.accessUntil, graceEnd);
    account.isFollowing = isFree && account.accessUntil > at;
    account.payments = [];
  }
}

async function follow({ app, caller, isFree }: World, account: Account): Promise<void> {
  if (!isFree) return;
  const pair = { userId: account.userId, callerId: caller.id };
  if (await isDone(app.services.subscriptions.subscribeFree(pair))) account.isFollowing = true;
}

async function connectAccount({ world, person, share }: Scene): Promise<void> {
  const account = pick(world.accounts, share);
  if (person.account !== null || account === undefined) return;
  await connectTelegram(world.app, { userId: account.userId, personId: person.id });
  for (const other of world.people) if (other.account === account) other.account = null;
  person.account = account;
}

async function disconnectAccount({ world, person, share }: Scene): Promise<void> {
  if (person.account === null) return;
  if (share < 0.5) await world.app.services.telegramLinks.disconnect(person.account.userId);
  else await postUpdate(world.app, textUpdate({ chatId: person.id, text: '/stop', username: null }));
  person.account = null;
}

async function deleteAccount({ world, person: { account } }: Scene): Promise<void> {
  if (account === null) return;
  await world.app.services.accountDeletion.start({ userId: account.userId });
  world.accounts.splice(world.accounts.indexOf(account), 1);
  for (const person of world.people) if (person.account === account) person.account = null;
}

async function joinByLink({ world, chat, person }: Scene, createsJoinRequest: boolean) {
  const key = `${chat.id} ${createsJoinRequest}`;
  if (!chat.links.has(key)) {
    const link = { chatId: chat.id, createsJoinRequest };
    chat.links.set(key, (await act<{ url: string }>('create-link', world.ownerId, link)).url);
  }
  return tryTo('join', person.id, { link: chat.links.get(key) });
}

async function ask(scene: Scene): Promise<void> {
  const { world, chat, presence } = scene;
  const isAsking = (await joinByLink(scene, true)) !== null;
  const isNoted = isTold(world, chat) && has(chat, 'can_invite_users');
  // Telegram ignores a second request.
  if (isAsking && isNoted && !presence.isAsking) presence.askedAt = now(world);
}

async function connectChat({ app, caller, ownerId, ...world }: World, chat: Chat): Promise<void> {
  if (chat.isConnected) return;
  await takeReply(app, pressUpdate({ chatId: ownerId, action: `chat:yes:${chat.id}` }));
  const { chats } = await app.services.telegramChats.read(caller.id);
  chat.isConnected = chats.some(({ id }) => id === String(chat.id));
  if (chat.isConnected) {
    Object.assign(chat, { removesOthers: true, paidSince: world.isFree ? null : app.clock.now() });
  }
}

/** The site refuses changes of a group that Telegram has just moved. */
const isDone = (request: Promise<unknown>) =>
  request.then(
    () => true,
    () => false,
  );

/** The bot forgets the members. */
async function disconnectChat({ app, caller }: World, chat: Chat): Promise<void> {
  const own = { userId: caller.id, chatId: String(chat.id) };
  if (!chat.isConnected || !(await isDone(app.services.telegramChats.disconnect(own)))) return;
  chat.isConnected = false;
  chat.presences = chat.presences.map(({ isInside, isAdmin, isAsking }) => ({
    ...createPresence(isInside),
    isAdmin,
    isAsking,
  }));
}

async function changeChat({ app, caller }: World, chat: Chat, changes: object): Promise<boolean> {
  const change = { userId: caller.id, chatId: String(chat.id), ...changes };
  return chat.isConnected && isDone(app.services.telegramChats.change(change));
}

async function confirm(world: World, chat: Chat): Promise<void> {
  if (world.isFree) return;
  const isNeeded = confirmedSince(world, chat) === null;
  const isDone = await changeChat(world, chat, { confirmsPaid: true });
  if (isDone && isNeeded) chat.paidSince = now(world);
}

async function setPublic({ ownerId, number }: World, chat: Chat, isPublic: boolean): Promise<void> {
  const username = isPublic ? `model_${number}_${chat.id}`.replace('-', '') : '';
  if (await tryTo('change-chat', ownerId, { chatId: chat.id, username })) chat.isPublic = isPublic;
}

async function setDiscussion({ ownerId, channel, group }: World, isDiscussed: boolean): Promise<void> {
  const link = { chatId: channel.id, linkedChatId: isDiscussed ? group.id : 0 };
  if ((await tryTo('change-chat', ownerId, link)) === null) return;
  channel.isDiscussed = isDiscussed;
  channel.wasDiscussed ||= isDiscussed;
}

/** A bot that isn't in a basic group is never told of its new id. */
async function migrate({ ownerId, app }: World, chat: Chat): Promise<void> {
  if (!chat.isBasic || chat.rights === null) return;
  const { chatId } = (await tryTo('migrate', ownerId, { chatId: chat.id })) ?? {};
  if (chatId !== undefined) Object.assign(chat, { id: chatId, isBasic: false, movedAt: app.clock.now() });
}

async function call(world: World, share: number): Promise<void> {
  const { caller, calls, news, isSuspended } = world;
  if (isSuspended) return;
  const callId = pick(calls, share);
  const mint = CALLED[calls.length];
  if (mint !== undefined && (callId === undefined || share < 0.5)) {
    calls.push((await makeCall({ caller, mint, price: 1 })).id);
    news.push(mint);
  } else if (callId !== undefined) {
    const message = `Update ${Math.floor(share * 1e9)}`;
    const { ok } = await caller.post('/api/telegram/send-update', { callId, message });
    if (ok) news.push(message);
  }
}

/** Solves all problems of a chat, so that the rules hold there. The channel often keeps its discussion group. */
async function mend({ world, chat, share }: Scene): Promise<void> {
  await promoteBot(world, chat, ALL_RIGHTS);
  if (chat.isPublic) await setPublic(world, chat, false);
  if (world.channel.isDiscussed && share < 0.15) await setDiscussion(world, false);
  await migrate(world, chat);
  await setFee(world, '0.5');
  await connectChat(world, chat);
  if ((chat.paidSince ?? 0) < world.chargesSince) await confirm(world, chat);
}

/** Each step does nothing where it's impossible. */
export const STEPS = {
  pay: withAccount(pay),
  follow: withAccount(follow),
  revoke: withAccount(revoke),
  ask,
  plainLink: (scene) => joinByLink(scene, false),
  joinPublic: ({ chat, person }) => tryTo('join', person.id, { chatId: chat.id }),
  add: byOwner('add'),
  approve: byOwner('approve'),
  decline: byOwner('decline'),
  leave: ({ chat, person }) => tryTo('leave', person.id, { chatId: chat.id }),
  promote: (scene) => (scene.presence.isInside ? byOwner('promote', { rights: [] })(scene) : undefined),
  demote: (scene) => (scene.presence.isAdmin ? byOwner('demote')(scene) : undefined),
  rights: ({ world, chat, share }) => {
    const rights = [[], ['can_invite_users'], ['can_restrict_members'], ALL_RIGHTS];
    return chat.rights === null ? undefined : promoteBot(world, chat, pick(rights, share) ?? []);
  },
  allRights: ({ world, chat }) => promoteBot(world, chat, ALL_RIGHTS),
  removeBot: async ({ world, chat }) => {
    await tryTo('remove', world.ownerId, { chatId: chat.id, user: BOT });
    chat.rights = null;
  },
  makePublic: ({ world, chat }) => setPublic(world, chat, true),
  makePrivate: ({ world, chat }) => setPublic(world, chat, false),
  discuss: ({ world, share }) => setDiscussion(world, share < 0.8),
  migrate: ({ world, chat }) => migrate(world, chat),
  connectChat: ({ world, chat }) => connectChat(world, chat),
  disconnectChat: ({ world, chat }) => disconnectChat(world, chat),
  connectAccount,
  disconnectAccount,
  deleteAccount,
  free: ({ world }) => setFee(world, null),
  paid: ({ world }) => setFee(world, '0.5'),
  confirm: ({ world, chat }) => confirm(world, chat),
  suspend: async ({ world, share }) => {
    world.isSuspended = share < 0.5;
    await query('UPDATE users SET is_suspended = ? WHERE id = ?', Number(world.isSuspended), world.caller.id);
  },
  removeOthers: async ({ world, chat, share }) => {
    const removesOthers = share < 0.5;
    if (await changeChat(world, chat, { removesOthers })) chat.removesOthers = removesOthers;
  },
  call: ({ world, share }) => call(world, share),
  mend,
} as const satisfies Readonly<Record<string, Play>>;

export type StepName = keyof typeof STEPS;

/** Steps by which the person comes or leaves. Otherwise, only the bot moves people. */
export const MOVES: ReadonlySet<StepName> = new Set(['plainLink', 'joinPublic', 'add', 'approve', 'leave']);

/** Steps after which somebody may have come, left, asked to join or got another role. */
export const CHANGES_MEMBERS: ReadonlySet<StepName> = new Set([
  ...MOVES,
  'ask',
  'decline',
  'promote',
  'demote',
  'connectAccount',
  'migrate',
  'mend',
]);

/** Steps that are picked more often than others. */
export const OFTEN: readonly StepName[] = [
  ...Array.from({ length: 5 }, () => ['ask', 'pay', 'mend'] as const).flat(),
  ...Array.from(
    { length: 2 },
    () => ['plainLink', 'leave', 'connectAccount', 'removeOthers'] as const,
  ).flat(),
  ...Array.from({ length: 4 }, () => ['call', 'discuss'] as const).flat(),
  ...(['revoke', 'disconnectAccount', 'confirm', 'add', 'allRights', 'demote'] as const),
];

/** Jumps of the clock between rounds. */
export const JUMPS = [0, 0, 0, DAY_MS / 12, DAY_MS + DAY_MS / 24, 9 * DAY_MS, 31 * DAY_MS];
