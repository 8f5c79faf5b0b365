import { watched, type AwaitPoint, type Watch } from './awaits.ts';

export const DIED = Symbol('died');

/**
 * Runs an operation that is killed at one of its awaits. Requests that it has already sent still take effect.
 * @param options.diesAt an index over its awaits, each counted before and after; `undefined` to survive
 */
export async function runMortal<Result>({
  operation,
  diesAt,
  watch,
}: {
  operation: () => Promise<Result>;
  diesAt: number | undefined;
  watch: Watch;
}): Promise<Result | typeof DIED> {
  if (diesAt === undefined) return watched(watch, operation);
  let points = 0;
  let isDead = false;
  let die: (died: typeof DIED) => void;
  const death = new Promise<typeof DIED>((resolve) => {
    die = resolve;
  });
  const forEver = new Promise<void>(() => undefined);
  const hook = async (point: AwaitPoint) => {
    isDead ||= points++ === diesAt;
    if (isDead) {
      // Reports this response first, so that the hook's count of open requests stays correct.
      if (point.when === 'after') await watch.hook?.(point);
      die(DIED);
      return forEver;
    }
    await watch.hook?.(point);
    if (!isDead) return;
    if (point.when === 'before') await watch.hook?.({ ...point, when: 'after' });
    return forEver;
  };
  return Promise.race([watched({ ...watch, hook }, operation), death]);
}
