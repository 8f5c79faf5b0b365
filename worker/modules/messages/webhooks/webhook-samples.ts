import { MONTH_DAYS, WRAPPED_SOL_MINT } from '#schema/constants/money.ts';
import { DAY_MS, HOUR_MS } from '#schema/constants/time.ts';
import type { CallEventBody, WebhookBody } from '#schema/contracts/webhooks.ts';

/** One body of each kind. Nothing in them belongs to anybody. */
export function sampleBodies(now: number): WebhookBody[] {
  const timestamp = new Date(now).toISOString();
  const head = { timestamp, isSample: true } as const;
  const call: CallEventBody['data'] = {
    id: 'sample-call',
    version: now,
    caller: { id: 'sample-caller', handle: 'sample', name: 'Sample' },
    tokenMint: WRAPPED_SOL_MINT,
    tokenSymbol: 'SOL',
    tokenName: 'Wrapped SOL',
    entryPrice: '100',
    targetPrice: '120',
    stopPrice: '90',
    thesis: 'A sample.',
    isPaidPromotion: false,
    openedAt: new Date(now - HOUR_MS).toISOString(),
    endPrice: null,
    endedAt: null,
    changePercent: null,
    message: null,
    level: null,
    levelPrice: null,
  };
  const next = (steps: number) => ({ ...call, version: now + steps });
  const ended = { endPrice: '120', endedAt: timestamp, changePercent: 20 };
  const paidUntil = new Date(now + MONTH_DAYS * DAY_MS).toISOString();
  return [
    { ...head, type: 'call.opened', data: call },
    { ...head, type: 'call.updated', data: { ...next(1), message: 'Half sold.' } },
    { ...head, type: 'call.level_hit', data: { ...next(2), level: 'target', levelPrice: '120' } },
    { ...head, type: 'call.ended', data: { ...next(3), ...ended } },
    {
      ...head,
      type: 'payment.received',
      data: { id: 'sample-payment', version: now, amount: '0.9', subscriber: null, paidUntil },
    },
    {
      ...head,
      type: 'subscription.ended',
      data: { id: 'sample-caller', version: now, callerId: 'sample-caller' },
    },
  ];
}
