import { sql, type SQL } from 'drizzle-orm';
import { WAY_KINDS, type WayKind } from '#schema/constants/people.ts';
import { xTokens } from '#schema/tables/x-tokens.ts';
import type { Statement } from '../../../shared/job-leases.ts';
import { columnsOf, type SelectedRow } from '../../../shared/rows.ts';
import { anyOf } from '../../../shared/sql.ts';

type Row = Readonly<Record<string, unknown>>;

/** A kind of way into an account, in SQL. */
interface Way {
  readonly table: SQL;
  /** By default, every row of the person is a way. */
  readonly isOpen?: SQL;
}

interface EndOptions {
  readonly userId: string;
  readonly now: number;
  readonly which: SQL;
}

const revocableColumns = columnsOf(xTokens, 'x_tokens', [
  'userId',
  'accessTokenCiphertext',
  'refreshTokenCiphertext',
  'scopes',
]);

/** The permission to post that must also be revoked at X. */
export type RevocableTokens = SelectedRow<typeof revocableColumns>;

export interface EndedWays {
  readonly counts: Readonly<Partial<Record<WayKind, number>>>;
  readonly xTokens: readonly RevocableTokens[];
}

const waysAt = (now: number): Readonly<Record<WayKind, Way>> => ({
  session: { table: sql`sessions`, isOpen: sql`expires_at > ${now}` },
  key: { table: sql`api_keys` },
  webhook: { table: sql`webhooks` },
  telegram: { table: sql`telegram_links` },
  x: { table: sql`x_tokens` },
});

/** Ends ways into an account. Each statement returns a row per ended way; `readEnded` reads their results. */
export function endWays({ userId, now, which }: EndOptions): Statement[] {
  const ways = waysAt(now);
  return WAY_KINDS.map((kind) => {
    const { table, isOpen = sql`1` } = ways[kind];
    const returned = kind === 'x' ? revocableColumns.list : sql`user_id`;
    return sql`DELETE FROM ${table} WHERE user_id = ${userId} AND ${isOpen} AND ${which} RETURNING ${returned}`;
  });
}

/** Reads the results of `endWays`. */
export function readEnded(results: readonly (readonly Row[])[]): EndedWays {
  return {
    counts: Object.fromEntries(WAY_KINDS.map((kind, index) => [kind, results[index]?.length ?? 0])),
    xTokens: (results[WAY_KINDS.indexOf('x')] ?? []).map(revocableColumns.read),
  };
}

/** True in SQL if the person has any way into the account. */
export const hasWays = (userId: string, now: number): SQL =>
  anyOf(
    ...Object.values(waysAt(now)).map(
      ({ table, isOpen = sql`1` }) =>
        sql`EXISTS (SELECT 1 FROM ${table} WHERE user_id = ${userId} AND ${isOpen})`,
    ),
  );
