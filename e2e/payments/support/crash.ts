import { testEnv } from '#worker/test-support/test-app.ts';
import { watched, type AwaitPoint, type Watch } from './awaits.ts';
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
export const CRASH_KINDS = ['dies', 'times out'] as const;
export type CrashKind = (typeof CRASH_KINDS)[number];

/**
 * A fault at one point in time. `at` is either the time's index, counted over all operations, or a description of
 * the time.
 */
export interface Crash {
  readonly at: number | Snapshot;
  readonly kind: CrashKind;
}

export const INTERRUPTED = Symbol('interrupted');
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

  /** Runs an operation of the worker. Returns `INTERRUPTED` if the worker dies during the operation. */
  const inWorker = async <Result>(operation: () => Promise<Result>): Promise<Result | typeof INTERRUPTED> => {
    let isDead = false;
    let isChainLost = false;
    let die: (result: typeof INTERRUPTED) => void;
    const death = new Promise<typeof INTERRUPTED>((resolve) => {
      die = resolve;
    });
    const hook: Watch['hook'] = async ({ on, name, when }) => {
      if (isDead) return never;
      if (isChainLost && on === 'chain') throw lostError(on);
      const isClock = name.startsWith(testEnv.TEST_CLOCK_URL);
      timestamps.push({ what: isClock ? 'a pause' : `${on}: ${name}`, when });
      if (!isNext()) return undefined;
      if (crash?.kind === 'times out') {
        // A pause of the clock gets no response, so no response can be lost.
        if (isClock) return undefined;
        isChainLost = on === 'chain';
        throw lostError(on);
      }
      isDead = true;
      die(INTERRUPTED);
      return never;
    };
    return Promise.race([watched({ hook }, operation), death]);
  };

  const transport: Transport = async (sendRequest) => {
    const response = await inWorker(sendRequest);
    if (response === INTERRUPTED) throw new TypeError('Failed to fetch');
    return response;
  };

  let closeTab: (result: typeof INTERRUPTED) => void;
  const closed = new Promise<typeof INTERRUPTED>((resolve) => {
    closeTab = resolve;
  });
  const reach = async (timestamp: Snapshot): Promise<void> => {
    timestamps.push(timestamp);
    if (!isNext()) return;
    if (crash?.kind === 'times out') {
      if (timestamp.what !== 'wait') throw new TypeError('Failed to fetch');
      return;
    }
    closeTab(INTERRUPTED);
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
