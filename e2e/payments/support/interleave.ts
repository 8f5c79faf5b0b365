import type { Scheduler } from 'fast-check';
import type { AwaitPoint, Watch } from './awaits.ts';
import { runKillable, type Dies, type KILLED } from './killable.ts';

export interface Operation<Result> {
  readonly name: string;
  readonly run: () => Promise<Result>;
  readonly dies: Dies | undefined;
}

interface Progress {
  /** The number of paused awaits. */
  waiting: number;
  /** The number of requests without a response. */
  priority: number;
  isOver: boolean;
}

/** This many microtasks are enough to get from a response to the next await. */
const MICROTASKS = 100;
/**
 * After some checks at this interval, an operation that isn't paused is assumed to wait for another operation's
 * request.
 */
const CHECK_INTERVAL_MS = 2;
const MAX_CHECKS = 5;

/**
 * Runs operations concurrently, one await at a time. Once all operations are paused, the scheduler picks
 * the one that continues.
 */
export async function interleave<Result>({
  operations,
  scheduler,
  watch,
}: {
  operations: readonly Operation<Result>[];
  scheduler: Scheduler;
  watch: Watch;
}): Promise<(Result | typeof KILLED)[]> {
  let wake = () => {};
  const started = operations.map(({ name, run, dies }) => {
    const progress: Progress = { waiting: 0, priority: 0, isOver: false };
    const hook = async (point: AwaitPoint) => {
      if (point.when === 'after') {
        progress.priority -= 1;
        wake();
        return;
      }
      progress.waiting += 1;
      await scheduler.schedule(Promise.resolve(), `${name}: ${point.name}`);
      progress.waiting -= 1;
      progress.priority += 1;
    };
    const begin = async () => {
      await hook({ on: 'other', name: 'begin', when: 'before' });
      progress.priority -= 1;
      return run();
    };
    const result = runKillable({ run: begin, dies, watch: { ...watch, hook } }).finally(() => {
      progress.isOver = true;
      wake();
    });
    return { progress, result };
  });

  /** Waits until every operation is paused or finished. */
  const untilAllPaused = async () => {
    for (let checks = 0; ;) {
      let isWoken = false;
      const woken = new Promise<void>((resolve) => {
        wake = () => {
          isWoken = true;
          resolve();
        };
        setTimeout(resolve, CHECK_INTERVAL_MS);
      });
      // oxlint-disable-next-line no-await-in-loop
      for (let microtask = 0; microtask < MICROTASKS; microtask++) await undefined;
      const isRequesting = started.some(({ progress }) => progress.priority > 0);
      if (!isRequesting && started.every(({ progress }) => progress.isOver || progress.waiting > 0)) return;
      if (
        !isRequesting &&
        checks > MAX_CHECKS &&
        started.some(({ progress }) => !progress.isOver && progress.waiting > 0)
      ) {
        return;
      }
      await woken;
      checks = isWoken ? 0 : checks + 1;
    }
  };

  const results = Promise.allSettled(started.map(({ result }) => result));
  for (;;) {
    await untilAllPaused();
    if (started.every(({ progress }) => progress.isOver) && scheduler.count() === 0) break;
    await scheduler.waitNext(1);
  }
  return (await results).map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}
