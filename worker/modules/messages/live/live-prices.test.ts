import { expect, it } from 'vitest';
import { MAX_LIVE_CALLS, MAX_LIVE_TOKENS } from '#schema/constants/messages.ts';
import type { PricesService } from '../../market/prices/prices.service.ts';
import { readPrices } from './live-prices.ts';
import type { LiveRepository, ShownCall } from './live.repository.ts';

const TOKENS = 10;
const TICKS = 3_000;
const callOf = (mint: number, number = 0): ShownCall => ({
  id: `call-${mint}-${number}`,
  callerId: `caller-${number}`,
  mint: `mint-${mint}`,
  calledAt: 0,
});

interface Asked {
  readonly mints: readonly string[];
  readonly starts: readonly string[];
  readonly limit: number;
}

/** The calls and prices that one tick of a hub requests, with these active calls. */
async function askOnce(calls: readonly ShownCall[], starts: readonly string[] = []): Promise<Asked> {
  let asked: Asked = { mints: [], starts: [], limit: 0 };
  const repository: Pick<LiveRepository, 'listActiveCalls'> = {
    listActiveCalls: (some, limit) => {
      asked = { ...asked, starts: some, limit };
      return Promise.resolve([...calls]);
    },
  };
  const prices: Pick<PricesService, 'livePrices'> = {
    livePrices: (request) => {
      asked = { ...asked, mints: request.calls.map(({ mint }) => mint) };
      return Promise.resolve([]);
    },
  };
  await readPrices({
    repository: repository as LiveRepository,
    prices: prices as PricesService,
    starts,
    audience: 'hub',
  });
  return asked;
}

it('while a source’s limit is used up, a token with many hidden calls has no better chance of a fresh price', async () => {
  const hidden = Array.from({ length: 200 }, (_, number) => callOf(3, number + 1));
  const calls = [...Array.from({ length: TOKENS }, (_, mint) => callOf(mint)), ...hidden];
  const fresh = new Map<string, number>();
  for (let tick = 0; tick < TICKS; tick += 1) {
    // The source responds for three tokens.
    for (const mint of [...new Set((await askOnce(calls)).mints)].slice(0, 3)) {
      fresh.set(mint, (fresh.get(mint) ?? 0) + 1 / TICKS);
    }
  }
  expect(fresh.size).toBe(TOKENS);
  // 0.3, with a standard deviation of 0.0084.
  expect([...fresh].filter(([, share]) => Math.abs(share - 0.3) > 0.05)).toEqual([]);
});

it('a hub reads at most 20,000 active calls and asks for 4,000 tokens at a time, others each time', async () => {
  const many = Array.from({ length: 2 * MAX_LIVE_TOKENS }, (_, mint) => callOf(mint));
  const starts = Array.from({ length: MAX_LIVE_CALLS + 1 }, (_, index) => `start-${index}`);
  const [one, other] = [await askOnce(many, starts), await askOnce(many, starts)];
  expect([new Set(one.starts).size, one.limit]).toEqual([MAX_LIVE_CALLS, MAX_LIVE_CALLS]);
  expect([one.mints.length, other.mints.length]).toEqual([MAX_LIVE_TOKENS, MAX_LIVE_TOKENS]);
  expect(new Set([...one.mints, ...other.mints]).size).toBeGreaterThan(1.4 * MAX_LIVE_TOKENS);
});
