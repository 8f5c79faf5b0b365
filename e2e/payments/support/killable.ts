import { watched, type AwaitPoint, type Watch } from './awaits.ts';

export const KILLED = Symbol('killed');

/**
 * Runs an operation that is killed at one of its awaits. Requests that it has already sent still take
 * effect.
 * @param options.diesAt the index of the time at which it is killed, or `undefined` to let it finish.
 * Each await has two times: before and after.
 */
export async function runKillable<Result>({
  operation,
  diesAt,
  watch,
}: {
  operation: () => Promise<Result>;
  diesAt: number | undefined;
  watch: Watch;
}): Promise<Result | typeof KILLED> {
  if (diesAt === undefined) return watched(watch, operation);
  let points = 0;
  let isDead = false;
  let die: (died: typeof KILLED) => void;
  const death = new Promise<typeof KILLED>((resolve) => {
    die = resolve;
  });
  const never = new Promise<void>(() => undefined);
  const hook = async (point: AwaitPoint) => {
    isDead ||= points++ === diesAt;
    if (isDead) {
      // Reports this response before the operation dies, so that the hook's count of open requests stays
      // correct.
      if (point.when === 'after') await watch.hook?.(point);
      die(KILLED);
      return never;
    }
    await watch.hook?.(point);
    if (!isDead) return;
    if (point.when === 'before') await watch.hook?.({ ...point, when: 'after' });
    return never;
  };
  return Promise.race([watched({ ...watch, hook }, operation), death]);
}
