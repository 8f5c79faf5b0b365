import { createHash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { SQLiteSyncDialect } from 'drizzle-orm/sqlite-core';
import type { SQL } from 'drizzle-orm';
import { INTENT_LIFETIME_MS } from '#schema/constants/money.ts';
import { SECOND_MS } from '#schema/constants/time.ts';
import type { Chain } from '#dev/stand-ins/chain/chain.ts';
import { platformAddress } from '#dev/local/product-vars.ts';
import {
  checkRepaired,
  checkPlatformBalance,
  type Landed,
  type Snapshot,
} from '../../e2e/payments/model/repaired.ts';
import { checkRows, Violation } from '../../e2e/payments/model/row-invariants.ts';
import { QUERIES, type Rows } from '../../e2e/payments/support/row-queries.ts';
import type { Signed } from './payments.ts';

const STATISTICS_REPOSITORY = '#worker/modules/market/calls/call-statistics.repository.ts';

interface Statistics {
  listWrongStatistics(ids: readonly string[]): Promise<string[]>;
}

interface InvariantsOptions {
  /** The file of the product's database. */
  readonly file: string;
  readonly chain: Chain;
  readonly transactions: readonly Signed[];
}

export type Invariants = Awaited<ReturnType<typeof createInvariants>>;

/** Queries for derived rows that differ from their source rows. */
const DERIVED = {
  'an active mint is missing': `SELECT token_mint FROM calls WHERE ended_at IS NULL EXCEPT SELECT mint FROM active_mints`,
  'a mint without an active call is active': `SELECT mint FROM active_mints EXCEPT SELECT token_mint FROM calls WHERE ended_at IS NULL`,
  'a caller differs from their user': `SELECT 1 FROM callers c JOIN users u ON u.id = c.caller_id
     WHERE c.is_verified <> u.is_verified OR c.summary ->> 'twitter_handle' <> u.twitter_handle`,
  'a deleted user has a session': `SELECT 1 FROM sessions s JOIN users u ON u.id = s.user_id WHERE u.deleted_at IS NOT NULL`,
};

export async function createInvariants({ file, chain, transactions }: InvariantsOptions) {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 10 * SECOND_MS });
  const all = <Row>(sql: string, ...params: (string | number)[]) =>
    database.prepare(sql).all(...params) as Row[];
  const dialect = new SQLiteSyncDialect();
  const { createCallStatisticsRepository } = (await import(STATISTICS_REPOSITORY)) as {
    createCallStatisticsRepository: (db: object) => Statistics;
  };
  const statistics = createCallStatisticsRepository({
    all(statement: SQL) {
      const { sql, params } = dialect.sqlToQuery(statement);
      return Promise.resolve(all(sql, ...(params as string[])));
    },
  });
  const slots = { slotAt: (unixMs: number) => chain.clock.slotAt(unixMs) };
  const seen = new Map<string, ReadonlySet<string>>();

  const readRows = () =>
    Object.fromEntries(Object.entries(QUERIES).map(([name, sql]) => [name, all(sql)])) as unknown as Rows;

  /** Runs all reads in one transaction. */
  const atOneTime = <Result>(read: () => Result): Result => {
    database.exec('BEGIN');
    try {
      return read();
    } finally {
      database.exec('COMMIT');
    }
  };

  /** Tables whose rows can't be updated or deleted, found by the names of their triggers. */
  const appendOnly = all<{ name: string }>(
    `SELECT tbl_name AS name FROM sqlite_master u
     WHERE type = 'trigger' AND name = tbl_name || '_update' AND sql LIKE '%BEFORE UPDATE ON %BEGIN SELECT RAISE(ABORT%' AND sql NOT LIKE '%WHEN%'
       AND EXISTS (SELECT 1 FROM sqlite_master d WHERE d.name = u.tbl_name || '_delete' AND d.sql NOT LIKE '%WHEN%')`,
  ).map(({ name }) => name);

  const listLostRows = (): string[] =>
    appendOnly.flatMap((table) => {
      const rows = new Set(
        all(`SELECT * FROM ${table}`).map((row) =>
          createHash('sha1').update(JSON.stringify(row)).digest('base64'),
        ),
      );
      const lost = [...(seen.get(table) ?? [])].filter((row) => !rows.has(row)).length;
      seen.set(table, rows);
      return lost === 0 ? [] : [`${lost} rows of ${table} changed or went`];
    });

  const readSnapshot = (rows: Rows): Snapshot => ({
    rows,
    chain: {
      landed: (each) => landedOf(chain, each.signature),
      paidBy: (each) => paidBy(chain, each as Signed),
      platformBalance: chain.balance(platformAddress),
    },
  });
  const recordedLamports = ({ payments, subscriptions, orphans, dust }: Rows) => {
    const granted = new Set(subscriptions.map(({ payment_id }) => payment_id));
    const paid = payments
      .filter(({ id }) => granted.has(id))
      .reduce((sum, { platform_lamports }) => sum + platform_lamports, 0);
    return BigInt(
      paid +
        orphans.reduce((sum, { platform_lamports }) => sum + platform_lamports, 0) +
        (dust[0]?.lamports ?? 0),
    );
  };
  const platformAtFirst = chain.balance(platformAddress) - recordedLamports(readRows());

  return {
    /** Checks the database's invariants. Returns the violations. */
    async check() {
      const [rows, callers, lost, derived] = atOneTime(
        () =>
          [
            readRows(),
            statistics.listWrongStatistics(
              all<{ id: string }>('SELECT caller_id AS id FROM callers').map(({ id }) => id),
            ),
            listLostRows(),
            Object.entries(DERIVED)
              .filter(([, sql]) => all(sql).length > 0)
              .map(([problem]) => problem),
          ] as const,
      );
      const wrong = (await callers).map((id) => `the statistics of ${id} differ from a recomputation`);
      return [...violationsOf(() => checkRows(rows, slots)), ...wrong, ...lost, ...derived];
    },
    /** The number of the platform wallet's transactions that the platform walk has listed but not read. */
    countUnread: () => all('SELECT 1 FROM unread_transactions, json_each(entries)').length,
    /** Compares the ledger with the chain, after a run of the cron without faults. */
    checkChain() {
      const timestamp = readSnapshot(atOneTime(readRows));
      const { rows } = timestamp;
      const found = new Set([...rows.payments, ...rows.orphans].map(({ signature }) => signature));
      const played = { ...slots, transactions, now: () => Date.now(), heightAt: slots.slotAt };
      // Transactions that the platform walk hasn't read yet.
      const waiting = transactions
        .filter((each) => !found.has(each.signature) && landedOf(chain, each.signature)?.hasFailed === false)
        .reduce((sum, { platformGain }) => sum + platformGain, 0n);
      return [
        ...violationsOf(() => checkRepaired(played, timestamp, { everywhere: false })),
        ...violationsOf(() => checkPlatformBalance(timestamp, platformAtFirst + waiting)),
        ...transactions
          .filter(({ signature }) => rows.payments.filter((each) => each.signature === signature).length > 1)
          .map(({ name }) => `${name} is recorded twice`),
      ];
    },
    /** The number of transactions that are payments in the ledger. */
    countRecorded() {
      const recorded = new Set(readRows().payments.map(({ signature }) => signature));
      return transactions.filter(({ signature }) => recorded.has(signature)).length;
    },
    /** The cron's jobs whose last run failed. */
    listFailedJobs: () =>
      all<{ job: string; error: string }>('SELECT job, error FROM job_failures').map(
        ({ job, error }) => `${job}: ${error}`,
      ),
  };
}

function landedOf(chain: Chain, signature: string): Landed | undefined {
  const found = chain.transaction(signature);
  if (!found) return undefined;
  const { slot, at, execution } = found;
  return { slot, status: chain.commitmentOf(found), hasFailed: execution.error !== null, blockTime: at };
}

function paidBy(chain: Chain, { signature, isExact, names, sentAt }: Signed): Signed['names'] {
  const landed = landedOf(chain, signature);
  const isInTime =
    landed !== undefined && !landed.hasFailed && (landed.blockTime ?? 0) < sentAt + INTENT_LIFETIME_MS;
  return isExact && isInTime ? names : [];
}

function violationsOf(check: () => void): string[] {
  try {
    check();
    return [];
  } catch (error) {
    if (error instanceof Violation) return [error.message];
    throw error;
  }
}
