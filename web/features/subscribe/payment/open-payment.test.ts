import { describe, expect, it, vi } from 'vitest';
import type { OpenIntentBody } from '#schema/contracts/payments.ts';
import type { PeriodDays } from '#schema/rules/money/lengths.ts';
import { openPayment } from './open-payment.ts';
import { apiError, intentResponse, PAYER, paidPeriod } from './payment-test-doubles.ts';

const tooFar = apiError(422, 'payments.too_far_ahead', 'Too far ahead.');
const notSold = apiError(422, 'payments.length_not_offered', 'Not sold.');

interface Sale {
  readonly sold: readonly PeriodDays[];
  /** The error for each length that can't be opened. */
  readonly refused?: ReadonlyMap<PeriodDays, Error>;
  readonly lastDays?: PeriodDays;
}

/** Opens the first intent of the dialog. Returns the shown days, and the days of the requests. */
async function open({ sold, refused = new Map(), lastDays }: Sale) {
  const openIntent = vi.fn(async ({ days = 30 }: OpenIntentBody) => {
    const error = refused.get(days);
    if (error) throw error;
    const response = intentResponse({ days });
    return { ...response, lengths: response.lengths.filter((offer) => sold.includes(offer.days)) };
  });
  const period = paidPeriod('last');
  const periods =
    lastDays === undefined
      ? []
      : [{ ...period, payment: period.payment && { ...period.payment, days: lastDays } }];
  const dependencies = { openIntent, listOwnPeriods: async () => periods, now: () => 1 };
  const opened = await openPayment({ callerId: 'caller-1', payer: PAYER }, dependencies);
  return { days: opened.response.intent.days, asked: openIntent.mock.calls.map(([body]) => body.days) };
}

describe('the first terms of a payment', () => {
  it.each<[string, Sale, PeriodDays, readonly (PeriodDays | undefined)[]]>([
    ['30 days before the first payment', { sold: [7, 30, 90] }, 30, [undefined]],
    ['the length that was bought last', { sold: [7, 30, 90], lastDays: 90 }, 90, [undefined]],
    ['30 days if the caller stopped selling the last length', { sold: [30], lastDays: 7 }, 30, [undefined]],
    [
      '7 days if 30 would end too far ahead',
      { sold: [7], refused: new Map([[30, tooFar]]), lastDays: 30 },
      7,
      [undefined, 7],
    ],
  ])('the first terms are for %s', async (_what, sale, days, asked) => {
    expect(await open(sale)).toEqual({ days, asked });
  });

  it('the dialog says that access ends too far ahead if no length can be bought', async () => {
    const refused = new Map<PeriodDays, Error>([
      [30, tooFar],
      [7, notSold],
    ]);
    await expect(open({ sold: [30], refused })).rejects.toBe(tooFar);
  });
});
