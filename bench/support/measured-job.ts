import type { JobCost } from '#worker/test-support/job-cost.ts';

/** A run of a job while other requests were measured. `p99` is that of their latencies in ms. */
export interface MeasuredJob extends JobCost {
  readonly round: number;
  readonly p99: number;
}
