import { z } from 'zod';
import type { ChainTransaction, SignatureEntry } from '../../../ports/chain.ts';
import { mapConcurrently } from '../../../shared/concurrency.ts';
import type { CheckContext, CheckPart, CheckStep, LedgerCheckOptions } from './check-part.ts';
import type { IntentRow } from './intents.repository.ts';
import type { LedgerProblem } from './ledger-checks.repository.ts';
import type { OrphanRow } from './ledger.repository.ts';
import { describeOrphan, judgeFirstPaid, recordPayment } from './record-payment.ts';

/** Transactions read per step. A step also reads the rest of the last transaction's slot. */
const READS_PER_STEP = 60;
/** More unreadable transactions than this mean that the endpoints are at fault. */
const MAX_UNREAD = 100;

/** The walk began at `top`, and has read everything down to `before`. */
const positionSchema = z.object({ top: z.string(), before: z.string() }).nullable();
const unreadSchema = z.array(z.string());

interface Findings {
  readonly problems: LedgerProblem[];
  readonly orphans: OrphanRow[];
  readonly unread: string[];
  dustTransfers: number;
  dustLamports: bigint;
}

/**
 * Walks through the platform wallet's transactions, from the newest one back to the newest one of the last
 * check. Records transactions that pay an intent, lists the others as orphans, and counts dust.
 */
export function createPlatformWalk(options: LedgerCheckOptions): CheckPart {
  const { checks, chain, platformAddress } = options;
  const readAll = createReadAll(options);

  return async (context, after) => {
    const { last } = context;
    const scannedAddress = platformAddress;
    if (last === null || isOfAnotherWallet(last, platformAddress)) {
      // The first check only stores the newest signature, because older transactions can't be our payments. So
      // does the first check of a new wallet, because `until` belongs to the old wallet and the new wallet's
      // list never contains it. The next check reads back to the stored signature.
      const { entries } = await chain.finalizedPage({ address: platformAddress, before: null, until: null });
      const scannedUntil = entries[0]?.signature ?? null;
      const problems = last ? [{ problem: 'chain.new_platform_wallet', subject: platformAddress }] : [];
      return { problems, next: null, cost: 1, changes: { scannedAddress, scannedUntil } };
    }
    const position = positionSchema.parse(after);
    const until = last.scannedUntil;
    const before = position?.before ?? null;
    const { entries, isLast } = await chain.finalizedPage({ address: platformAddress, before, until });
    const landed = entries.filter(({ hasFailed }) => !hasFailed).map(({ signature }) => signature);
    const unknown = await checks.listUnknown(landed);
    const part = cutBehindSlot(entries, unknown);
    const read = part.map(({ signature }) => signature).filter((signature) => unknown.has(signature));
    const { changes, ...step } = await readAll(context, read.toReversed());
    const top = position?.top ?? entries[0]?.signature ?? until;
    const lowest = part.at(-1)?.signature;
    const isDone = lowest === undefined || top === null || (isLast && part.length === entries.length);
    return {
      ...step,
      cost: step.cost + 1,
      next: isDone ? null : { top, before: lowest },
      changes: isDone ? { ...changes, scannedAddress, scannedUntil: top } : changes,
    };
  };
}

/** Reads the transactions again that no endpoint could read during the last check. */
export function createUnreadRetry(options: LedgerCheckOptions): CheckPart {
  const readAll = createReadAll(options);
  return async (context) => {
    const unread = unreadSchema.parse(JSON.parse(context.last?.unread ?? '[]'));
    const unknown = await options.checks.listUnknown(unread);
    return readAll(
      context,
      unread.filter((signature) => unknown.has(signature)),
    );
  };
}

function isOfAnotherWallet(
  { scannedAddress }: NonNullable<CheckContext['last']>,
  platformAddress: string,
): boolean {
  return scannedAddress !== null && scannedAddress !== platformAddress;
}

/**
 * Cuts the list after `READS_PER_STEP` entries that must be read (`unknown`). Continues to the end of a slot,
 * so that the last slot is complete.
 */
function cutBehindSlot(
  entries: readonly SignatureEntry[],
  unknown: ReadonlySet<string>,
): readonly SignatureEntry[] {
  let reads = 0;
  const lastRead = entries.find(({ signature }) => {
    reads += unknown.has(signature) ? 1 : 0;
    return reads === READS_PER_STEP;
  });
  if (!lastRead) return entries;
  const end = entries.findLastIndex(({ slot }) => slot === lastRead.slot);
  return entries.slice(0, end + 1);
}

function createReadAll(options: LedgerCheckOptions) {
  const { intents, ledger, chain } = options;
  const judge = createJudge(options);

  return async (
    { results, extendLease }: CheckContext,
    signatures: readonly string[],
  ): Promise<CheckStep & Required<Pick<CheckStep, 'changes'>>> => {
    const read = await mapConcurrently(signatures, async (signature) => {
      await extendLease();
      return { signature, transaction: await chain.transaction(signature) };
    });
    const accounts = new Set(read.flatMap(({ transaction }) => transaction?.accounts ?? []));
    const found = await intents.findByReferences([...accounts]);
    const byReference = new Map(found.map((intent) => [intent.reference, intent]));
    const known = unreadSchema.parse(JSON.parse(results.unread ?? '[]'));
    const { dustTransfers, dustLamports } = results;
    const findings: Findings = { problems: [], orphans: [], unread: [...known], dustTransfers, dustLamports };
    // Records one payment at a time, the oldest first. This keeps the order of a subscriber's payments to a
    // caller.
    for (const { signature, transaction } of read) {
      const named = (transaction?.accounts ?? []).flatMap((account) => byReference.get(account) ?? []);
      await judge(findings, { signature, transaction, named });
    }
    if (findings.unread.length > MAX_UNREAD) {
      throw new Error(`${findings.unread.length} transactions of the platform wallet are unreadable`);
    }
    return {
      problems: findings.problems,
      next: null,
      cost: signatures.length,
      statements: ledger.insertOrphanStatements(findings.orphans),
      changes: {
        unread: JSON.stringify(findings.unread),
        dustTransfers: findings.dustTransfers,
        dustLamports: findings.dustLamports,
      },
    };
  };
}

interface ReadTransaction {
  readonly signature: string;
  readonly transaction: ChainTransaction | null;
  /** The intents whose reference the transaction names. */
  readonly named: readonly IntentRow[];
}

function createJudge({ broadcasts, ledger, live, clock, platformAddress }: LedgerCheckOptions) {
  /** Records a transaction that pays an intent. Any other transaction that left money becomes an orphan or dust. */
  return async (findings: Findings, { signature, transaction, named }: ReadTransaction): Promise<void> => {
    if (!transaction || transaction.blockTime === null) {
      findings.unread.push(signature);
      findings.problems.push({ problem: 'chain.unreadable', subject: signature });
      return;
    }
    const { intent, verdict } = await judgeFirstPaid(broadcasts, transaction, named);
    const now = clock.now();
    if (!('mismatch' in verdict)) {
      if (intent) await recordPayment({ ledger, live }, { intent, transaction, ...verdict, now });
      findings.problems.push({ problem: 'payment.was_missing', subject: signature });
      return;
    }
    const orphan = describeOrphan({ transaction, intent, ...verdict }, { platformAddress, now });
    const received = transaction.balanceChanges.get(platformAddress) ?? 0n;
    if (orphan) {
      findings.orphans.push(orphan);
      findings.problems.push({ problem: 'payment.orphan', subject: signature });
    } else if (received > 0n) {
      findings.dustTransfers += 1;
      findings.dustLamports += received;
    }
  };
}
