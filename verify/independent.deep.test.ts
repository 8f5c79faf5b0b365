import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { buildLog } from './test-support/build.ts';
import { randomWorld } from './test-support/history.ts';
import { callerAt } from './test-support/responses.ts';
import { check, Server } from './test-support/server.ts';
import { serve } from './test-support/serve.ts';

// A verifier in another language, written from docs/SEALED-CALLS.md, reads the same logs.

const run = promisify(execFile);
const ROUNDS = 50;
/** Worlds whose callers make enough calls for Proven, three callers each on average. */
const LONG_ROUNDS = 110;
const LONG_STEPS = 700;

interface Result {
  readonly size: number;
  readonly anchors: number;
  readonly callers: Record<string, Record<string, number | null>>;
  readonly problems: string[];
}

const hasPython = await run('python3', ['--version']).then(
  () => true,
  () => false,
);
if (!hasPython) console.warn('python3 is missing, so the independent verifier is not tested.');

async function verifyWithPython(server: Server): Promise<Result> {
  const { origin, close } = await serve(server);
  const script = join(import.meta.dirname, 'test-support/independent.py');
  const { stdout } = await run('python3', [script, origin, `${origin}/rpc`]).finally(close);
  return JSON.parse(stdout) as Result;
}

it.skipIf(!hasPython)(
  'an independent verifier finds no problem in random logs and computes the same figures',
  async () => {
    const known = { callers: 0, proven: 0 };
    for (let seed = 0; seed < ROUNDS + LONG_ROUNDS; seed += 1) {
      const world = seed < ROUNDS ? randomWorld(seed) : randomWorld(seed, LONG_STEPS);
      const server = new Server(world);
      const { callers, problems, size, anchors } = await verifyWithPython(server);
      expect((await check(server, null)).failures, `seed ${seed}`).toEqual([]);
      expect({ problems, size, anchors }).toEqual({
        problems: [],
        size: server.size,
        anchors: world.anchors.length,
      });
      for (const [caller, figures] of Object.entries(callers)) {
        const profile = callerAt(world, caller, size)?.profile ?? {};
        for (const [name, value] of Object.entries(figures)) {
          const what = `seed ${seed}, ${caller} ${name}`;
          if (value === null) expect(profile[name], what).toBeNull();
          else expect(profile[name], what).toBeCloseTo(value, name === 'proven' ? 9 : 3);
        }
        known.callers += 1;
        known.proven += Number(figures['proven'] !== null);
      }
    }
    console.log(JSON.stringify(known));
    expect(known.proven).toBeGreaterThanOrEqual(LONG_ROUNDS);
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
