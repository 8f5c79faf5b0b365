/** A payment's possible events, in the order of events with the same time. */
export const PAYMENT_EVENTS = {
  opened: 'Opened',
  signed: 'Signed',
  unreadable: 'Landed, but can’t be read',
  recorded: 'Recorded',
  granted: 'Period granted',
  landed: 'Landed',
  finalized: 'Settled',
  revoked: 'Revoked by a fork',
  moved: 'Period moved',
  paid_back: 'Paid back',
  refunded: 'Refunded, period ended',
  orphaned: 'Bought nothing: found as an orphan',
  resolved: 'Orphan resolved',
  dead: 'Given up',
} as const;

export type PaymentEventKind = keyof typeof PAYMENT_EVENTS;

/** These say nothing about the payment once anything else has happened: another transaction may have paid. */
export const ATTEMPTS: ReadonlySet<PaymentEventKind> = new Set([
  'opened',
  'signed',
  'unreadable',
  'landed',
  'dead',
]);
