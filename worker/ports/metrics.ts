/** One measurement of what the product does. It contains no personal data. */
export interface Measurement {
  readonly kind: 'request' | 'job' | 'cron' | 'source' | 'message' | 'payment';
  /** The measured thing: a route, a job, a third party, Telegram, a payment's state. */
  readonly name: string;
  /** For example, a status, or how a source failed. */
  readonly outcome: string;
  /** Milliseconds. For sources and payments, a count. */
  readonly value: number;
  /** Number of things that were measured together. `value` is their highest. Default: 1. */
  readonly count?: number;
}

/** Stores measurements for charts and alarms. Never throws. */
export interface Metrics {
  record(measurement: Measurement): void;
}

export interface MetricsQuery {
  readonly kind: Measurement['kind'];
  /** Only measurements with this outcome. */
  readonly outcome?: string;
  /** `points`: how many measurements there are. The others are of their values. */
  readonly figure: 'points' | 'sum' | 'max' | 'p99';
  /** From now back, in whole hours. */
  readonly spanMs: number;
  readonly stepMs: number;
}

/** The figure of one step, name and outcome. */
export interface MetricsRow {
  /** The beginning of the step, unix ms. */
  readonly at: number;
  readonly name: string;
  readonly outcome: string;
  readonly value: number;
}

/** Reads the measurements that `Metrics` stored. */
export interface MetricsReader {
  /** The settings without which nothing can be read. */
  readonly missing: readonly string[];
  /** Oldest first. @throws PortUnavailableError */
  read(query: MetricsQuery): Promise<readonly MetricsRow[]>;
}
