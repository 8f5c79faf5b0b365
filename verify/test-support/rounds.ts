import { expect } from 'vitest';
import { MINUTE, randomWorld, type World } from './history.ts';
import { randomLie } from './lies.ts';
import { createRandom, type Random } from './random.ts';
import { check, createStore, Server } from './server.ts';

/** True if an entry comes after an announcement, with its version. */
const hasNewer = ({ events }: World) => events.slice(0, -1).some(({ kind }) => kind === 'format');

/** Sets the clock to a minute after the newest event, when the last events may not be published yet. */
function rewind(world: World): void {
  world.now = (world.events.at(-1)?.time ?? 0) + MINUTE;
  world.anchors = world.anchors.filter(({ at }) => at <= world.now);
}

/** Verifies an honest log under the conditions that occur: caches, restores, responses at other sizes. */
export async function verifyHonest(seed: number): Promise<void> {
  const random = createRandom(seed + 1e6);
  const world = randomWorld(seed);
  const store = createStore();
  const options = { store, ...(random.chance(0.3) && { callRpc: null }) };
  const condition = random.pick(['equal', 'cached', 'behind'] as const);
  if (condition === 'behind') rewind(world);
  const server = new Server(world);
  const newest = world.events.length;
  if (condition === 'behind') {
    server.size -= random.below(1 + world.events.filter(({ time }) => time > world.now - 2 * MINUTE).length);
    server.memos = server.memos.filter((_, place) => (world.anchors[place]?.size ?? 0) <= server.size);
  }
  // Cached responses can be up to nine minutes old.
  const recent = world.events.filter(({ time }) => time > world.now - 9 * MINUTE).length;
  server.shownSize = () => (condition === 'cached' ? newest - random.below(recent + 1) : newest);
  // Two memos to ignore: one that the anchor wallet did not sign, and one of a failed transaction.
  if (random.chance(0.2)) {
    const memo = { ...server.memoOf(1, world.now, 'dust'), memo: `${server.signer.name} 3 ${random.salt()}` };
    server.memos.push({ ...memo, signers: ['Somebody'] }, { ...memo, signature: 'failed', err: {} });
  }
  const first = await check(server, null, options);
  const expected = options.callRpc === null || hasNewer(world) ? 'unconfirmed' : 'verified';
  // The first anchor may not be there yet, or too old.
  const outcomes = condition === 'equal' ? [expected] : [expected, 'unconfirmed', 'later'];
  expect(first.failures, `seed ${seed}`).toEqual([]);
  expect(outcomes, `seed ${seed}`).toContain(first.outcome);
  // After a restore, the sequencer publishes the same entries again.
  const again = await check(new Server({ ...world, now: world.now + 60_000 } satisfies World), null, options);
  const outcome = condition === 'behind' ? expect.stringMatching(/verified|unconfirmed/) : expected;
  expect(again, `seed ${seed}, second visit`).toMatchObject({ outcome, failures: [] });
}

/** Expects that the verifier notices a random lie. @returns the name of the lie */
export async function verifyLie(seed: number): Promise<string> {
  const random = createRandom(seed + 2e6);
  for (;;) {
    const name = await tryLie(seed, random);
    if (name !== null) return name;
  }
}

async function tryLie(seed: number, random: Random): Promise<string | null> {
  const world = randomWorld(seed);
  const { name, lie } = randomLie(world, random);
  const store = createStore();
  const options = { store, ...(lie.isOffline === true && { callRpc: null }) };
  if (lie.isSecondVisit === true) {
    const { failures } = await check(new Server(world), null, options);
    expect(failures, `seed ${seed}, first visit`).toEqual([]);
  }
  const { failures } = await check(lie.server, null, { ...options, now: lie.server.world.now + 2 * 60_000 });
  if (lie.isTold?.() === false) return null;
  const reasons = failures.map(({ reason }) => reason);
  const isNoticed = reasons.some((reason) => lie.reasons.includes(reason));
  expect(
    isNoticed,
    `seed ${seed}: ${name} gives ${reasons.join() || 'nothing'} instead of ${lie.reasons.join()}`,
  ).toBe(true);
  return name;
}
