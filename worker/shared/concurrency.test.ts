import { expect, it } from 'vitest';
import { mapConcurrently } from './concurrency.ts';

const items = Array.from({ length: 20 }, (_, index) => index);

/** Creates an async function `call`. Its promises are in `running`, where the test resolves or rejects them. */
function createCalls() {
  const running = new Map<number, PromiseWithResolvers<number>>();
  let most = 0;
  return {
    running,
    most: () => most,
    call(item: number): Promise<number> {
      const call = Promise.withResolvers<number>();
      running.set(item, call);
      most = Math.max(most, running.size);
      return call.promise.finally(() => running.delete(item));
    },
  };
}

it('mapConcurrently runs at most six calls at a time, and returns the results in order', async () => {
  const calls = createCalls();
  const mapped = mapConcurrently(items, calls.call);
  while (calls.running.size > 0) {
    for (const [item, { resolve }] of [...calls.running].toReversed()) resolve(item * 2);
    await new Promise((resolve) => {
      setTimeout(resolve);
    });
  }
  expect(await mapped).toEqual(items.map((item) => item * 2));
  expect(calls.most()).toBe(6);
});

it('mapConcurrently starts no more calls after a failure, and waits for the calls that are running', async () => {
  const begun: number[] = [];
  const ended: number[] = [];
  const mapped = mapConcurrently(items, async (item) => {
    begun.push(item);
    if (item === 2) throw new Error('broken');
    await Promise.resolve();
    await Promise.resolve();
    ended.push(item);
  });
  await expect(mapped).rejects.toThrow('broken');
  expect(begun).toEqual([0, 1, 2, 3, 4, 5]);
  expect(ended).toEqual([0, 1, 3, 4, 5]);
});

it('mapConcurrently runs one call at a time if the limit is one', async () => {
  const order: string[] = [];
  await mapConcurrently(
    [1, 2],
    async (item) => {
      order.push(`begin ${item}`);
      await Promise.resolve();
      order.push(`end ${item}`);
    },
    1,
  );
  expect(order).toEqual(['begin 1', 'end 1', 'begin 2', 'end 2']);
});
