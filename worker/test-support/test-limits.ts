import { RATE_LIMITS } from '#schema/constants/app.ts';
import { MINUTE_MS } from '#schema/constants/time.ts';
import type { Bindings } from '../app/env.ts';
import type { Clock } from '../ports/clock.ts';

type Limits = Pick<
  Bindings,
  'LIMIT_ADDRESS' | 'LIMIT_VISITOR' | 'LIMIT_CHEAP' | 'LIMIT_READS' | 'LIMIT_WRITES' | 'LIMIT_COSTLY'
>;

/** Creates the platform's rate limits with the test's clock, separately for each test. */
export function createTestLimits(
  clock: Clock,
  perMinute: Record<keyof typeof RATE_LIMITS, number> = RATE_LIMITS,
): Limits {
  const create = (most: number): RateLimit => {
    const counts = new Map<string, number>();
    return {
      limit({ key }) {
        const counted = `${Math.floor(clock.now() / MINUTE_MS)} ${key}`;
        const count = (counts.get(counted) ?? 0) + 1;
        counts.set(counted, count);
        return Promise.resolve({ success: count <= most });
      },
    };
  };
  return {
    LIMIT_ADDRESS: create(perMinute.address),
    LIMIT_VISITOR: create(perMinute.visitor),
    LIMIT_CHEAP: create(perMinute.cheap),
    LIMIT_READS: create(perMinute.reads),
    LIMIT_WRITES: create(perMinute.writes),
    LIMIT_COSTLY: create(perMinute.costly),
  };
}

const unlimited: RateLimit = { limit: () => Promise.resolve({ success: true }) };

/** No rate limits, for tests with many concurrent requests of one user. */
export const NO_LIMITS: Limits = {
  LIMIT_ADDRESS: unlimited,
  LIMIT_VISITOR: unlimited,
  LIMIT_CHEAP: unlimited,
  LIMIT_READS: unlimited,
  LIMIT_WRITES: unlimited,
  LIMIT_COSTLY: unlimited,
};
