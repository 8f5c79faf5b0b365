import {
  DAY_MS,
  FREE_TO_PAID_GRACE_MS,
  HOUR_MS,
  MINUTE_MS,
  SUBSCRIPTION_PERIOD_MS,
} from '#schema/constants.ts';
import { query } from '../database/database.ts';
import { createCaller } from '../people/callers.ts';
import { createRandom, type Random } from '../seeded-random.ts';
import { control, testEnv, type Person, type TestApp } from '../test-app.ts';
import { act, bot, takeUpdates, type Update } from './telegram-chats.ts';
import { postUpdate } from './telegram.ts';

const BOT_ID = String(Number.parseInt(testEnv.TELEGRAM_BOT_TOKEN, 10));
const ALL_RIGHTS = ['can_post_messages', 'can_invite_users', 'can_restrict_members'];
const TICKS = 2;

/** A person on Telegram, and the account on the site that has connected their Telegram. */
interface Somebody {
  readonly id: number;
  isIn: boolean;
  user: Person | null;
  /** The bot was told that the person is in the chat, and since when. Null for a person who isn't, or whom it doesn't know. */
  knownSince: number | null;
  /** The bot has let the person in, or has seen them there with access. */
  isByUs: boolean;
  /** The bot knows that the person asks to join. */
  hasAsked: boolean;
  /** The chat's `paid_since` at the last check, if the person had access then. */
  hadAccessIn: number | null;
}

interface World {
  readonly app: TestApp;
  readonly random: Random;
  readonly seed: number;
  readonly caller: Person;
  readonly owner: string;
  readonly chatId: number;
  readonly isChannel: boolean;
  readonly people: Somebody[];
  /** Accounts on the site. */
  readonly users: Person[];
  readonly log: string[];
  isConnected: boolean;
  rights: readonly string[] | null;
  isFree: boolean;
  paidSince: number | null;
  chargesSince: number;
  removesOthers: boolean;
  payments: { id: string; user: Person; endsAt: number }[];
}

type Step = (world: World, person: Somebody) => Promise<unknown>;

/** Plays a random history of one caller's chat, and compares the chat with the rules after every second step. */
export async function playHistory({ app, seed }: Pick<World, 'app' | 'seed'>): Promise<void> {
  const random = createRandom(seed);
  const world = await createWorld({ app, seed, random });
  for (let count = 0; count < 12; count++) {
    const [name, step] = random.pick(STEPS);
    const person = random.pick(world.people);
    world.log.push(`${name} ${world.people.indexOf(person)}`);
    await step(world, person);
    await deliver(world);
    if (random.share() < 0.6) await check(world);
  }
  await check(world);
}

let nextOwner = 0;

async function createWorld({ app, seed, random }: Pick<World, 'app' | 'seed' | 'random'>): Promise<World> {
  // The history delivers the updates itself.
  await bot('deleteWebhook', { drop_pending_updates: true });
  const caller = await createCaller(app, 'model_caller', '0.5');
  nextOwner += 1;
  const owner = `model_owner_${nextOwner}`;
  const people: Somebody[] = [];
  for (let count = 0; count < 4; count++) {
    const { id } = await control<{ id: number }>('POST', '/telegram/users', { firstName: `P${count}` });
    people.push({
      id,
      isIn: random.share() < 0.25,
      user: null,
      knownSince: null,
      isByUs: false,
      hasAsked: false,
      hadAccessIn: null,
    });
  }
  const users: Person[] = [];
  for (let count = 0; count < 3; count++) users.push(await app.signIn(`model_user_${count}`));
  const early = people.filter((person) => person.isIn).map(({ id }) => String(id));
  const type = random.share() < 0.3 ? 'channel' : 'supergroup';
  const { id: chatId } = await control<{ id: number }>('POST', '/telegram/chats', {
    as: owner,
    type,
    title: 'Model',
    members: early,
  });
  const now = app.clock.now();
  const world: World = {
    app,
    random,
    seed,
    caller,
    owner,
    chatId,
    isChannel: type === 'channel',
    people,
    users,
    log: [],
    isConnected: true,
    rights: null,
    isFree: false,
    paidSince: now,
    chargesSince: 0,
    removesOthers: true,
    payments: [],
  };
  await promoteBot(world, ALL_RIGHTS);
  await query(
    `INSERT INTO telegram_chats (chat_id, caller_id, kind, title, is_connected, paid_since, created_at, checked_at)
     VALUES (?, ?, ?, 'Model', 1, ?, ?, ?)`,
    String(chatId),
    caller.id,
    type === 'channel' ? type : 'group',
    now,
    now,
    now,
  );
  await deliver(world);
  await app.runJobs('chats');
  // Most people have paid and are in the chat, so that something can happen to them.
  for (const person of people) {
    if (random.share() < 0.7) await link(world, person);
    if (person.user !== null && random.share() < 0.7) await pay(world, person.user);
    if (random.share() < 0.7) await ask(world, person);
  }
  await deliver(world);
  return world;
}

