/** One measurement of what the product does. It contains no personal data. */
export interface Measurement {
  readonly kind: 'request' | 'job' | 'cron' | 'source' | 'message' | 'payment';
  readonly name: string;
  readonly outcome: string;
  /** Milliseconds. For sources and payments, a count. */
  readonly value: number;
  /** The number of values that this measurement represents: a sample's interval, or combined values, of which `value` is the maximum. Default: 1. */
  readonly count?: number;
}

/** Stores measurements for charts and alarms. Never throws. */
export interface Metrics {
  record(measurement: Measurement): void;
}

export interface MetricsQuery {
  readonly kind: Measurement['kind'];
  readonly outcome?: string;
  /** `points` is the number of represented values. The others are computed from their values. */
  readonly figure: 'points' | 'sum' | 'max' | 'p99';
  /** The period before now, in ms; whole hours. */
  readonly spanMs: number;
  readonly stepMs: number;
}

export interface MetricsRow {
  readonly at: number;
  readonly name: string;
  readonly outcome: string;
  readonly value: number;
}

export interface MetricsReader {
  readonly missing: readonly string[];
  /** Oldest first. @throws PortUnavailableError */
  read(query: MetricsQuery): Promise<readonly MetricsRow[]>;
}
