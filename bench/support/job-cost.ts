/** `JobCost` of worker/test-support/cron-bench.ts, as it arrives here. */
export interface JobCost {
  readonly job: string;
  readonly subrequests: number;
  readonly statements: number;
  readonly rowsRead: number;
  readonly rowsWritten: number;
  readonly d1Ms: number;
  readonly ms: number;
  readonly largest: string;
  readonly outcome: string;
}

/** A run of a job while other requests were measured. `p99` is that of their latencies in ms. */
export interface MeasuredJob extends JobCost {
  readonly round: number;
  readonly p99: number;
}
