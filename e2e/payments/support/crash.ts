import { testEnv } from '#worker/test-support/test-app.ts';
import { watched, type AwaitPoint, type Watch } from './awaits.ts';
import type { Around, Transport } from './tab.ts';

/** Something that the worker or the page waits for: just before it asks, or just after it was answered. */
export interface Moment {
  readonly what: string;
  readonly when: 'before' | 'after';
}

/**
 * The machine is gone at that moment; or the question got lost before it was heard, or its answer on the way back. A
 * chain that lost one is not heard again by the same operation, or another endpoint would make up for it.
 */
export const FATES = ['dies', 'times out'] as const;
export type Fate = (typeof FATES)[number];

/** What happens at one of the moments, counted from 0 over all operations that share it, or at the first such moment. */
export interface Crash {
  readonly at: number | Moment;
  readonly fate: Fate;
}

export const GONE = Symbol('gone');
const forEver = new Promise<never>(() => undefined);
const lostError = (on: AwaitPoint['on']) =>
  on === 'database'
    ? new Error('D1_ERROR: Network connection lost.')
    : new TypeError('Network connection lost.');

/** Moments of a run, and what befalls it at one of them. Without a crash they are only counted. */
export function createFatality(crash?: Crash) {
  const moments: Moment[] = [];
  let isOver = false;
  /** Whether the newest moment is the one. */
  const isNext = () => {
    const newest = moments.at(-1);
    const isIt =
      crash !== undefined &&
      !isOver &&
      (typeof crash.at === 'number'
        ? moments.length - 1 === crash.at
        : crash.at.what === newest?.what && crash.at.when === newest.when);
    isOver ||= isIt;
    return isIt;
  };

  /** Runs an operation of the worker. Once it is dead it goes no further, and whoever asked hears that the connection is lost. */
  const inWorker = async <Result>(operation: () => Promise<Result>): Promise<Result | typeof GONE> => {
    let isDead = false;
    let isChainLost = false;
    let die: (gone: typeof GONE) => void;
    const death = new Promise<typeof GONE>((resolve) => {
      die = resolve;
    });
    const hook: Watch['hook'] = async ({ on, name, when }) => {
      if (isDead) return forEver;
      if (isChainLost && on === 'chain') throw lostError(on);
      const isClock = name.startsWith(testEnv.TEST_CLOCK_URL);
      moments.push({ what: isClock ? 'a pause' : `${on}: ${name}`, when });
      if (!isNext()) return undefined;
      if (crash?.fate === 'times out') {
        // A pause is not answered by anybody.
        if (isClock) return undefined;
        isChainLost = on === 'chain';
        throw lostError(on);
      }
      isDead = true;
      die(GONE);
      return forEver;
    };
    return Promise.race([watched({ hook }, operation), death]);
  };

  /** For what a page asks the worker. */
  const transport: Transport = async (ask) => {
    const answer = await inWorker(ask);
    if (answer === GONE) throw new TypeError('Failed to fetch');
    return answer;
  };

  let closeTab: (gone: typeof GONE) => void;
  const closed = new Promise<typeof GONE>((resolve) => {
    closeTab = resolve;
  });
  const befall = async (moment: Moment): Promise<void> => {
    moments.push(moment);
    if (!isNext()) return;
    if (crash?.fate === 'times out') {
      if (moment.what !== 'wait') throw new TypeError('Failed to fetch');
      return;
    }
    closeTab(GONE);
    await forEver;
  };
  /** For what a page waits for. */
  const around: Around = async (what, call) => {
    await befall({ what, when: 'before' });
    const result = await call();
    await befall({ what, when: 'after' });
    return result;
  };

  return { moments, inWorker, transport, around, closed };
}