async function promoteBot(world: World, rights: readonly string[]): Promise<void> {
  const known = world.isChannel ? rights : rights.filter((right) => right !== 'can_post_messages');
  await act('promote', world.owner, { chatId: world.chatId, user: BOT_ID, rights: known });
  world.rights = rights;
}

/** Telegram's app refuses some actions, such as joining twice. */
const attempt = (action: string, as: string | number, details: object) =>
  act(action, as, details).then(
    () => true,
    () => false,
  );

const isAdminBot = ({ rights }: World) => rights !== null;
const nowInSeconds = ({ app }: World) => Math.floor(app.clock.now() / 1_000) * 1_000;

interface Group {
  readonly members: Readonly<Record<string, { status: string }>>;
  readonly requests: readonly { userId: number }[];
}

const readGroup = ({ chatId }: World) => control<Group>('GET', `/telegram/chats/${chatId}`);
const statusIn = (group: Group, { id }: Somebody) => group.members[id]?.status ?? 'left';
const isIn = (group: Group, person: Somebody) => !['left', 'kicked'].includes(statusIn(group, person));
const asksIn = (group: Group, { id }: Somebody) => group.requests.some(({ userId }) => userId === id);

/** Notes who came or went, as far as the bot was told. */
async function noteMembers(world: World): Promise<void> {
  const group = await readGroup(world);
  for (const person of world.people) {
    if (!asksIn(group, person)) person.hasAsked = false;
    const wasIn = person.isIn;
    person.isIn = isIn(group, person);
    if (!person.isIn) Object.assign(person, { knownSince: null, isByUs: false });
    else if (!wasIn && isAdminBot(world)) person.knownSince = nowInSeconds(world);
  }
}

/** Updates arrive in another order now and then, and twice. */
async function deliver(world: World): Promise<void> {
  const { app, random } = world;
  for (let updates = await takeUpdates(); updates.length > 0; updates = await takeUpdates()) {
    const repeated = updates.filter(() => random.share() < 0.2);
    for (const update of [...shuffleAcrossPeople(updates, random), ...repeated]) {
      await postUpdate(app, update);
    }
  }
  await noteMembers(world);
}

/** Telegram keeps the order of one person's updates. */
function shuffleAcrossPeople(updates: readonly Update[], random: Random): Update[] {
  return random.share() < 0.5
    ? [...updates]
    : updates.toSorted((one, other) => keyOf(one).localeCompare(keyOf(other)));
}

const keyOf = (update: Update) => {
  const { chat_member: change, chat_join_request: request } = update as unknown as {
    chat_member?: { new_chat_member: { user: { id: number } } };
    chat_join_request?: { from: { id: number } };
  };
  return String(change?.new_chat_member.user.id ?? request?.from.id ?? '');
};

let nextPayment = 0;

