import { DAY_MS, HOUR_MS, MINUTE_MS } from '#schema/constants.ts';
import type { Alarm } from '../../shared/alarms.ts';
import type { Chain, ChainTransaction } from '../../ports/chain.ts';
import type { Clock } from '../../ports/clock.ts';
import type { IntentsRepository } from './intents.repository.ts';
import type { LedgerChecksRepository, LedgerProblem, PaymentToCheck } from './ledger-checks.repository.ts';
import type { LedgerRepository, OrphanRow } from './ledger.repository.ts';
import { describeOrphan, judgeLanded, judgeNamed, recordPayment } from './record-payment.ts';

const PAGE_SIZE = 50;
/** A check that has begun and not ended by then has died. */
const CHECK_LOST_MS = 10 * MINUTE_MS;
/** Finality takes seconds. Who waits this long for it is stuck. */
const SETTLED_WITHIN_MS = HOUR_MS;
const PROBLEMS_KEPT = 50;
/** Each is a question of its own to the chain. What is left over, as when somebody sends us dust, is looked at the next day. */
const UNKNOWN_PER_CHECK = 400;
/** They travel to the database as one text. */
const SIGNATURES_PER_QUERY = 2_000;

export interface LedgerCheckOptions {
  readonly checks: LedgerChecksRepository;
  readonly intents: IntentsRepository;
  readonly ledger: LedgerRepository;
  readonly chain: Chain;
  readonly clock: Clock;
  readonly platformAddress: string;
  readonly alarm: (alarm: Alarm) => Promise<void>;
}

export type LedgerCheckService = ReturnType<typeof createLedgerCheckService>;

