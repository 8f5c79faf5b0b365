interface PaidPeriod {
  readonly callerLamports: bigint;
  readonly startsAt: number;
  readonly endsAt: number;
}

/** A time in which the caller's account is deleted. `until` is null unless the caller has come back. */
export interface Absence {
  readonly from: number;
  readonly until: number | null;
}

/**
 * The caller's share of the parts of a paid period in which the caller's account is deleted. Absences don't overlap.
 * Rounded down to a lamport.
 */
export function owedLamports(
  { callerLamports, startsAt, endsAt }: PaidPeriod,
  absences: readonly Absence[],
): bigint {
  const missed = absences.reduce(
    (sum, { from, until }) => sum + Math.max(0, Math.min(endsAt, until ?? endsAt) - Math.max(startsAt, from)),
    0,
  );
  return (callerLamports * BigInt(missed)) / BigInt(endsAt - startsAt);
}
