import { SESSION_SLIDING_MS } from '#schema/constants/people.ts';
import { HOUR_MS, MINUTE_MS } from '#schema/constants/time.ts';
import { query } from '../database/database.ts';
import { createRandom, type Random } from '../seeded-random.ts';
import { resetEnvironment } from '../shared-environment.ts';
import { control, createTestApp, type TestApp } from '../test-app.ts';
import { NO_LIMITS } from '../test-limits.ts';
import {
  checkChat,
  checkPosts,
  noteAccess,
  noteMembers,
  readGroup,
  readGroups,
  readMessages,
  Violation,
} from './access-model-rules.ts';
import { CHANGES_MEMBERS, JUMPS, MOVES, OFTEN, STEPS, type StepName } from './access-model-steps.ts';
import { createWorld, PEOPLE, type Chat, type World } from './access-model-world.ts';
import { ALLOWED_UPDATES, type Update } from './telegram-chats.ts';
import { bot, postUpdate, stopUpdates, type ChatMessage } from './telegram.ts';

const ROUNDS = 9;
/** Histories that share the database, the clock and the cron. A run of the cron checks 50 chats. */
export const HISTORIES_AT_ONCE = 10;

type Step = readonly [name: StepName, chat: number, person: number, share: number];

/** Steps of one caller and the people around them, in rounds. */
interface History {
  readonly seed: number;
  readonly rounds: readonly (readonly Step[])[];
}

/** The parts that all histories of a batch share. */
interface Round {
  readonly jumpMs: number;
  /** The job that ends subscriptions is late. */
  readonly isLate: boolean;
  /** Requests to Telegram that fail. */
  readonly fault: { readonly path: string; readonly count: number } | null;
}

const PLAIN: Round = { jumpMs: 0, isLate: false, fault: null };
const NAMES = [...(Object.keys(STEPS) as StepName[]), ...OFTEN];

function createHistory(seed: number): History {
  const random = createRandom(seed);
  const step = (name: StepName, person: number): Step => [name, random.between(0, 1), person, random.share()];
  const rounds = Array.from({ length: ROUNDS }, () =>
    Array.from({ length: random.between(1, 4) }, () =>
      step(random.pick(NAMES), random.between(0, PEOPLE - 1)),
    ),
  );
  const start: Step[] = [
    ['connectChat', 0, 0, 0],
    ['connectChat', 1, 0, 0],
  ];
  // Most people have paid and are in the chats, so that something can happen to them.
  for (let person = 0; person < PEOPLE; person++) {
    const likely = (['connectAccount', 'pay', 'ask', 'ask'] as const).filter(() => random.share() < 0.7);
    start.push(...likely.map((name) => step(name, person)));
  }
  return { seed, rounds: [start, ...rounds] };
}

function createRounds(seed: number): Round[] {
  const random = createRandom(-seed);
  const paths = ['unbanChatMember', 'approveChatJoinRequest'];
  const fault = () => ({ path: random.pick(paths), count: random.between(1, 3) });
  const later = Array.from({ length: ROUNDS }, () => ({
    jumpMs: random.pick(JUMPS),
    isLate: random.share() < 0.3,
    fault: random.share() < 0.2 ? fault() : null,
  }));
  return [PLAIN, ...later];
}

interface Problem {
  readonly text: string;
  /** The round in which it appeared. */
  readonly round: number;
}

/** Plays histories side by side until the first problem. */
async function findProblem(histories: readonly History[], rounds: readonly Round[]): Promise<Problem | null> {
  const played = { round: 0 };
  try {
    await play({ histories, rounds, onRound: (round) => Object.assign(played, { round }) });
    return null;
  } catch (error) {
    return { text: String(error), ...played };
  }
}

interface Played {
  readonly histories: readonly History[];
  readonly rounds: readonly Round[];
  readonly onRound: (round: number) => void;
}

/** @throws Violation */
async function play({ histories, rounds, onRound }: Played): Promise<void> {
  await resetEnvironment();
  await stopUpdates();
  const app = await createTestApp({ bindings: NO_LIMITS });
  const worlds: World[] = [];
  for (const [number, { seed }] of histories.entries()) {
    worlds.push(await createWorld({ app, number, random: createRandom(seed ^ 0x5eed) }));
  }
  const random = createRandom(histories[0]?.seed ?? 0);
  await deliver(app, random);
  for (const [index, round] of rounds.entries()) {
    onRound(index);
    await app.advance(round.jumpMs);
    const lasting = [app.clock.now(), SESSION_SLIDING_MS];
    await query('UPDATE sessions SET created_at = ?1, expires_at = ?1 + ?2', ...lasting);
    await forEach(worlds, async (world) => {
      for (const step of histories[world.number]?.rounds[index] ?? []) await playStep(world, step);
    });
    await playRound({ app, worlds, round, random });
  }
}

