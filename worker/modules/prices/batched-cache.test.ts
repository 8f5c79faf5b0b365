import { describe, expect, it } from 'vitest';
import { SHOWN_PRICE_WINDOW_MS } from '#schema/constants.ts';
import type { Lifetime } from '../../ports/lifetime.ts';
import { createBatchedCache } from './batched-cache.ts';

/** Requests whose timers fire only if the test says so. */
function createRequests() {
  let timers: { milliseconds: number; call: () => void }[] = [];
  const kept: Promise<unknown>[] = [];
  const lifetime: Lifetime = {
    keepAlive: (work) => void kept.push(work.catch(() => undefined)),
    after(milliseconds, call) {
      const timer = { milliseconds, call };
      timers.push(timer);
      return () => void (timers = timers.filter((each) => each !== timer));
    },
  };
  const fireTimers = async (isRinging: (milliseconds: number) => boolean) => {
    const ringing = timers.filter(({ milliseconds }) => isRinging(milliseconds));
    timers = timers.filter((timer) => !ringing.includes(timer));
    for (const { call } of ringing) call();
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  };
  return {
    lifetime,
    kept,
    endBatchDelay: () => fireTimers((milliseconds) => milliseconds < 1_000),
    endLongestWait: () => fireTimers((milliseconds) => milliseconds >= 1_000),
    /** Cancels the request and its timers. */
    cancelRequest: () => void (timers = []),
    waiting: () => timers.length,
  };
}

function createAnswers({ batchSize = 50 } = {}) {
  const requests = createRequests();
  const batches: string[][] = [];
  let now = Date.UTC(2026, 5, 1) + 1;
  let answer = async (keys: readonly string[]): Promise<ReadonlyMap<string, string>> =>
    new Map(keys.filter((key) => key !== 'unknown').map((key) => [key, `${key} in batch ${batches.length}`]));
  const answers = createBatchedCache({
    fetch: (keys) => {
      batches.push([...keys]);
      return answer(keys);
    },
    batchSize,
    clock: { now: () => now, sleep: () => Promise.reject(new Error('Unexpected sleep')) },
    lifetime: requests.lifetime,
  });
  return {
    ...requests,
    answers,
    batches,
    advance: (milliseconds: number) => void (now += milliseconds),
    answerBy: (next: typeof answer) => void (answer = next),
  };
}

describe('the batched cache', () => {
  it('fetches a key once for simultaneous requests, and caches it for the window even if it has no value', async () => {
    const { answers, batches, endBatchDelay, waiting } = createAnswers();
    const wanted = ['a', 'b', 'a', 'unknown', 'a', 'unknown'].map((key) => answers.get(key));
    await endBatchDelay();
    expect(await Promise.all(wanted)).toEqual([
      'a in batch 1',
      'b in batch 1',
      'a in batch 1',
      undefined,
      'a in batch 1',
      undefined,
    ]);
    expect([await answers.get('a'), await answers.get('unknown')]).toEqual(['a in batch 1', undefined]);
    expect(batches).toEqual([['a', 'b', 'unknown']]);
    expect(waiting()).toBe(0);
  });

  it('fetches again in the next window', async () => {
    const { answers, batches, endBatchDelay, advance } = createAnswers();
    const first = answers.get('a');
    await endBatchDelay();
    await first;
    advance(SHOWN_PRICE_WINDOW_MS - 2);
    await answers.get('a');
    expect(batches).toHaveLength(1);
    advance(1);
    const second = answers.get('a');
    await endBatchDelay();
    expect(await second).toBe('a in batch 2');
  });

  it('splits keys into batches', async () => {
    const { answers, batches, endBatchDelay } = createAnswers({ batchSize: 3 });
    const wanted = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((key) => answers.get(key));
    await endBatchDelay();
    await Promise.all(wanted);
    expect(batches).toEqual([['a', 'b', 'c'], ['d', 'e', 'f'], ['g']]);
  });

  it('passes a failure to all waiting requests and fetches again for the next request', async () => {
    const { answers, batches, endBatchDelay, answerBy, kept } = createAnswers();
    answerBy(() => Promise.reject(new Error('down')));
    const wanted = Promise.allSettled([answers.get('a'), answers.get('a')]);
    await endBatchDelay();
    expect((await wanted).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    answerBy((keys) => Promise.resolve(new Map(keys.map((key) => [key, 'back']))));
    const next = answers.get('a');
    await endBatchDelay();
    expect(await next).toBe('back');
    expect(batches).toHaveLength(2);
    await Promise.all(kept);
  });

  it('sends a batch even if the request that started it is cancelled', async () => {
    const { answers, batches, endBatchDelay, cancelRequest } = createAnswers();
    void answers.get('a');
    cancelRequest();
    const other = answers.get('a');
    const another = answers.get('b');
    await endBatchDelay();
    expect([await other, await another]).toEqual(['a in batch 1', 'b in batch 1']);
    expect(batches).toEqual([['a', 'b']]);
  });

  it('fetches once more for all waiting requests if a cancelled request ends their fetch', async () => {
    const { answers, batches, endBatchDelay, endLongestWait, answerBy } = createAnswers();
    answerBy(() => new Promise(() => undefined));
    const wanted = [answers.get('a'), answers.get('a'), answers.get('a')];
    await endBatchDelay();
    answerBy((keys) => Promise.resolve(new Map(keys.map((key) => [key, 'at last']))));
    await endLongestWait();
    await endBatchDelay();
    expect(await Promise.all(wanted)).toEqual(['at last', 'at last', 'at last']);
    expect(batches).toEqual([['a'], ['a']]);
  });

  it('lets a request fetch by itself after its second timeout', async () => {
    const { answers, batches, endBatchDelay, endLongestWait, answerBy } = createAnswers();
    answerBy(() => new Promise(() => undefined));
    const wanted = answers.get('a');
    await endBatchDelay();
    await endLongestWait();
    await endBatchDelay();
    answerBy((keys) => Promise.resolve(new Map(keys.map((key) => [key, 'alone']))));
    await endLongestWait();
    expect(await wanted).toBe('alone');
    expect(batches).toHaveLength(3);
  });

  it('keeps a fetch running after its request has been answered', async () => {
    const { answers, endBatchDelay, kept } = createAnswers();
    const wanted = answers.get('a');
    await endBatchDelay();
    expect(kept).toHaveLength(1);
    await wanted;
  });
});
