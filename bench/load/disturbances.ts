import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseSync } from 'node:sqlite';
import { SECOND_MS } from '#schema/constants/time.ts';
import type { Random } from '#test/seeded-random.ts';
import type { LocalEnvironment } from '../context.ts';
import { findRuntime } from './memory.ts';
import type { People } from './people.ts';
import type { Journey, Schedule } from './schedule.ts';

/** Shorter than an outage: operators should hear nothing of it. */
const REFUSED_MS = 20 * SECOND_MS;
const GONE_AFTER_MS = [5, 400] as const;
const OPEN_FOR_MS = [20 * SECOND_MS, 120 * SECOND_MS] as const;
const FINE_CLOSES: readonly number[] = [1000, 1005];

interface DisturbancesOptions {
  /** The file of the product's database. */
  readonly file: string;
  /** How long a disturbance may take. */
  readonly longestMs: number;
  readonly local: LocalEnvironment;
}

/** Stops everything for a while: the database refuses writes, or the runtime is killed. */
export function createDisturbances({ file, longestMs, local }: DisturbancesOptions) {
  let disturbedUntil = Number.NEGATIVE_INFINITY;
  const disturb = async (run: () => Promise<unknown>) => {
    disturbedUntil = Number.POSITIVE_INFINITY;
    await run();
    disturbedUntil = Date.now();
  };
  return {
    /** Holds the database's lock. The local D1 then refuses reads, too. */
    refuseWrites: () =>
      disturb(async () => {
        const database = new DatabaseSync(file, { timeout: 10 * SECOND_MS });
        database.exec('BEGIN IMMEDIATE');
        await pause(Math.min(REFUSED_MS, longestMs));
        database.exec('ROLLBACK');
        database.close();
      }),

    /** Kills the runtime in the middle of its requests, and starts it again. */
    killRuntime: () =>
      disturb(async () => {
        process.kill((await findRuntime()).pid, 'SIGKILL');
        await local.restart();
      }),

    /** Whether everything was disturbed at some time since `from`. */
    wasDisturbedSince: (from: number) => disturbedUntil >= from,
  };
}

interface VisitsOptions {
  readonly productUrl: string;
  readonly random: Random;
  readonly people: People;
  readonly schedule: Schedule;
  readonly report: (violation: string) => void;
  readonly wasDisturbedSince: (from: number) => boolean;
}

/** Visitors who leave before the response, and pages with a WebSocket. */
export function createVisits(options: VisitsOptions) {
  const { productUrl, random, people, schedule, report, wasDisturbedSince } = options;
  const { callers, followers } = people;
  const { nextSlot } = schedule;
  const counts = { left: 0, sockets: 0, messages: 0 };

  const leaveEarly = async () => {
    const { cookie, address } = random.pick(followers);
    const { handle } = random.pick(callers);
    const path = random.pick([
      '/',
      `/caller/${handle}`,
      '/api/subscriptions/calls',
      '/api/prices/sol',
      '/api/dashboard',
    ]);
    const signal = AbortSignal.timeout(random.between(...GONE_AFTER_MS));
    const headers = { Cookie: cookie, 'CF-Connecting-IP': address };
    const hasLeft = await fetch(`${productUrl}${path}`, { headers, signal })
      .then((response) => response.arrayBuffer())
      .then(
        () => false,
        () => true,
      );
    if (hasLeft) counts.left += 1;
  };

  const openPage = async () => {
    const { cookie, address } = random.pick([...callers, ...followers]);
    const headers = { Cookie: cookie, Origin: productUrl, 'CF-Connecting-IP': address };
    // Node's WebSocket takes headers, a browser's doesn't.
    const socket = new WebSocket(`${productUrl.replace(/^http/, 'ws')}/api/live`, { headers } as never);
    const from = Date.now();
    counts.sockets += 1;
    socket.addEventListener('message', () => (counts.messages += 1));
    socket.addEventListener('close', ({ code }) => {
      if (FINE_CLOSES.includes(code) || wasDisturbedSince(from)) return;
      report(`a WebSocket was refused or closed with ${code}`);
    });
    await schedule.pause(random.between(...OPEN_FOR_MS));
    socket.close(1000);
  };

  return {
    counts,

    journeys: [
      { kind: 'left early', weight: 4, run: () => nextSlot().then(leaveEarly) },
      { kind: 'open page', weight: 1, run: () => nextSlot().then(openPage) },
    ] satisfies Journey[],
  };
}
