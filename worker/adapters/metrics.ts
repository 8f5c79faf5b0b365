import type { Metrics } from '../ports/metrics.ts';

/**
 * Writes metrics to Workers Analytics Engine. In SQL, `blob1` is the kind, `blob2` the name, `blob3` the outcome,
 * `double1` the value, `double2` the count.
 */
export function createMetrics(dataset: AnalyticsEngineDataset): Metrics {
  return {
    record: ({ kind, name, outcome, value, count = 1 }) =>
      dataset.writeDataPoint({ indexes: [kind], blobs: [kind, name, outcome], doubles: [value, count] }),
  };
}
