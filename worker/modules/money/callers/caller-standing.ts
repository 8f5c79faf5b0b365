import { eq, isNotNull, type AnyColumn, type SQL } from 'drizzle-orm';
import { isFreeFee } from '#schema/rules/money/lamports.ts';
import { isListed, type Standing } from '#schema/rules/people/standing.ts';
import { callers } from '#schema/tables/callers.ts';
import { calls } from '#schema/tables/calls.ts';
import { users } from '#schema/tables/users.ts';
import { publicColumns } from './caller-copies.repository.ts';
import { columnsOf } from '../../../shared/rows.ts';
import { hasNoRow, hasRow, part } from '../../../shared/sql.ts';

/**
 * Columns with the operators' restrictions of a caller. A caller who has left counts as suspended. The query must
 * name the table `users` as `u`.
 */
export const callerStanding = columnsOf(users, 'u', ['is_suspended', 'is_hidden'], publicColumns);

interface StandingRow {
  readonly is_suspended: boolean;
  readonly is_hidden: boolean;
}

export const standingOf = (row: StandingRow): Standing => ({
  isSuspended: row.is_suspended,
  isHidden: row.is_hidden,
});

interface OfferRow extends StandingRow {
  readonly fee_lamports: bigint;
  readonly payout_address: string | null;
  readonly deletes_at: number | null;
}

export const canBeSubscribed = (row: OfferRow): boolean =>
  isListed(standingOf(row)) &&
  row.deletes_at === null &&
  (isFreeFee(row.fee_lamports) || row.payout_address !== null);

/** SQL condition: the user has asked to delete the account, which waits for paid subscribers. */
export const isLeaving = (userId: AnyColumn | string): SQL =>
  hasRow(callers, eq(callers.callerId, userId), isNotNull(callers.deletesAt));

/** A condition on `calls`. Uses the index of hidden users, so it reads a row only for a call of a hidden caller. */
export const isOfVisibleCaller = hasNoRow(users, eq(users.id, calls.callerId), part('is_hidden = 1'));
