/** Rows that D1 reads and writes, and statements. */
export interface Cost {
  readonly read: number;
  readonly written: number;
  readonly queries: number;
}

/** Costs that tests compare with the product's. The tables of docs/SCALE.md are computed from them. */
export const MEASURED_COSTS = {
  idle: {
    /** An hour without visitors, active calls and the jobs of the night. */
    hour: { read: 5_762, written: 117, queries: 722 },
    /** The jobs that run once a day: a part that is always the same, and one for each thousand rows in each table. */
    night: { read: 1_700, written: 24, queries: 60 },
    nightPerThousand: { read: 88_000, written: 12, queries: 60 },
  },
  /**
   * Bytes of a call with a thesis, an update and three daily prices, with its tables' indexes: before its log entries move to
   * R2, on average in its first year, and later.
   */
  bytesPerCall: { inRows: 4_400, inYear: 3_200, afterYear: 2_900 },
  /** The directory's page and a caller's page, not cached. */
  directoryPage: { read: 48, written: 0, queries: 3 },
  callerPage: { read: 33, written: 0, queries: 7 },
  /** A poll of the directory, not cached. */
  directoryPoll: { read: 124, written: 0, queries: 1 },
  /** A signed-in person's poll of the calls that they follow. */
  followedPoll: { read: 521, written: 4, queries: 8 },
  pageView: { read: 0, written: 0, queries: 0 },
} as const satisfies Record<string, Cost | Record<string, Cost> | Record<string, number>>;
