import { DAY_MS, HOUR_MS, MINUTE_MS } from '#schema/constants.ts';
import type { ChainTransaction } from '../../ports/chain.ts';
import type { Alarm } from '../../shared/alarms.ts';
import type { LedgerChecksRepository, LedgerProblem, PaymentToCheck } from './ledger-checks.repository.ts';
import type { OrphanRow } from './ledger.repository.ts';
import {
  describeOrphan,
  judgeFirstPaid,
  judgeIntent,
  recordPayment,
  type PaymentDependencies,
} from './record-payment.ts';

const PAGE_SIZE = 50;
const CHECK_LOST_MS = 10 * MINUTE_MS;
/** Finality takes seconds, so a payment that is unsettled for this long is stuck. */
const SETTLED_WITHIN_MS = HOUR_MS;
const PROBLEMS_KEPT = 50;
/**
 * Each unknown transaction costs one chain request. Transactions above this limit wait for the next day.
 */
const UNKNOWN_PER_CHECK = 400;
/** Limits the size of the JSON parameter with the signatures. */
const SIGNATURES_PER_QUERY = 2_000;

export interface LedgerCheckOptions extends PaymentDependencies {
  readonly checks: LedgerChecksRepository;
  readonly alarm: (alarm: Alarm) => Promise<void>;
}

interface CheckResult {
  /** The platform wallet's newest signature that is fully processed. The next check starts after it. */
  readonly scannedUntil: string | null;
  readonly problems: readonly LedgerProblem[];
}

export type LedgerCheckService = ReturnType<typeof createLedgerCheckService>;

export function createLedgerCheckService(options: LedgerCheckOptions) {
  const { checks, chain, clock, platformAddress, alarm } = options;
  const checkPayments = createCheckPayments(options);
  const scanPlatform = createScanPlatform(options);

  const check = async (): Promise<CheckResult> => {
    const last = await checks.findLastFinished();
    // The first check has nothing to scan, because older transactions can't be our payments.
    if (last === null) {
      return { scannedUntil: await chain.newestFinalizedSignature(platformAddress), problems: [] };
    }
    // Starts one day before the last check, because payments that weren't settled then must be checked
    // again.
    const since = last.startedAt - DAY_MS;
    // The scan of the platform wallet comes last, because strangers can make it long.
    const overlaps = await checks.listOverlaps(clock.now());
    const counters = await checks.listWrongCounters(since);
    const payments = await checkPayments(since);
    const { scannedUntil, problems } = await scanPlatform(last.scannedUntil);
    return { scannedUntil, problems: [...overlaps, ...counters, ...payments, ...problems] };
  };

  return {
    /** Runs today's check unless it has run or is running. Raises an alarm if it finds problems. */
    async checkOncePerDay(): Promise<{ problems: number } | null> {
      const now = clock.now();
      const day = new Date(now).toISOString().slice(0, 10);
      if (!(await checks.begin({ day, now, staleBefore: now - CHECK_LOST_MS }))) return null;
      try {
        const { scannedUntil, problems } = await check();
        const first = problems.slice(0, PROBLEMS_KEPT);
        await checks.finish({
          day,
          finishedAt: clock.now(),
          scannedUntil,
          problemCount: problems.length,
          problems: JSON.stringify(first),
        });
        if (problems.length > 0) {
          await alarm({ kind: 'ledger.problems', details: { day, count: problems.length, first } });
        }
        return { problems: problems.length };
      } catch (error) {
        await alarm({ kind: 'ledger.check_failed', details: { day, error: String(error) } });
        throw error;
      }
    },
  };
}

/** Compares payments with the chain, and their periods with the ledger. */
function createCheckPayments(options: LedgerCheckOptions) {
  const { checks, chain } = options;
  const checkPayment = createCheckPayment(options);

  return async (since: number): Promise<LedgerProblem[]> => {
    const problems: LedgerProblem[] = [];
    let after: PaymentToCheck | null = null;
    for (;;) {
      const page: PaymentToCheck[] = await checks.listPayments(since, { after, limit: PAGE_SIZE });
      const states = await chain.signatureStates(page.map(({ signature }) => signature));
      const found = await Promise.all(
        page.map((payment, index) => {
          const state = states[index];
          return checkPayment(payment, state?.status === 'finalized' && state.error === null);
        }),
      );
      problems.push(...found.flat());
      if (page.length < PAGE_SIZE) return problems;
      after = page.at(-1) ?? null;
    }
  };
}

