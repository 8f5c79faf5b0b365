import { runInDurableObject } from 'cloudflare:test';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#schema/constants/time.ts';
import { createRandom, type Random } from '../seeded-random.ts';
import { resetEnvironment } from '../shared-environment.ts';
import { query } from '../database/database.ts';
import { testEnv } from '../test-app.ts';
import { createMachine, type Machine } from './message-model-machine.ts';
import { createOutside, Lost, type Outside } from './message-model-outside.ts';
import {
  checkMessages,
  expectMessages,
  noteArrival,
  noteCrash,
  noteFailure,
  passTime,
  reconsider,
} from './message-model-rules.ts';
import {
  isForFollowers,
  MAY_DIE,
  NAMES,
  removalUpdate,
  STEPS,
  type StepName,
} from './message-model-steps.ts';
import {
  createMarket,
  createWorld,
  finishWorlds,
  Violation,
  type Somebody,
  type World,
} from './message-model-world.ts';

const ROUNDS = 4;
/** The jumps of the clock between rounds. */
const JUMPS = [0, 0, HOUR_MS, DAY_MS, 3 * DAY_MS, 8 * DAY_MS, 22 * DAY_MS, 29 * DAY_MS];

interface Play {
  readonly machine: Machine;
  readonly outside: Outside;
  readonly worlds: readonly World[];
  readonly random: Random;
  readonly throwViolation: () => void;
}

/** Plays histories of these seeds side by side. @throws an error with the history of the first violation */
export async function playHistories(seeds: readonly number[]): Promise<void> {
  await resetEnvironment();
  const startsAt = Number(await (await fetch(`${testEnv.TEST_CLOCK_URL}/?advance=0`)).text());
  await runInDurableObject(testEnv.SENDER.getByName('model'), async (_, storage) => {
    const random = createRandom(-(seeds[0] ?? 0) - 1);
    const worlds: World[] = [];
    const market = await createMarket();
    let violation: Error | null = null;
    const fail = (error: unknown) => {
      violation ??= error as Error;
    };
    const guard = (note: () => void) => {
      try {
        note();
      } catch (error) {
        fail(error);
      }
    };
    const throwViolation = () => {
      if (violation !== null) throw violation;
    };
    const outside = createOutside({
      random,
      onArrival: ({ isUncertain, ...arrival }) =>
        guard(() =>
          noteArrival(
            worlds,
            { ...arrival, isUncertain: isUncertain || machine.isDead },
            machine.clock.now(),
          ),
        ),
      onFailure: (unsent) => noteFailure(worlds, unsent),
      onApproval: ({ personId }) => approve(worlds, personId, { random, now: machine.clock.now(), fail }),
      onRemoval: ({ chatId, personId }) => guard(() => noteRemoval(worlds, chatId, personId)),
    });
    const machine = createMachine({
      storage: storage.storage,
      respond: (url, init) =>
        outside.respond(url, init).catch((error: unknown) => {
          if (!(error instanceof Lost)) fail(error);
          throw error;
        }),
      onCrash: () => noteCrash(worlds, machine.clock.now()),
      startsAt,
    });
    try {
      for (const [number, seed] of seeds.entries()) {
        worlds.push(await createWorld({ machine, outside, market, random: createRandom(seed), number }));
      }
      await finishWorlds(worlds);
      for (let round = 0; round <= ROUNDS; round += 1) {
        await playRound({ machine, outside, worlds, random, throwViolation }, round);
      }
    } catch (error) {
      throw describe(worlds, error);
    } finally {
      machine.close();
    }
  });
}

/** Adds the history of the world in which a rule was broken. */
function describe(worlds: readonly World[], error: unknown): unknown {
  const number = error instanceof Violation ? /(?:caller|person)-(\d+)/.exec(error.message)?.[1] : undefined;
  const { trace = [] } = worlds[Number(number)] ?? {};
  return trace.length === 0 ? error : new Violation(`${String(error)}\n${trace.join('\n')}`);
}

function noteRemoval(worlds: readonly World[], chatId: string, personId: string): void {
  const world = worlds.find(({ group }) => group?.id === chatId);
  const person = world?.people.find(({ telegramId }) => String(telegramId) === personId);
  if (world === undefined || person === undefined) throw new Violation(`A stranger was removed: ${personId}`);
  if (person.isInGroup) {
    world.removed.push(person);
    expectMessages(world, {
      key: 'removed',
      to: person,
      // People without a connected account are strangers to the bot. It may not know yet who has blocked it.
      isListed: () => person.hasTelegram,
      mayBeListed: () => world.outside.blocked.has(personId),
    });
  }
  Object.assign(person, { isInGroup: false, isDoubted: false });
}

interface Approval {
  readonly random: Random;
  readonly now: number;
  readonly fail: (error: unknown) => void;
}

/** Lets a person into a group, or returns the seconds for which Telegram refuses to. */
function approve(worlds: readonly World[], personId: string, { random, now, fail }: Approval): number | null {
  const person = worlds
    .flatMap(({ people }) => people)
    .find(({ telegramId }) => String(telegramId) === personId);
  if (person?.askedAt == null) throw new Violation(`${personId} hasn't asked to join`);
  const { id, refusedUntil, askedAt } = person;
  if (now < refusedUntil) fail(new Violation(`${id} is let in before Telegram allows it`));
  const lateMs = now - Math.max(refusedUntil, askedAt);
  if (lateMs > 2 * SECOND_MS) fail(new Violation(`${id} is let in ${lateMs} ms late`));
  if (random.share() < 0.5) {
    const seconds = random.between(1, 60);
    person.refusedUntil = now + seconds * SECOND_MS;
    return seconds;
  }
  Object.assign(person, { askedAt: null, isInGroup: true, isDoubted: false });
  return null;
}

