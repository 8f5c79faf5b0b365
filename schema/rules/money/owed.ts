interface PaidPeriod {
  readonly callerLamports: bigint;
  /** Unix ms, as all times here. */
  readonly startsAt: number;
  readonly endsAt: number;
}

/**
 * The caller's share of the part of a paid period that is left when the caller's account is deleted. Rounded down to a
 * lamport.
 */
export function owedLamports({ callerLamports, startsAt, endsAt }: PaidPeriod, deletesAt: number): bigint {
  const left = Math.max(0, endsAt - Math.max(startsAt, deletesAt));
  return (callerLamports * BigInt(left)) / BigInt(endsAt - startsAt);
}
