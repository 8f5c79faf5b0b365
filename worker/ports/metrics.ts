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

/** Stores measurements. Never throws. */
export interface Metrics {
  record(measurement: Measurement): void;
}
