/** `degraded`: it works with restrictions. */
export type HealthStatus = 'ok' | 'degraded' | 'down';

export interface HealthCheck {
  /** `database`, `cron`, `chain`, `prices` or `notifications`. */
  readonly name: string;
  readonly status: HealthStatus;
}

/** Answer of `GET /api/health/ready`: 200, or 503 if the product is down. */
export interface Health {
  readonly status: HealthStatus;
  readonly checks: readonly HealthCheck[];
}

/** Answer of `GET /api/health`. */
export interface Version {
  readonly status: 'ok';
  /** The id of the deployed version. */
  readonly version: string;
}
