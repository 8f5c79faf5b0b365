import { HOUR_MS } from '#schema/constants/time.ts';
import { mapConcurrently } from '../../../shared/concurrency.ts';
import { timeAndIdSchema, type CheckPart, type LedgerCheckOptions } from './check-part.ts';
import type { LedgerProblem, PaymentToCheck } from './ledger-checks.repository.ts';
import { judgeIntent, recordPayment } from './record-payment.ts';

const PAGE_SIZE = 50;
/** Finality takes seconds, so a payment that is unfinalized for this long is stuck. */
const SETTLED_WITHIN_MS = HOUR_MS;

/** Checks each payment against its intent and the chain, and its subscription period against the ledger. */
export function createCheckPayments(options: LedgerCheckOptions): CheckPart {
  const { checks, chain, signaturesPerRequest } = options;
  const checkPayment = createCheckPayment(options);

  return async ({ since, until, extendLease }, after) => {
    const page = await checks.listPayments({
      since,
      until,
      after: timeAndIdSchema.parse(after),
      limit: PAGE_SIZE,
    });
    const states = await chain.signatureStates(page.map(({ signature }) => signature));
    const payments = page.map((payment, index) => ({ payment, state: states[index] }));
    const problems = await mapConcurrently(payments, async ({ payment, state }) => {
      await extendLease();
      return checkPayment(payment, state?.status === 'finalized' && state.error === null);
    });
    const last = page.length < PAGE_SIZE ? undefined : page.at(-1);
    return {
      problems: problems.flat(),
      next: last ? { at: last.createdAt, id: last.id } : null,
      cost: 1 + Math.ceil(page.length / signaturesPerRequest) + page.length,
    };
  };
}

function createCheckPayment(options: LedgerCheckOptions) {
  const { broadcasts, chain, clock } = options;
  /** Restores a revoked payment's period if its transaction is on the chain after all. */
  const grantAgain = async ({ intent, signature }: PaymentToCheck): Promise<LedgerProblem[]> => {
    const transaction = await chain.transaction(signature);
    if (typeof transaction === 'string') return [];
    const verdict = await judgeIntent(broadcasts, transaction, intent);
    if ('mismatch' in verdict) return [];
    await recordPayment(options, { intent, transaction, ...verdict, now: clock.now() });
    return [{ problem: 'payment.was_missing', subject: signature }];
  };

  return async (payment: PaymentToCheck, isFinalized: boolean): Promise<LedgerProblem[]> => {
    const problem = (name: string) => [{ problem: name, subject: payment.signature }];
    const expected = payment.hasPeriod ? 1 : 0;
    if (payment.periods !== expected || payment.matchingPeriods !== expected) {
      return problem('payment.period');
    }
    if (!payment.matchesIntent) return problem('payment.differs_from_intent');
    if (!payment.isGranted) {
      return isFinalized ? [...(await grantAgain(payment)), ...problem('payment.revoked_but_landed')] : [];
    }
    if (!payment.isSettled) {
      return payment.createdAt < clock.now() - SETTLED_WITHIN_MS ? problem('payment.unsettled') : [];
    }
    const transaction = await chain.transaction(payment.signature);
    if (transaction === 'unreadable') return problem('payment.unreadable');
    if (transaction === 'absent' || !isFinalized) return problem('payment.not_on_chain');
    const verdict = await judgeIntent(broadcasts, transaction, payment.intent);
    return 'mismatch' in verdict ? problem('payment.differs_from_chain') : [];
  };
}
