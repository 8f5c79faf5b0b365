/** `degraded`: the product works, but some parts fail. */
export type HealthStatus = 'ok' | 'degraded' | 'down';

export interface HealthCheck {
  /** `database`, `cron`, or what users do: an `Ability`. */
  readonly name: string;
  readonly status: HealthStatus;
  /** The problem, and what to do about it. */
  readonly problem?: string;
}

/** Response of `GET /api/health/ready`. Its status is 200, or 503 if the product is down. */
export interface Health {
  readonly status: HealthStatus;
  readonly checks: readonly HealthCheck[];
}

/** Response of `GET /api/health`. */
export interface Version {
  readonly status: 'ok' | 'down';
  /** The id of the deployed version. */
  readonly version: string;
  readonly problem?: string;
}
