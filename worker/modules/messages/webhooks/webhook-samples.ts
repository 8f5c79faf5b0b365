import { WRAPPED_SOL_MINT } from '#schema/constants/money.ts';
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
    openedAt: timestamp,
    endPrice: null,
    endedAt: null,
    changePercent: null,
    message: null,
    level: null,
    levelPrice: null,
  };
  const ended = { endPrice: '125', endedAt: timestamp, changePercent: 25 };
  return [
    { ...head, type: 'call.opened', data: call },
    { ...head, type: 'call.updated', data: { ...call, message: 'Half sold.' } },
    { ...head, type: 'call.level_hit', data: { ...call, level: 'target', levelPrice: '120' } },
    { ...head, type: 'call.ended', data: { ...call, ...ended } },
    {
      ...head,
      type: 'payment.received',
      data: { id: 'sample-payment', version: now, amount: '0.9', subscriber: null, paidUntil: timestamp },
    },
    {
      ...head,
      type: 'subscription.ended',
      data: { id: 'sample-caller', version: now, callerId: 'sample-caller' },
    },
  ];
}