async function pay(world: World, user: Person): Promise<void> {
  nextPayment += 1;
  const id = `model-${nextPayment}`;
  const now = world.app.clock.now();
  const [row] = await query<{ end: number | null }>(
    'SELECT MAX(ends_at) AS end FROM periods WHERE subscriber_id = ? AND caller_id = ?',
    user.id,
    world.caller.id,
  );
  const startsAt = Math.max(now, row?.end ?? 0);
  const endsAt = startsAt + SUBSCRIPTION_PERIOD_MS;
  const amounts = '500000000, 450000000, 50000000';
  const run = (sql: string, ...values: unknown[]) => testEnv.DB.prepare(sql).bind(...values);
  await testEnv.DB.batch([
    run(
      `INSERT INTO payment_intents (id, user_id, caller_id, reference, caller_address, platform_address,
         total_lamports, caller_lamports, platform_lamports, created_at, expires_at)
       VALUES (?1, ?2, ?3, ?1, 'c', 'p', ${amounts}, ?4, ?4)`,
      id,
      user.id,
      world.caller.id,
      now,
    ),
    run(
      `INSERT INTO payments (id, signature, intent_id, user_id, caller_id, payer_address,
         total_lamports, caller_lamports, platform_lamports, slot, paid_at, created_at)
       VALUES (?1, ?1, ?1, ?2, ?3, 'w', ${amounts}, ?4, ?5, ?5)`,
      id,
      user.id,
      world.caller.id,
      nextPayment,
      now,
    ),
    run(
      `INSERT INTO payment_ledger (id, payment_id, kind, slot, starts_at, ends_at, at)
       VALUES (?1, ?1, 'granted', ?2, ?3, ?4, ?5)`,
      id,
      nextPayment,
      startsAt,
      endsAt,
      now,
    ),
    run(
      `INSERT INTO subscriptions (id, subscriber_id, caller_id, payment_id, starts_at, ends_at, status, created_at)
       VALUES (?1, ?2, ?3, ?1, ?4, ?5, 'active', ?6)`,
      id,
      user.id,
      world.caller.id,
      startsAt,
      endsAt,
      now,
    ),
  ]);
  world.payments.push({ id, user, endsAt });
}

/** A fork removes the newest payment. */
async function revoke(world: World): Promise<void> {
  const payment = world.payments.pop();
  if (payment === undefined) return;
  const run = (sql: string, ...values: unknown[]) => testEnv.DB.prepare(sql).bind(...values);
  await testEnv.DB.batch([
    run(
      `INSERT INTO payment_ledger (id, payment_id, kind, at) VALUES (?1 || '-revoked', ?1, 'revoked', ?2)`,
      payment.id,
      world.app.clock.now(),
    ),
    run('DELETE FROM subscriptions WHERE payment_id = ?', payment.id),
  ]);
}

/** Connects a person's Telegram to an account on the site, in place of the account's earlier Telegram. */
async function link(world: World, person: Somebody): Promise<void> {
  if (person.user !== null) return;
  const user = world.random.pick(world.users);
  for (const other of world.people) if (other.user === user) other.user = null;
  await query(
    `INSERT INTO telegram_links (user_id, chat_id, connected_at, updated_at) VALUES (?1, ?2, ?3, ?3)
     ON CONFLICT (user_id) DO UPDATE SET chat_id = excluded.chat_id`,
    user.id,
    String(person.id),
    world.app.clock.now(),
  );
  person.user = user;
}

async function setFee(world: World, fee: string | null): Promise<void> {
  const signedInAt = world.app.clock.now();
  await world.app.services.users.updateCallerProfile({
    userId: world.caller.id,
    signedInAt,
    monthlyFee: fee,
  });
  if (world.isFree && fee !== null) world.chargesSince = world.app.clock.now();
  world.isFree = fee === null;
}

const setChat = (world: World, set: string, value: unknown) =>
  query(`UPDATE telegram_chats SET ${set} = ? WHERE chat_id = ?`, value, String(world.chatId));

const linkOf = async ({ owner, chatId }: World, createsJoinRequest: boolean) =>
  (await act('create-link', owner, { chatId, createsJoinRequest })) as { url: string };

