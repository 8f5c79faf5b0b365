import { HOUR_MS } from '#schema/constants/time.ts';
import { monthOf } from '#schema/rules/money/earned.ts';
import type { ChainTransaction } from '../../../ports/chain.ts';
import { mapConcurrently } from '../../../shared/concurrency.ts';
import { timeAndIdSchema, type CheckPart, type LedgerCheckOptions } from './check-part.ts';
import type { Earned, LedgerProblem, PaymentToCheck } from './ledger-checks.repository.ts';
import { judgeIntent, recordPayment } from './record-payment.ts';

const PAGE_SIZE = 50;
/** Finality takes seconds, so a payment that is unfinalized for this long is stuck. */
const SETTLED_WITHIN_MS = HOUR_MS;

/** `lamports`: what the payment left us, according to the ledger and to the chain. */
interface Checked {
  readonly problems: readonly LedgerProblem[];
  readonly lamports: Readonly<Record<'ledger' | 'chain', bigint>>;
}

/** Checks each payment against its intent and the chain, and its subscription period against the ledger. */
export function createCheckPayments(options: LedgerCheckOptions): CheckPart {
  const { checks, chain, signaturesPerRequest } = options;
  const checkPayment = createCheckPayment(options);

  return async ({ since, until, countUntil, extendLease }, after) => {
    const page = await checks.listPayments({
      since,
      until,
      after: timeAndIdSchema.parse(after),
      limit: PAGE_SIZE,
    });
    const states = await chain.signatureStates(page.map(({ signature }) => signature));
    const payments = page.map((payment, index) => ({ payment, state: states[index] }));
    const checked = await mapConcurrently(payments, async ({ payment, state }) => {
      await extendLease();
      const isFinalized = state?.status === 'finalized' && state.error === null;
      return { payment, ...(await checkPayment(payment, isFinalized)) };
    });
    const last = page.length < PAGE_SIZE ? undefined : page.at(-1);
    return {
      problems: checked.flatMap(({ problems }) => problems),
      earned: sumMonths(checked.filter(({ payment }) => payment.createdAt <= countUntil)),
      next: last ? { at: last.createdAt, id: last.id } : null,
      cost: 1 + Math.ceil(page.length / signaturesPerRequest) + page.length,
    };
  };
}

function sumMonths(checked: readonly (Checked & { payment: PaymentToCheck })[]): Earned[] {
  const months = Map.groupBy(checked, ({ payment }) => monthOf(payment.paidAt));
  const sum = (rows: readonly Checked[], of: keyof Checked['lamports']) =>
    rows.reduce((total, { lamports }) => total + lamports[of], 0n);
  return [...months].map(([month, rows]) => ({
    month,
    checkedPayments: rows.filter(({ lamports }) => lamports.ledger > 0n).length,
    ledgerLamports: sum(rows, 'ledger'),
    chainLamports: sum(rows, 'chain'),
  }));
}

function createCheckPayment(options: LedgerCheckOptions) {
  const { broadcasts, chain, clock, platformAddress } = options;
  /** Restores a revoked payment's period if its transaction is on the chain after all. */
  const grantAgain = async ({ intent, signature }: PaymentToCheck): Promise<Checked> => {
    const problems = [{ problem: 'payment.revoked_but_landed', subject: signature }];
    const transaction = await chain.transaction(signature);
    if (typeof transaction === 'string') return { problems, lamports: NOTHING };
    const verdict = await judgeIntent(broadcasts, transaction, intent);
    if ('mismatch' in verdict) return { problems, lamports: NOTHING };
    await recordPayment(options, { intent, transaction, ...verdict, now: clock.now() });
    return {
      problems: [{ problem: 'payment.was_missing', subject: signature }, ...problems],
      lamports: { ledger: intent.platformLamports, chain: receivedBy(transaction, platformAddress) },
    };
  };

  return async (payment: PaymentToCheck, isFinalized: boolean): Promise<Checked> => {
    const { intent } = payment;
    const ledger = payment.isGranted ? intent.platformLamports : 0n;
    const found = (problem: string | null, onChain = 0n): Checked => ({
      problems: problem === null ? [] : [{ problem, subject: payment.signature }],
      lamports: { ledger, chain: onChain },
    });
    const expected = payment.hasPeriod ? 1 : 0;
    if (payment.periods !== expected || payment.matchingPeriods !== expected) {
      return found('payment.period');
    }
    if (!payment.matchesIntent) return found('payment.differs_from_intent');
    if (!payment.isGranted) return isFinalized ? grantAgain(payment) : found(null);
    if (!payment.isSettled) {
      return found(payment.createdAt < clock.now() - SETTLED_WITHIN_MS ? 'payment.unsettled' : null);
    }
    const transaction = await chain.transaction(payment.signature);
    if (transaction === 'unreadable') return found('payment.unreadable');
    if (transaction === 'absent' || !isFinalized) return found('payment.not_on_chain');
    const verdict = await judgeIntent(broadcasts, transaction, intent);
    return found(
      'mismatch' in verdict ? 'payment.differs_from_chain' : null,
      receivedBy(transaction, platformAddress),
    );
  };
}

const NOTHING = { ledger: 0n, chain: 0n };

const receivedBy = ({ balanceChanges }: ChainTransaction, address: string): bigint =>
  balanceChanges.get(address) ?? 0n;
