import { watched, type AwaitPoint, type Watch } from './awaits.ts';

export const KILLED = Symbol('killed');

/**
 * Returns true to kill the operation at this point, from which it then never returns. May throw to fail the await
 * instead.
 */
export type Dies = (point: AwaitPoint) => boolean;

/** The operation is killed at the point with this index. Each await has two points: before and after. */
export function dieAt(index: number | undefined): Dies | undefined {
  let points = 0;
  return index === undefined ? undefined : () => points++ === index;
}

/** Runs an operation that may be killed at one of its awaits. Requests that it has already sent still take effect. */
export async function runKillable<Result>({
  run,
  dies,
  watch,
}: {
  run: () => Promise<Result>;
  dies: Dies | undefined;
  watch: Watch;
}): Promise<Result | typeof KILLED> {
  if (!dies) return watched(watch, run);
  let isDead = false;
  const { promise: death, resolve: die } = Promise.withResolvers<typeof KILLED>();
  const never = new Promise<void>(() => undefined);
  const hook = async (point: AwaitPoint) => {
    isDead ||= dies(point);
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
  return Promise.race([watched({ ...watch, hook }, run), death]);
}