async function ask(world: World, person: Somebody): Promise<void> {
  const { url } = await linkOf(world, true);
  const isSent = await attempt('join', person.id, { link: url });
  if (isSent && world.rights?.includes('can_invite_users') === true) person.hasAsked = true;
}

const STEPS: readonly [string, Step][] = [
  ['pay', (world, { user }) => pay(world, user ?? world.random.pick(world.users))],
  ['pay', (world, { user }) => pay(world, user ?? world.random.pick(world.users))],
  ['lapse', ({ app }) => app.advance(SUBSCRIPTION_PERIOD_MS + HOUR_MS)],
  ['wait', ({ app, random }) => app.advance(random.between(1, 20) * DAY_MS)],
  ['hours', ({ app, random }) => app.advance(random.between(1, 30) * HOUR_MS)],
  ...Array.from({ length: 4 }, (): [string, Step] => ['ask', ask]),
  ...Array.from({ length: 2 }, (): [string, Step] => [
    'plain link',
    async (world, person) => {
      const { url } = await linkOf(world, false);
      await attempt('join', person.id, { link: url });
    },
  ]),
  ['added', (world, { id }) => attempt('add', world.owner, { chatId: world.chatId, user: String(id) })],
  [
    'approved',
    (world, { id }) => attempt('approve', world.owner, { chatId: world.chatId, user: String(id) }),
  ],
  ['leave', (world, { id }) => attempt('leave', id, { chatId: world.chatId })],
  [
    'promote',
    async (world, person) => {
      if (!isIn(await readGroup(world), person)) return;
      await attempt('promote', world.owner, { chatId: world.chatId, user: String(person.id), rights: [] });
    },
  ],
  [
    'demote',
    async (world, person) => {
      if (statusIn(await readGroup(world), person) !== 'administrator') return;
      await attempt('demote', world.owner, { chatId: world.chatId, user: String(person.id) });
    },
  ],
  [
    'rights',
    async (world) => {
      if (world.rights === null) return;
      await promoteBot(
        world,
        world.random.pick([[], ['can_invite_users'], ['can_restrict_members'], ALL_RIGHTS]),
      );
    },
  ],
  ['all rights', (world) => promoteBot(world, ALL_RIGHTS)],
  [
    'bot removed',
    async (world) => {
      await attempt('remove', world.owner, { chatId: world.chatId, user: BOT_ID });
      world.rights = null;
    },
  ],
  [
    'public',
    (world) =>
      attempt('change-chat', world.owner, { chatId: world.chatId, username: `model_chat_${world.seed}` }),
  ],
  ['private', (world) => attempt('change-chat', world.owner, { chatId: world.chatId, username: '' })],
  ['link account', link],
  ['link account', link],
  [
    'disconnect',
    async ({ app }, person) => {
      if (person.user !== null) await app.services.telegramLinks.disconnect(person.user.id);
      person.user = null;
    },
  ],
  [
    'delete account',
    async (world, person) => {
      const { user } = person;
      if (user === null || world.random.share() < 0.5) return;
      await world.app.services.accountDeletion.start({ userId: user.id });
      world.users.splice(world.users.indexOf(user), 1);
      person.user = null;
      if (world.users.length === 0) world.users.push(await world.app.signIn('model_user_last'));
    },
  ],
  ['revoke', revoke],
  ['free', (world) => setFee(world, null)],
  ['paid', (world) => setFee(world, '0.5')],
  [
    'confirm',
    async (world) => {
      if (world.isFree) return;
      world.paidSince = world.app.clock.now();
      await setChat(world, 'paid_since', world.paidSince);
    },
  ],
  [
    'suspend',
    ({ caller, random }) =>
      query(`UPDATE users SET is_suspended = ? WHERE id = ?`, Number(random.share() < 0.5), caller.id),
  ],
  [
    'switch',
    async (world) => {
      world.removesOthers = !world.removesOthers;
      await setChat(world, 'removes_others', Number(world.removesOthers));
    },
  ],
];

