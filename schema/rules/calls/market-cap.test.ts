import { expect, it } from 'vitest';
import { marketCapAt, recordedMarketCap } from './market-cap.ts';

const jupiter = { source: 'jupiter', price: '2', marketCapUsd: 2_000_000 };
const dexscreener = { source: 'dexscreener', price: '2.04', marketCapUsd: 2_050_000 };
type Quote = Parameters<typeof recordedMarketCap>[0]['quotes'][number];
const record = (recordedSource: string, price: string, ...quotes: Quote[]) =>
  recordedMarketCap({ quotes, recordedSource, price });

it('the recorded market cap comes from the source whose price was recorded', () => {
  expect(record('jupiter', '2', jupiter, dexscreener)).toBe(2_000_000);
  expect(record('dexscreener', '2.04', jupiter, dexscreener)).toBe(2_050_000);
});

it('the recorded market cap is the other source’s market cap, scaled to the recorded price, if the recorded source has none', () => {
  const unnamed = { ...dexscreener, marketCapUsd: null };
  expect(record('dexscreener', '2.04', jupiter, unnamed)).toBe(2_040_000);
});

it.each([null, 0, 0.4, Number.NaN, Number.POSITIVE_INFINITY, 1e17])(
  'the recorded market cap ignores a source’s market cap of %s',
  (marketCapUsd) => {
    expect(record('jupiter', '2.04', { ...jupiter, marketCapUsd }, dexscreener)).toBe(2_050_000);
    expect(record('jupiter', '2', { ...jupiter, marketCapUsd })).toBeNull();
  },
);

it('the recorded market cap is null without a priced quote', () => {
  expect(record('jupiter', '2', { ...jupiter, price: null })).toBeNull();
});

it.each([
  ['2', 1_000_000],
  ['3', 1_500_000],
  ['0.00000002', 0.01],
  ['0', 0],
])('the market cap at the price %s is %s', (price, cap) => {
  expect(marketCapAt({ entryPrice: '2', entryMarketCapUsd: 1_000_000 }, price)).toBeCloseTo(cap, 9);
});

it('the market cap at a price is null if the market cap at the entry is unknown', () => {
  expect(marketCapAt({ entryPrice: '2', entryMarketCapUsd: null }, '3')).toBeNull();
});
