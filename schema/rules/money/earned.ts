import { DAY_MS } from '#schema/constants/time.ts';

/** Commission in lamports. `ledger` and `chain`: of the payments that the daily checks have compared. */
export interface MonthlyCommission {
  readonly month: string;
  readonly received: bigint;
  readonly ledger: bigint;
  readonly chain: bigint;
}

/** The month (UTC) of a time, such as '2026-11'. */
export const monthOf = (at: number): string => new Date(at).toISOString().slice(0, 7);

/** The first moment of a month, and that of the next one. */
export function monthRange(month: string): { readonly from: number; readonly until: number } {
  const from = Date.parse(`${month}-01T00:00:00Z`);
  return { from, until: Date.parse(`${monthOf(from + 32 * DAY_MS)}-01T00:00:00Z`) };
}

/**
 * `pending` hasn't been compared yet, because its payments are newer than `comparedUntil`. `unexplained` is by how much the
 * three sums differ otherwise; differences in both directions don't cancel out.
 */
export function explainCommission(
  { month, received, ledger, chain }: MonthlyCommission,
  comparedUntil: number,
): { readonly pending: bigint; readonly unexplained: bigint } {
  // A payment may be recorded a day after the chain's time.
  const isCompared = monthRange(month).until + DAY_MS <= comparedUntil;
  const ahead = received - ledger;
  const pending = isCompared || ahead < 0n ? 0n : ahead;
  return { pending, unexplained: distance(ahead, pending) + distance(chain, ledger) };
}

const distance = (one: bigint, other: bigint): bigint => (one > other ? one - other : other - one);
