import { afterEach, expect, it, vi } from 'vitest';
import { BULK } from '../ports/price-source.ts';
import { createJupiter } from './jupiter.ts';
import { systemClock } from './system-clock.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const MINT = 'XsoCS1TfEyfFhfvj8EtZ528L3CaKBDBRqRapnBbDF2W';
const jupiter = createJupiter({
  baseUrl: 'https://jupiter.test',
  apiKey: undefined,
  clock: systemClock,
  perMinute: 60,
  budget: { take: () => Promise.resolve(0) },
});

it.each([
  ['missing', {}],
  ['null', { usdPricePrescaled: null }],
  ['a text', { usdPricePrescaled: '1102' }],
  ['inside a malformed scaledUiConfig', 'scaled'],
])('Jupiter’s price of a scaled token is ignored if the unscaled price is %s', async (_, scaledUiConfig) => {
  const priced = { usdPrice: 110.2, scaledUiConfig };
  const responses = [{ [MINT]: priced }, [{ id: MINT, ...priced }], [{ id: MINT, ...priced }]];
  vi.spyOn(globalThis, 'fetch').mockImplementation(() => Promise.resolve(Response.json(responses.shift())));
  expect(await jupiter.prices([MINT], BULK)).toEqual(new Map());
  expect((await jupiter.tokens([MINT], BULK)).get(MINT)).toMatchObject({ price: null, multiplier: null });
  expect(await jupiter.quote(MINT, BULK)).toMatchObject({ price: null, failure: 'absent' });
});
