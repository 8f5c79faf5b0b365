import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { FOLLOWER_STAKES_USD } from '#schema/constants/market.ts';
import { afterFee, type AfterFee } from '#schema/rules/calls/after-fee.ts';
import { buildLog } from './test-support/build.ts';
import { DAY, randomWorld, type World } from './test-support/history.ts';
import { createRandom } from './test-support/random.ts';
import { callerAt, termsOf } from './test-support/responses.ts';
import { check, Server } from './test-support/server.ts';
import { serve } from './test-support/serve.ts';

// A verifier in another language, written from docs/SEALED-CALLS.md, reads the same logs.

const run = promisify(execFile);
const ROUNDS = 50;
/** Worlds whose callers make enough calls for Proven, three callers each on average. */
const LONG_ROUNDS = 110;
const LONG_STEPS = 700;

type Expected = Record<string, number | null | readonly (number | null)[]>;

interface Result {
  readonly size: number;
  readonly anchors: number;
  readonly callers: Record<string, Record<string, number | null> & { readonly afterFee?: Expected }>;
  readonly problems: string[];
}

const hasPython = await run('python3', ['--version']).then(
  () => true,
  () => false,
);
if (!hasPython) console.warn('python3 is missing, so the independent verifier is not tested.');

async function verifyWithPython(server: Server, terms: object | null = null): Promise<Result> {
  const { origin, close } = await serve(server);
  const script = join(import.meta.dirname, 'test-support/independent.py');
  const { stdout } = await run('python3', [script, origin, `${origin}/rpc`, JSON.stringify(terms)]).finally(
    close,
  );
  return JSON.parse(stdout) as Result;
}

const termsIn = ({ events, now }: World) => ({
  now,
  solPrice: 150,
  fees: Object.fromEntries(
    events.flatMap(({ caller }) => (caller === null ? [] : [[caller, termsOf(caller).feeSol]])),
  ),
});

function compareAfterFee(what: string, shown: AfterFee, expected: Expected): AfterFee {
  for (const [name, value] of Object.entries(expected)) {
    const found = Array.isArray(value)
      ? shown.stakes.map((stake) => stake[name as keyof AfterFee['stakes'][number]])
      : [shown[name as Exclude<keyof AfterFee, 'stakes' | 'since'>]];
    for (const [place, each] of [value].flat().entries()) {
      if (each === null) expect(found[place], `${what} ${name}`).toBeNull();
      else expect(found[place], `${what} ${name}`).toBeCloseTo(each, 9);
    }
  }
  return shown;
}

it.skipIf(!hasPython)(
  'an independent verifier finds no problem in random logs and computes the same figures',
  async () => {
    const known = { callers: 0, proven: 0, afterFee: 0 };
    for (let seed = 0; seed < ROUNDS + LONG_ROUNDS; seed += 1) {
      const world = seed < ROUNDS ? randomWorld(seed) : randomWorld(seed, LONG_STEPS);
      const server = new Server(world);
      const { callers, problems, size, anchors } = await verifyWithPython(server, termsIn(world));
      expect((await check(server, null)).failures, `seed ${seed}`).toEqual([]);
      expect({ problems, size, anchors }).toEqual({
        problems: [],
        size: server.size,
        anchors: world.anchors.length,
      });
      for (const [caller, { afterFee: expected = {}, ...figures }] of Object.entries(callers)) {
        const profile = callerAt(world, caller, size)?.profile ?? {};
        for (const [name, value] of Object.entries(figures)) {
          const what = `seed ${seed}, ${caller} ${name}`;
          if (value === null) expect(profile[name], what).toBeNull();
          else expect(profile[name], what).toBeCloseTo(value, 9);
        }
        const shown = compareAfterFee(`seed ${seed}, ${caller}`, profile['afterFee'] as AfterFee, expected);
        known.afterFee += Number(shown.stakes[0]?.monthUsd !== null);
        known.callers += 1;
        known.proven += Number(figures['proven'] !== null);
      }
    }
    console.log(JSON.stringify(known));
    expect(Math.min(known.proven, known.afterFee)).toBeGreaterThanOrEqual(LONG_ROUNDS);
  },
);

it.skipIf(!hasPython)(
  'an independent computation reads the same stake that covers the fee from random sums',
  async () => {
    const random = createRandom(44);
    const cases = Array.from({ length: 1_000 }, () => {
      const ppm = FOLLOWER_STAKES_USD.map(() => random.below(6_000_000) - 4_000_000);
      const sums = { results: 20, days: 20, since: 0, mostAtOnce: 1, ppm, sol: 0 };
      return afterFee(sums, { feeSol: (1 + random.below(5_000)) / 1_000, solPrice: 150, now: 45 * DAY });
    });
    const fees = cases.map(({ stakes, feeUsd, months }) => [
      stakes.map(({ gainUsd }) => gainUsd),
      (feeUsd ?? 0) * months,
    ]);
    const script = `
import json, sys
sums, sys.argv[1:] = json.loads(sys.argv[1]), ['-']
import independent
print(json.dumps([independent.pays_from(*each) for each in sums]))`;
    const cwd = join(import.meta.dirname, 'test-support');
    const { stdout } = await run('python3', ['-B', '-c', script, JSON.stringify(fees)], { cwd });
    const expected = JSON.parse(stdout) as (number | null)[];
    for (const [place, { paysFromUsd }] of cases.entries()) {
      const value = expected[place] ?? null;
      expect(paysFromUsd === null).toBe(value === null);
      expect(paysFromUsd ?? 0).toBeCloseTo(value ?? 0, 9);
    }
    expect(expected.filter((value) => value === null).length).toBeGreaterThan(50);
  },
);

it.skipIf(!hasPython)(
  'the independent verifier notices a broken chain, a broken seal and an anchor of another log',
  async () => {
    const world = randomWorld(3);
    const problemsOf = async (server: Server) => (await verifyWithPython(server)).problems.join();
    const ended = world.events.findIndex(({ kind }) => kind === 'ended');
    const log = buildLog(world.events, (entry, index) => {
      const [first, ...others] = (entry['reveals'] ?? []) as { content: object }[];
      const content = { ...first?.content, entryPrice: '9' };
      return index === ended ? { ...entry, reveals: [{ ...first, content }, ...others] } : entry;
    });
    expect(await problemsOf(new Server(world, log))).toContain('a seal is broken');
    const honest = new Server(world);
    expect(
      await problemsOf(new Server(world, { ...honest.log, data: honest.log.data.toSpliced(2, 1) })),
    ).toContain('the chain is broken');
    const other = new Server({ ...world, events: world.events.slice(0, -1) });
    other.memos = honest.memos;
    expect(await problemsOf(other)).toContain('an anchor is of another log');
  },
);
