/** `degraded`: the product works, but some parts fail. */
export type HealthStatus = 'ok' | 'degraded' | 'down';

export interface HealthCheck {
  readonly name: string;
  readonly status: HealthStatus;
  /** What is wrong, and what to do. */
  readonly problem?: string;
}

/** Response of `GET /api/health/ready`. Its status is 200, or 503 if the product is down. */
export interface Health {
  readonly status: HealthStatus;
  readonly checks: readonly HealthCheck[];
}

export interface Version {
  readonly status: 'ok' | 'down';
  readonly version: string;
  /** What is wrong, and what to do. */
  readonly problem?: string;
}