/** The link for subscribers is replaced within two hours after somebody has revoked it. */
async function checkLinks({ machine, worlds }: Play): Promise<void> {
  for (const { group, caller } of worlds) {
    if (group?.isBotAdmin !== true || machine.clock.now() < group.revokedAt + 2 * HOUR_MS) continue;
    const [row] = await query<{ link: string | null }>(
      'SELECT join_link AS link FROM telegram_chats WHERE caller_id = ?',
      caller.id,
    );
    if (row && row.link !== group.link) throw new Violation(`The link of ${caller.id} stays revoked`);
    group.revokedAt = Infinity;
  }
}

async function playRound(play: Play, round: number): Promise<void> {
  const { machine, outside, worlds, random } = play;
  if (round > 0) await passDays(play, random.pick(JUMPS));
  for (const world of worlds) {
    await playSteps(play, world, round === 0 ? firstSteps(world) : laterSteps(world));
  }
  outside.state.faultShare = random.pick([0, 0.2, 0.5]);
  for (let minute = 0; minute < 3; minute += 1) {
    if (random.share() < 0.4) machine.crashAfter(random.between(1, 150));
    await tick(play);
    await machine.deliverUntil(machine.clock.now() + random.between(1, 60) * SECOND_MS);
    machine.cancelCrash();
    for (const world of worlds) {
      reconsider(world);
      await playSteps(play, world, reactionOf(world));
    }
  }
  outside.state.faultShare = 0;
  for (let minute = 0, isLast = false; minute < 3 || !isLast; minute += 1) {
    isLast = !(await tick(play));
    await machine.deliverUntil(machine.clock.now() + MINUTE_MS);
  }
  const isWaiting = await machine.deliverUntil(machine.clock.now() + 40 * MINUTE_MS);
  if (isWaiting) throw new Violation('Messages wait although nothing fails');
  finish(play);
}

/** The cron runs at least once a day. */
async function passDays(play: Play, jumpMs: number): Promise<void> {
  const { machine, random } = play;
  for (let left = jumpMs; left >= 0; left -= DAY_MS) {
    machine.advance(Math.min(left, DAY_MS) + random.between(0, 30) * MINUTE_MS);
    const hasRemoved = await tick(play);
    await machine.deliverUntil(machine.clock.now() + MINUTE_MS);
    if (hasRemoved) await tick(play);
    await machine.deliverUntil(machine.clock.now() + MINUTE_MS);
    finish(play);
  }
  await checkLinks(play);
}

function finish({ worlds, throwViolation }: Play): void {
  throwViolation();
  for (const world of worlds) {
    checkMessages(world);
    world.market.hasMoved = false;
  }
}

/** Returns whether the bot has removed people, who are told of it by the next run of the cron. */
async function tick({ machine, worlds }: Play): Promise<boolean> {
  for (const world of worlds) {
    world.trace.push(`${new Date(machine.clock.now()).toISOString()} cron`);
    passTime(world);
  }
  await machine.runCron({ hasPrices: worlds[0]?.market.hasMoved ?? false });
  const hasRemoved = worlds.some(({ removed }) => removed.length > 0);
  for (const world of worlds) {
    for (const person of world.removed.splice(0)) {
      const update = removalUpdate(world, person);
      // Telegram repeats an update that the product hasn't accepted.
      while ((await machine.run((services) => services.handleTelegramUpdate(update))) === null);
    }
  }
  for (const world of worlds) reconsider(world);
  return hasRemoved;
}

type Step = readonly [name: StepName, person: Somebody];

/** Most people have paid and are reachable, so that something can happen to them. */
const firstSteps = ({ all, caller, random }: World): Step[] => [
  ...all.flatMap((person) => LIKELY.filter(() => random.share() < 0.6).map((name): Step => [name, person])),
  ['open', caller],
];

const LIKELY = [
  'connectTelegram',
  'switchBrowser',
  'switchBrowser',
  'switchProgram',
  'pay',
  'followOnPaper',
  'moveInGroup',
] as const satisfies readonly StepName[];

/** Something that makes a message outdated while it waits. */
function reactionOf({ expectations, caller, random }: World): Step[] {
  const waiting = expectations.filter(({ addresses, arrivals }) =>
    addresses.some((each) => !arrivals.has(each)),
  );
  if (waiting.length === 0 || random.share() < 0.3) return [];
  const { key, to } = random.pick(waiting);
  if (key.startsWith('renewal')) return [['pay', to]];
  if (/^(?:opened|level)/.test(key) && random.share() < 0.5) return [['end', caller]];
  return [[random.pick(ENDINGS), to]];
}

const ENDINGS = [
  'mute',
  'mute',
  'refund',
  'refund',
  'revoke',
  'unfollow',
  'switchBrowser',
  'switchKind',
] as const;

const laterSteps = ({ people, caller, random }: World): Step[] =>
  Array.from({ length: random.between(3, 7) }, () => [
    random.pick(NAMES),
    random.share() < 0.15 ? caller : random.pick(people),
  ]);

async function playSteps({ machine }: Play, world: World, steps: readonly Step[]): Promise<void> {
  const { random } = world;
  for (const [name, person] of steps) {
    if (person === world.caller && isForFollowers(name)) continue;
    const share = random.share();
    machine.advance(SECOND_MS);
    const time = new Date(machine.clock.now()).toISOString();
    world.trace.push(`${time} ${name} ${person.id} ${share.toFixed(3)}`);
    if (MAY_DIE.has(name) && random.share() < 0.15) machine.crashAfter(random.between(1, 60));
    await STEPS[name](world, share, person);
    machine.cancelCrash();
    reconsider(world);
  }
}
