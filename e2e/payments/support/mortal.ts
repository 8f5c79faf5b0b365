import { watched, type AwaitPoint, type Watch } from './awaits.ts';

/** What stands in place of the result of an operation that died. */
export const DIED = Symbol('died');

/**
 * Runs an operation that dies at one of its awaits: it goes no further than that point, as when the
 * machine under it is gone, while what it has asked for before takes its course.
 * @param options.diesAt counts its awaits from 0, each twice: before it and after it. Without one it lives.
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
      // Whoever counts questions and answers hears of this answer all the same.
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
