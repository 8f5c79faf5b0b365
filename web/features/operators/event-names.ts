import type { PaymentEventKind } from '#schema/contracts/operators.ts';

export const EVENT_NAMES: Readonly<Record<PaymentEventKind, string>> = {
  opened: 'Opened',
  signed: 'Signed',
  landed: 'Landed',
  dead: 'Can’t land any more',
  recorded: 'Recorded',
  granted: 'Period granted',
  finalized: 'Settled',
  revoked: 'Revoked by a fork',
  moved: 'Period moved',
  refunded: 'Refunded in full',
  paid_back: 'Paid back',
  orphaned: 'Found as an orphan',
  resolved: 'Orphan resolved',
  notified: 'Caller notified',
};
