import { and, between, desc, gt, gte, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import { OPERATORS_PAGE_SIZE } from '#schema/constants/running.ts';
import { DAY_MS } from '#schema/constants/time.ts';
import { monthRange } from '#schema/rules/money/earned.ts';
import { readJson, type JsonText } from '#schema/rules/typed-json.ts';
import { earnedMonths, ledgerChecks, paymentOrphans } from '#schema/tables/payment-ledger.ts';
import type { LedgerProblem } from './ledger-checks.repository.ts';
import type { Database } from '../../../shared/database.ts';

const MAX_MONTHS = 240;
/** Only the newest open orphans are searched for those of a month. */
const MAX_SEARCHED = 1_000;
const { signature, paidAt, foundAt, resolvedAt, platformLamports: lamports } = paymentOrphans;

export function createEarnedRepository(db: Database) {
  return {
    listMonths: () => db.select().from(earnedMonths).orderBy(desc(earnedMonths.month)).limit(MAX_MONTHS),

    /** Payments recorded until this time (unix ms) are compared. 0 before the first check has finished. */
    async comparedUntil(): Promise<number> {
      const [last] = await db
        .select({ startedAt: ledgerChecks.startedAt })
        .from(ledgerChecks)
        .where(isNotNull(ledgerChecks.finishedAt))
        .orderBy(desc(ledgerChecks.day))
        .limit(1);
      return last ? last.startedAt - DAY_MS : 0;
    },

    /** The checks of a month's days. */
    async listChecks(month: string) {
      const rows = await db
        .select({ check: ledgerChecks, found: sql<JsonText<LedgerProblem[]>>`problems` })
        .from(ledgerChecks)
        .where(between(ledgerChecks.day, `${month}-01`, `${month}-31`))
        .orderBy(desc(ledgerChecks.day));
      return rows.map(({ check, found }) => ({ ...check, found: readJson(found) }));
    },

    /** Open orphans with money for us, of one month or of all. `total` and `count` are of all of them. */
    async findOrphans(month: string | null) {
      const { from, until } =
        month === null ? { from: 0, until: Number.MAX_SAFE_INTEGER } : monthRange(month);
      const newest = db
        .select({ signature, paidAt, lamports })
        .from(paymentOrphans)
        .where(isNull(resolvedAt))
        .orderBy(desc(foundAt))
        .limit(MAX_SEARCHED)
        .as('newest');
      const rows = await db
        .select()
        .from(newest)
        .where(and(gte(newest.paidAt, from), lt(newest.paidAt, until), gt(newest.lamports, 0n)));
      const total = rows.reduce((sum, orphan) => sum + orphan.lamports, 0n);
      return { count: rows.length, total, shown: rows.slice(0, OPERATORS_PAGE_SIZE) };
    },
  };
}
