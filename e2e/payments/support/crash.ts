import { testEnv } from '#test/test-app.ts';
import type { AwaitPoint } from './awaits.ts';
import { KILLED, runKillable } from './killable.ts';
import type { Around, Transport } from './tab.ts';

/** A point just before or after an await of the worker or the page. */
export interface Snapshot {
  readonly what: string;
  readonly when: 'before' | 'after';
}

/**
 * `dies`: the machine stops. `times out`: the request or its response is lost. After a lost chain request,
 * all later chain requests fail, too. Otherwise the RPC pool would retry at the other endpoint.
 */
const CRASH_KINDS = ['dies', 'times out'] as const;

/**
 * A fault at one point in time. `at` is either the time's index, counted over all operations, or a description of
 * the time.
 */
export interface Crash {
  readonly at: number | Snapshot;
  readonly kind: (typeof CRASH_KINDS)[number];
}

/** Returns an even sample of all kinds of crashes at all times; `Infinity` samples all of them. */
export function chooseCrashes(timestamps: number, sampled: number): (Crash & { readonly at: number })[] {
  const all = CRASH_KINDS.flatMap((kind) => Array.from({ length: timestamps }, (_, at) => ({ at, kind })));
  const stride = Math.max(1, all.length / sampled);
  return all.filter((_, index) => Math.floor(index / stride) !== Math.floor((index - 1) / stride));
}

const never = new Promise<never>(() => undefined);
const lostError = (on: AwaitPoint['on']) =>
  on === 'database'
    ? new Error('D1_ERROR: Network connection lost.')
    : new TypeError('Network connection lost.');

/** Records a run's times and injects the crash at its time. */
export function createCrashInjector(crash?: Crash) {
  const timestamps: Snapshot[] = [];
  let isOver = false;
  const isNext = () => {
    const newest = timestamps.at(-1);
    const isCrashPoint =
      crash !== undefined &&
      !isOver &&
      (typeof crash.at === 'number'
        ? timestamps.length - 1 === crash.at
        : crash.at.what === newest?.what && crash.at.when === newest.when);
    isOver ||= isCrashPoint;
    return isCrashPoint;
  };

  /** Runs an operation of the worker. Returns `KILLED` if the worker dies during the operation. */
  const inWorker = <Result>(run: () => Promise<Result>): Promise<Result | typeof KILLED> => {
    let isChainLost = false;
    const dies = ({ on, name, when }: AwaitPoint) => {
      if (isChainLost && on === 'chain') throw lostError(on);
      const isClock = name.startsWith(testEnv.TEST_CLOCK_URL);
      timestamps.push({ what: isClock ? 'a pause' : `${on}: ${name}`, when });
      if (!isNext()) return false;
      if (crash?.kind === 'dies') return true;
      // A pause of the clock gets no response, so no response can be lost.
      if (isClock) return false;
      isChainLost = on === 'chain';
      throw lostError(on);
    };
    return runKillable({ run, dies, watch: {} });
  };

  const transport: Transport = async (sendRequest) => {
    const response = await inWorker(sendRequest);
    if (response === KILLED) throw new TypeError('Failed to fetch');
    return response;
  };

  const { promise: closed, resolve: closeTab } = Promise.withResolvers<typeof KILLED>();
  const reach = async (timestamp: Snapshot): Promise<void> => {
    timestamps.push(timestamp);
    if (!isNext()) return;
    if (crash?.kind === 'times out') {
      if (timestamp.what !== 'wait') throw new TypeError('Failed to fetch');
      return;
    }
    closeTab(KILLED);
    await never;
  };
  const around: Around = async (what, call) => {
    await reach({ what, when: 'before' });
    const result = await call();
    await reach({ what, when: 'after' });
    return result;
  };

  return { timestamps, inWorker, transport, around, closed };
}
