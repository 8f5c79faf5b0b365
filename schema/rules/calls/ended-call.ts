interface End {
  readonly endPrice: string;
  readonly endTimestamp: string;
  readonly changePercent: number;
}

/** Every call has either all fields of its end or none. */
export function hasEnded<Call extends Partial<End>>(call: Call): call is Call & End {
  return call.endPrice !== undefined && call.endTimestamp !== undefined && call.changePercent !== undefined;
}
