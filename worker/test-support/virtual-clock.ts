import type { Clock } from '../ports/clock.ts';

/** A clock that jumps to the next timer as soon as no real work is running. */
export interface VirtualClock extends Clock {
  /** Runs real work. The clock stops until the work is done. */
  during<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Advances time until the work is done. */
  run<Result>(work: Promise<Result>): Promise<Result>;
}

/** More than the longest chain of promises in the product. */
const MAX_AWAITS = 100;
const IDLE_TURNS = 10_000;

export function createVirtualClock(startsAt: number): VirtualClock {
  let now = startsAt;
  /** The number of running real operations. */
  const real = { count: 0 };
  let announceIdle = () => undefined as void;
  const sleepers: { at: number; wake: () => void }[] = [];
  /** Lets all promises continue that don't wait for real work. */
  const finalize = async () => {
    for (let hop = 0; hop < MAX_AWAITS && real.count === 0; hop += 1) await undefined;
  };

  return {
    now: () => now,
    sleep: (milliseconds) =>
      new Promise((resolve) => {
        const at = now + Math.max(0, Math.round(milliseconds));
        const behind = sleepers.findLastIndex((sleeper) => sleeper.at <= at);
        sleepers.splice(behind + 1, 0, { at, wake: resolve });
      }),
    async during(work) {
      real.count += 1;
      try {
        return await work();
      } finally {
        real.count -= 1;
        if (real.count === 0) announceIdle();
      }
    },
    async run(work) {
      const progress = { isDone: false, idle: 0 };
      const finish = () => {
        progress.isDone = true;
      };
      work.then(finish, finish);
      while (!progress.isDone) {
        await finalize();
        if (real.count > 0) {
          await new Promise<void>((resolve) => (announceIdle = resolve));
          continue;
        }
        const next = sleepers.shift();
        progress.idle = next ? 0 : progress.idle + 1;
        if (progress.idle > IDLE_TURNS) throw new Error('Deadlock: no timer and no real work is left');
        if (!next) {
          await new Promise((resolve) => setImmediate(resolve));
          continue;
        }
        now = Math.max(now, next.at);
        next.wake();
      }
      return work;
    },
  };
}
