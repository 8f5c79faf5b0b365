import { expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#schema/constants/time.ts';
import type { FoundHoldings, HoldingsMovement } from './call-holdings.ts';
import { describeHoldings } from './holdings-sentences.ts';

const calledAt = 10 * DAY_MS;
const endedAt = calledAt + 2 * DAY_MS;
const call = { calledAt, endedAt, entryPrice: '1' };

type Made = readonly [kind: HoldingsMovement['kind'], at: number, amount: number, usd?: number | null];
const found = (movements: readonly Made[], heldBefore: string | null = '0'): FoundHoldings => ({
  heldBefore,
  movements: movements.map(([kind, at, amount, usd = amount]) => ({
    kind,
    at: new Date(at).toISOString(),
    amount: String(amount),
    usd,
  })),
});
const say = (...movements: Made[]) => describeHoldings(found(movements), call).join(' ');

it('the sentences about a call say what its caller bought and sold before, during and after the call', () => {
  expect(
    say(
      ['bought', calledAt - 3 * MINUTE_MS, 1_200],
      ['sold', calledAt + 4 * MINUTE_MS, 720, 900],
      ['sold', endedAt + HOUR_MS, 480],
    ),
  ).toBe(
    'Bought $1,200 three minutes before the call. ' +
      'Sold 60% during it ($900, four minutes after the call). ' +
      'Sold 100% after its end ($480, an hour after the end).',
  );
});

it('the sentences about a call sum up several purchases, sales and transfers', () => {
  expect(
    say(
      ['bought', calledAt - 45 * MINUTE_MS, 100],
      ['bought', calledAt - MINUTE_MS, 100],
      ['received', calledAt + 30 * SECOND_MS, 200],
      ['sold', calledAt + HOUR_MS, 50],
      ['sold', calledAt + DAY_MS, 50],
      ['sent', calledAt + DAY_MS, 100],
    ),
  ).toBe(
    'Bought $200 in 2 purchases, the first 45 minutes before the call. ' +
      'Received $200 by transfer during it (less than a minute after the call). ' +
      'Sold 25% during it ($100, in 2 sales, the first an hour after the call). ' +
      'Transferred 25% out during it ($100, a day after the call).',
  );
});

it('the sentences about a call mention movements of unknown value', () => {
  expect(say(['received', endedAt, 5, null])).toBe(
    'Received tokens of unknown value by transfer after its end (less than a minute after the end).',
  );
  expect(say(['bought', calledAt, 30], ['bought', calledAt + MINUTE_MS, 5, null])).toBe(
    'Bought $30 and tokens of unknown value during the call (in 2 purchases, the first less than a minute after the call).',
  );
});

it('the sentence about a sale has its share of all tokens that the caller held or got', () => {
  const sale: Made = ['sold', calledAt + MINUTE_MS, 60];
  const textOf = (heldBefore: string | null, ...movements: Made[]) =>
    describeHoldings(found([...movements, sale], heldBefore), call).at(-1);
  expect(textOf('5940')).toContain('Sold 1% during it');
  expect(textOf('60000')).toContain('Sold under 1% during it');
  expect(textOf('60.00001')).toContain('Sold 99% during it');
  expect(textOf('0', ['bought', calledAt, 60])).toContain('Sold 100% during it');
  expect(textOf('600', ['sent', calledAt - MINUTE_MS, 480])).toContain('Sold 50% during it');
});

it('the sentence about a sale has no share if the caller’s holdings aren’t fully known', () => {
  for (const heldBefore of [null, '59']) {
    expect(describeHoldings(found([['sold', calledAt + MINUTE_MS, 60]], heldBefore), call).at(-1)).toMatch(
      /^Sold \$60 during (it|the call) \(a minute after the call\)\.$/,
    );
  }
});

it('the sentences about a call mention what its caller already held if the holding was worth at least $20', () => {
  expect(describeHoldings(found([], '20'), call)).toEqual([
    'Held some already, worth $20 at the entry price.',
  ]);
  expect(describeHoldings(found([], '19.99'), call)).toEqual([]);
});