/** Runs the cron twice, and throws if the chat isn't as the rules say. */
async function check(world: World): Promise<void> {
  const { app } = world;
  const before = await Promise.all(world.people.map((person) => hasAccess(world, person)));
  const groupBefore = await readGroup(world);
  const sinceBefore = world.people.map(({ knownSince }) => knownSince);
  // The rules hold, too, while the job that ends subscriptions is late.
  const jobs = world.random.share() < 0.3 ? ['chats'] : ['subscriptions', 'renewals', 'chats'];
  for (let tick = 0; tick < TICKS; tick++) {
    await app.advance(MINUTE_MS);
    await app.runJobs(...jobs);
    await deliver(world);
  }
  const group = await readGroup(world);
  for (const [index, person] of world.people.entries()) {
    const isEntitled = await hasAccess(world, person);
    const problem =
      problemOf(world, { person, group, isEntitled, isEndNoticed: jobs.length > 1 }) ??
      removalProblem(world, {
        knownSince: sinceBefore[index] ?? null,
        isEntitled: isEntitled && before[index] === true,
        isRemoved: isIn(groupBefore, person) && !isIn(group, person),
      });
    if (problem === null) continue;
    const rows = await query('SELECT * FROM chat_members WHERE person_id = ?', String(person.id));
    throw new Error(
      `History ${world.seed}: person ${index} ${problem} after ${world.log.join(', ')} ${JSON.stringify(rows)}`,
    );
  }
}

async function hasAccess({ app, caller }: World, { user }: Somebody): Promise<boolean> {
  if (user === null) return false;
  return app.services.subscriptions.canSeeActiveCalls({ viewerId: user.id, callerId: caller.id });
}

const confirmedSince = ({ isFree, paidSince, chargesSince }: World): number | null =>
  !isFree && paidSince !== null && paidSince >= chargesSince ? paidSince : null;

const isInGrace = (world: World, { knownSince }: Pick<Somebody, 'knownSince'>, paidSince: number) =>
  knownSince !== null && knownSince < paidSince && world.app.clock.now() < paidSince + FREE_TO_PAID_GRACE_MS;

interface Seen {
  readonly person: Somebody;
  readonly group: Group;
  readonly isEntitled: boolean;
  /** The job that ends subscriptions has run. */
  readonly isEndNoticed: boolean;
}

/** The expected state, if the bot has the rights. */
function problemOf(world: World, { person, group, isEntitled, isEndNoticed }: Seen): string | null {
  const { rights, isFree, removesOthers } = world;
  const hasRights = ALL_RIGHTS.every((right) => rights?.includes(right));
  const paidSince = confirmedSince(world);
  const isWaiting = person.hasAsked && asksIn(group, person);
  if (hasRights && isWaiting && (isEntitled || isFree)) return 'waits with access';
  const hadAccess = person.hadAccessIn !== null && person.hadAccessIn === paidSince;
  person.hadAccessIn = isEntitled ? paidSince : null;
  if (!hasRights || paidSince === null || !isIn(group, person)) return null;
  // The bot doesn't know who was in the chat before it, but it knows whose access ends.
  if (person.knownSince === null) {
    const isLate = hadAccess && !isEntitled && isEndNoticed && statusIn(group, person) !== 'administrator';
    return isLate ? 'was there before the bot, and is in after the end of access' : null;
  }
  if (isEntitled) {
    person.isByUs = true;
    return null;
  }
  if (statusIn(group, person) === 'administrator' || isInGrace(world, person, paidSince)) return null;
  return removesOthers || person.isByUs ? 'is in without access' : null;
}

interface Removal extends Pick<Somebody, 'knownSince'> {
  readonly isEntitled: boolean;
  readonly isRemoved: boolean;
}

/** Whether the bot removed somebody whom it should have left in the chat. */
function removalProblem(world: World, removal: Removal): string | null {
  const { isEntitled, isRemoved } = removal;
  if (!isRemoved) return null;
  if (isEntitled) return 'was removed with access';
  const paidSince = confirmedSince(world);
  if (paidSince === null) return 'was removed from a chat without rules';
  return isInGrace(world, removal, paidSince) ? 'was removed too early' : null;
}
