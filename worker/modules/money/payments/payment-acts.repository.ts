import { and, eq, isNull, lt } from 'drizzle-orm';
import { SMALL_ORPHAN_LAMPORTS } from '#schema/constants/running.ts';
import { paymentOrphans, refunds } from '#schema/tables/payment-ledger.ts';
import { paymentBroadcasts } from '#schema/tables/payments.ts';
import type { ActionRequest, ActionRule } from '../../log/operator-acts.repository.ts';
import { allOf, anyOf, build, hasRow } from '../../../shared/sql.ts';
import { isUnreadablePayment } from './pending-broadcasts.repository.ts';

/** An orphan by its signature, or all small ones of a wallet that match no intent. */
const isOrphanOf = ({ subjectId }: ActionRequest) => {
  const { signature, intentId, payerAddress, platformLamports, resolvedAt } = paymentOrphans;
  const isSmall = lt(platformLamports, BigInt(SMALL_ORPHAN_LAMPORTS));
  const isSmallOfWallet = allOf(eq(payerAddress, subjectId), isNull(intentId), isSmall);
  return allOf(isNull(resolvedAt), anyOf(eq(signature, subjectId), isSmallOfWallet));
};

const isUnreadable = ({ subjectId }: ActionRequest) =>
  and(eq(paymentBroadcasts.signature, subjectId), isUnreadablePayment);

export const RESOLVE_ORPHAN: ActionRule = {
  exists: ({ subjectId }) => {
    const { signature, payerAddress } = paymentOrphans;
    return hasRow(paymentOrphans, anyOf(eq(signature, subjectId), eq(payerAddress, subjectId)));
  },
  applies: (request) => hasRow(paymentOrphans, isOrphanOf(request)),
  statements: ({ isRecorded, now, reason, ...request }) => [
    build
      .update(paymentOrphans)
      .set({ resolvedAt: now, note: reason })
      .where(and(isOrphanOf({ now, reason, ...request }), isRecorded)),
  ],
};

/** A payment, by its signature, or the transfers so far of a refund, by its reference. */
export const RELEASE_PAYMENT: ActionRule = {
  exists: ({ subjectId }) =>
    anyOf(
      hasRow(paymentBroadcasts, eq(paymentBroadcasts.signature, subjectId)),
      hasRow(refunds, eq(refunds.reference, subjectId)),
    ),
  applies: (request) =>
    anyOf(
      hasRow(paymentBroadcasts, isUnreadable(request)),
      hasRow(refunds, eq(refunds.reference, request.subjectId)),
    ),
  statements: (change) => [
    build
      .update(paymentBroadcasts)
      .set({ deadAt: change.now })
      .where(and(isUnreadable(change), change.isRecorded)),
  ],
};