/** Once a day: do the chain, the ledger and the periods say the same? */
export function createLedgerCheckService({
  checks,
  intents,
  ledger,
  chain,
  clock,
  platformAddress,
  alarm,
}: LedgerCheckOptions) {
  /** Gives a payment its period back that was taken for vanished and stands on the chain. */
  const grantAgain = async ({ intent, signature }: PaymentToCheck): Promise<LedgerProblem[]> => {
    const transaction = await chain.transaction(signature);
    const verdict = transaction && (await judgeLanded({ intents, intent, transaction }));
    if (!transaction || !verdict || 'mismatch' in verdict) return [];
    await recordPayment({ ledger, intent, transaction, ...verdict, now: clock.now() });
    return [{ problem: 'payment.was_missing', subject: signature }];
  };

  /** What the chain says of a payment that we hold, and whether its period is the ledger's. */
  const checkPayment = async (payment: PaymentToCheck, isFinalized: boolean): Promise<LedgerProblem[]> => {
    const problem = (name: string) => [{ problem: name, subject: payment.signature }];
    const wanted = payment.isGranted ? 1 : 0;
    if (payment.periods !== wanted || payment.periodsAsInLedger !== wanted) return problem('payment.period');
    if (!payment.isAsPinned) return problem('payment.differs_from_intent');
    if (!payment.isGranted) {
      return isFinalized ? [...(await grantAgain(payment)), ...problem('payment.revoked_but_landed')] : [];
    }
    if (!payment.isSettled) {
      return payment.createdAt < clock.now() - SETTLED_WITHIN_MS ? problem('payment.unsettled') : [];
    }
    const transaction = await chain.transaction(payment.signature);
    if (!transaction || !isFinalized) return problem('payment.not_on_chain');
    return 'mismatch' in (await judgeLanded({ intents, intent: payment.intent, transaction }))
      ? problem('payment.differs_from_chain')
      : [];
  };

  const checkPayments = async (since: number): Promise<LedgerProblem[]> => {
    const problems: LedgerProblem[] = [];
    let after: PaymentToCheck | null = null;
    for (;;) {
      const page: PaymentToCheck[] = await checks.listPayments({ since, after, limit: PAGE_SIZE });
      const states = await chain.signatureStates(page.map(({ signature }) => signature));
      const found = await Promise.all(
        page.map((payment, index) =>
          checkPayment(payment, states[index]?.status === 'finalized' && states[index].error === null),
        ),
      );
      problems.push(...found.flat());
      if (page.length < PAGE_SIZE) return problems;
      after = page.at(-1) ?? null;
    }
  };

  /** Makes a transaction that is no payment one, where it pays an intent; else it may be an orphan. */
  const adopt = async (
    transaction: ChainTransaction,
  ): Promise<{ isAdopted: boolean; orphan: OrphanRow | null }> => {
    const { intent, verdict } = await judgeNamed({
      intents,
      named: await intents.findIntentsByReference(transaction.accounts),
      transaction,
    });
    const now = clock.now();
    if ('mismatch' in verdict) {
      return {
        isAdopted: false,
        orphan: describeOrphan({ transaction, intent, ...verdict, platformAddress, now }),
      };
    }
    if (intent) await recordPayment({ ledger, intent, transaction, ...verdict, now });
    return { isAdopted: true, orphan: null };
  };

  /**
   * Looks at all that was paid to the platform wallet since the last check. What pays an intent and is no
   * payment yet becomes one; what bought nothing goes on the operator's list.
   */
  const scanPlatform = async (
    after: string | null,
  ): Promise<{ scannedUntil: string | null; problems: LedgerProblem[] }> => {
    const signatures = await chain.finalizedSignaturesFor({ address: platformAddress, after });
    const unknown: string[] = [];
    for (let start = 0; start < signatures.length; start += SIGNATURES_PER_QUERY) {
      unknown.push(...(await checks.listUnknown(signatures.slice(start, start + SIGNATURES_PER_QUERY))));
    }
    const read = unknown.slice(0, UNKNOWN_PER_CHECK);
    const isCut = read.length < unknown.length;
    const problems: LedgerProblem[] = isCut
      ? [{ problem: 'chain.unscanned', subject: `${unknown.length - read.length} transactions` }]
      : [];
    const orphans: OrphanRow[] = [];
    let firstUnread: string | undefined;
    for (const signature of read) {
      const transaction = await chain.transaction(signature);
      if (!transaction || transaction.blockTime === null) {
        firstUnread ??= signature;
        problems.push({ problem: 'chain.unreadable', subject: signature });
        continue;
      }
      const { isAdopted, orphan } = await adopt(transaction);
      if (isAdopted) problems.push({ problem: 'payment.was_missing', subject: signature });
      if (orphan) orphans.push(orphan);
    }
    const added = await ledger.insertOrphans(orphans);
    // What could not be read is looked at again the next day, and all that came after it.
    const seen =
      firstUnread === undefined
        ? isCut
          ? read
          : signatures
        : signatures.slice(0, signatures.indexOf(firstUnread));
    const scannedUntil = seen.at(-1) ?? after;
    return {
      scannedUntil,
      problems: [...problems, ...added.map((subject) => ({ problem: 'payment.orphan', subject }))],
    };
  };

  const check = async (): Promise<{ scannedUntil: string | null; problems: LedgerProblem[] }> => {
    const last = await checks.findLastFinished();
    // What the platform wallet got before the first check has nothing to do with us.
    if (last === null) {
      return { scannedUntil: await chain.newestFinalizedSignature(platformAddress), problems: [] };
    }
    // A day more than there is between two checks, so that what was not settled then is looked at again.
    const since = last.startedAt - DAY_MS;
    // What needs the chain least comes first: strangers can make the walk over the platform wallet long.
    const inDatabase = [
      ...(await checks.listOverlaps(clock.now())),
      ...(await checks.listWrongCounters(since)),
    ];
    const ofPayments = await checkPayments(since);
    const { scannedUntil, problems } = await scanPlatform(last.scannedUntil);
    return { scannedUntil, problems: [...inDatabase, ...ofPayments, ...problems] };
  };

  return {
    /** Runs the check of today, unless it was made or is being made. Whatever it finds raises an alarm. */
    async checkOncePerDay(): Promise<{ problems: number } | null> {
      const now = clock.now();
      const day = new Date(now).toISOString().slice(0, 10);
      if (!(await checks.begin({ day, now, staleBefore: now - CHECK_LOST_MS }))) return null;
      try {
        const { scannedUntil, problems } = await check();
        const kept = problems.slice(0, PROBLEMS_KEPT);
        await checks.finish({
          day,
          finishedAt: clock.now(),
          scannedUntil,
          problemCount: problems.length,
          problems: JSON.stringify(kept),
        });
        if (problems.length > 0) {
          await alarm({ kind: 'ledger.problems', details: { day, count: problems.length, first: kept } });
        }
        return { problems: problems.length };
      } catch (error) {
        await alarm({ kind: 'ledger.check_failed', details: { day, error: String(error) } });
        throw error;
      }
    },
  };
}
