import { beforeEach, expect, it } from 'vitest';
import { MINUTE_MS } from '#schema/constants/time.ts';
import type { RequestPriority, PriceSource, TokenFacts } from '../../../ports/price-source.ts';
import { createTokenNames } from './token-names.ts';

const bonk = { symbol: 'BONK', name: 'Bonk', logoURI: null };

let now: number;
let requested: { readonly mints: readonly string[]; readonly priority: RequestPriority }[];
let isDown: boolean;
let names: ReturnType<typeof createTokenNames>;

beforeEach(() => {
  now = 0;
  requested = [];
  isDown = false;
  const source = {
    name: 'source',
    tokens: async (mints: readonly string[], priority: RequestPriority) => {
      requested.push({ mints, priority });
      if (isDown) throw new Error('down');
      return new Map(mints.filter((mint) => mint === 'bonk').map((mint) => [mint, bonk as TokenFacts]));
    },
  } as Partial<PriceSource> as PriceSource;
  names = createTokenNames({
    sources: [source],
    clock: { now: () => now, sleep: () => Promise.resolve() },
  });
});

const describeTokens = (...mints: string[]) => names.describeTokens({ mints, userId: 'ada' });

it('the names of tokens in a list are requested once, even if no source knows one of the tokens', async () => {
  for (let request = 0; request < 3; request++) {
    expect(await describeTokens('bonk', 'worthless')).toEqual(new Map([['bonk', bonk]]));
  }
  expect(requested.map(({ mints }) => mints)).toEqual([['bonk', 'worthless']]);
});

it('the name of an unknown token in a list is requested again after ten minutes', async () => {
  await describeTokens('worthless');
  now = 10 * MINUTE_MS;
  await describeTokens('worthless');
  expect(requested).toHaveLength(2);
});

it('the names of tokens in a list are requested again after the source failed', async () => {
  isDown = true;
  expect(await describeTokens('bonk')).toEqual(new Map());
  isDown = false;
  expect(await describeTokens('bonk')).toEqual(new Map([['bonk', bonk]]));
});

it('requests for the names of tokens in a list use the user’s share of the rate limit', async () => {
  await describeTokens('bonk');
  expect(requested.map(({ priority }) => priority)).toEqual([{ isUrgent: false, person: 'ada' }]);
});