function createCheckPayment({ broadcasts, ledger, chain, clock }: LedgerCheckOptions) {
  /** Restores a revoked payment's period if its transaction is on the chain after all. */
  const grantAgain = async ({ intent, signature }: PaymentToCheck): Promise<LedgerProblem[]> => {
    const transaction = await chain.transaction(signature);
    const verdict = transaction && (await judgeIntent(broadcasts, transaction, intent));
    if (!transaction || !verdict || 'mismatch' in verdict) return [];
    await recordPayment(ledger, { intent, transaction, ...verdict, now: clock.now() });
    return [{ problem: 'payment.was_missing', subject: signature }];
  };

  return async (payment: PaymentToCheck, isFinalized: boolean): Promise<LedgerProblem[]> => {
    const problem = (name: string) => [{ problem: name, subject: payment.signature }];
    const expected = payment.isGranted ? 1 : 0;
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
    if (!transaction || !isFinalized) return problem('payment.not_on_chain');
    const verdict = await judgeIntent(broadcasts, transaction, payment.intent);
    return 'mismatch' in verdict ? problem('payment.differs_from_chain') : [];
  };
}

/** Reads the platform wallet's transactions since the last check, and records those that pay an intent. */
function createScanPlatform(options: LedgerCheckOptions) {
  const { checks, ledger, chain, platformAddress } = options;
  const recordUnknown = createRecordUnknown(options);

  return async (after: string | null): Promise<CheckResult> => {
    const signatures = await chain.finalizedSignaturesFor({ address: platformAddress, after });
    const unknown: string[] = [];
    for (let start = 0; start < signatures.length; start += SIGNATURES_PER_QUERY) {
      unknown.push(...(await checks.listUnknown(signatures.slice(start, start + SIGNATURES_PER_QUERY))));
    }
    const read = unknown.slice(0, UNKNOWN_PER_CHECK);
    const unscanned = unknown.length - read.length;
    const problems: LedgerProblem[] =
      unscanned > 0 ? [{ problem: 'chain.unscanned', subject: `${unscanned} transactions` }] : [];
    const orphans: OrphanRow[] = [];
    let firstUnread: string | undefined;
    for (const signature of read) {
      const transaction = await chain.transaction(signature);
      if (!transaction || transaction.blockTime === null) {
        firstUnread ??= signature;
        problems.push({ problem: 'chain.unreadable', subject: signature });
        continue;
      }
      const { isRecorded, orphan } = await recordUnknown(transaction);
      if (isRecorded) problems.push({ problem: 'payment.was_missing', subject: signature });
      if (orphan) orphans.push(orphan);
    }
    const added = await ledger.insertOrphans(orphans);
    problems.push(...added.map((subject) => ({ problem: 'payment.orphan', subject })));
    // The next check resumes at the first unreadable transaction.
    const scanned = unscanned > 0 ? read : signatures;
    const finished =
      firstUnread === undefined ? scanned : signatures.slice(0, signatures.indexOf(firstUnread));
    return { scannedUntil: finished.at(-1) ?? after, problems };
  };
}

/**
 * Records a transaction that pays an intent. If it pays none but left money with the platform or a caller,
 * returns it as an orphan.
 */
function createRecordUnknown({ intents, broadcasts, ledger, clock, platformAddress }: LedgerCheckOptions) {
  return async (
    transaction: ChainTransaction,
  ): Promise<{ isRecorded: boolean; orphan: OrphanRow | null }> => {
    const named = await intents.findByReferences(transaction.accounts);
    const { intent, verdict } = await judgeFirstPaid(broadcasts, transaction, named);
    const now = clock.now();
    if ('mismatch' in verdict) {
      const useless = { transaction, intent, ...verdict };
      return { isRecorded: false, orphan: describeOrphan(useless, { platformAddress, now }) };
    }
    if (intent) await recordPayment(ledger, { intent, transaction, ...verdict, now });
    return { isRecorded: true, orphan: null };
  };
}