async function playStep(world: World, [name, chatIndex, personIndex, share]: Step): Promise<void> {
  const chat = world.chats[chatIndex];
  const person = world.people[personIndex];
  const presence = chat?.presences[personIndex];
  if (chat === undefined || person === undefined || presence === undefined) return;
  await STEPS[name]({ world, chat, person, presence, share });
  if (!CHANGES_MEMBERS.has(name)) return noteAccess(world, chat);
  noteMembers({ world, chat, group: await readGroup(chat), mover: MOVES.has(name) ? person : null });
}

interface PlayedRound {
  readonly app: TestApp;
  readonly worlds: readonly World[];
  readonly round: Round;
  readonly random: Random;
}

/** Delivers what happened, runs the cron twice, and compares all with the rules. */
async function playRound({ app, worlds, round: { isLate, fault }, random }: PlayedRound): Promise<void> {
  const jobs = isLate ? ['chats'] : ['subscriptions', 'renewals', 'chats'];
  const inAllChats = (work: (world: World, chat: Chat) => Promise<void>) =>
    forEach(worlds, async (world) => {
      for (const chat of world.chats) await work(world, chat);
    });
  const settle = async () => {
    await deliver(app, random);
    const groups = await readGroups();
    await inAllChats(async (world, chat) => {
      const group = groups.get(chat.id);
      if (group !== undefined) noteMembers({ world, chat, group });
    });
  };
  const tick = async () => {
    await app.advance(MINUTE_MS);
    await app.runJobs(...jobs);
    await settle();
  };
  if (fault !== null) await control('POST', '/faults', { service: 'telegram', status: 500, ...fault });
  await settle();
  if (fault !== null) {
    await tick();
    await control('DELETE', '/faults');
    // A chat with a known problem is tried again after an hour.
    await app.advance(HOUR_MS);
  }
  const called = worlds.filter(({ news }) => news.length > 0);
  const posts = new Map<World, readonly ChatMessage[][]>();
  await forEach(called, async (world) => void posts.set(world, await readMessages(world)));
  for (let left = called.length; left > 0;) left = (await app.chatSender.deliver()).length;
  await forEach(called, (world) => checkPosts(world, posts.get(world) ?? []));
  await tick();
  await tick();
  await inAllChats((world, chat) => checkChat(world, chat, !isLate));
}

/** Does something for all at the same time, and throws the first error when all are done. */
async function forEach<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const results = await Promise.allSettled(items.map(work));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

interface SentUpdate extends Update {
  readonly chat_member?: {
    readonly chat: { readonly type: string };
    readonly new_chat_member: { readonly user: { readonly id: number } };
  };
  readonly chat_join_request?: { readonly from: { readonly id: number } };
}

/**
 * Telegram keeps the order of the updates about one person. Those about a basic group don't come after its migration, because
 * nobody can know then whom they concern.
 */
function queueOf({ chat_member: change, chat_join_request: request }: SentUpdate): number | string {
  if (change?.chat.type === 'group') return 'chat';
  return change?.new_chat_member.user.id ?? request?.from.id ?? 'chat';
}

/** Delivers the waiting updates in a random order of their queues, some of them twice. */
async function deliver(app: TestApp, random: Random): Promise<void> {
  const take = (offset: number) =>
    bot<SentUpdate[]>('getUpdates', { offset, allowed_updates: ALLOWED_UPDATES });
  for (let updates = await take(0); updates.length > 0; updates = await take(lastOf(updates) + 1)) {
    const queues = [...Map.groupBy(updates, queueOf).values()].map((queue) => ({
      queue,
      at: random.share(),
    }));
    const inOrder = queues.toSorted((one, other) => one.at - other.at).flatMap(({ queue }) => queue);
    for (const update of inOrder.flatMap((each) => (random.share() < 0.15 ? [each, each] : [each]))) {
      const { status } = await postUpdate(app, update);
      if (status !== 200) throw new Violation(`the webhook responds ${status} to ${JSON.stringify(update)}`);
    }
  }
}

const lastOf = (updates: readonly Update[]) => updates.at(-1)?.update_id ?? 0;

/** Plays the histories of these seeds. Throws an error with the first one that fails alone. */
export async function playHistories(seeds: readonly number[]): Promise<void> {
  const rounds = createRounds(seeds[0] ?? 0);
  const histories = seeds.map(createHistory);
  const problem = await findProblem(histories, rounds);
  if (problem === null) return;
  for (const history of histories) {
    const alone = await findProblem([history], rounds);
    if (alone === null) continue;
    const played = rounds.slice(0, alone.round + 1);
    const lines = played.map((round, index) => JSON.stringify([round, ...(history.rounds[index] ?? [])]));
    throw new Error([`History ${history.seed}: ${alone.text}`, ...lines].join('\n'));
  }
  throw new Error(`Histories ${seeds.join(', ')}, only side by side: ${problem.text}`);
}
