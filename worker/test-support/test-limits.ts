import { RATE_LIMITS } from '#schema/constants/app.ts';
import { MINUTE_MS } from '#schema/constants/time.ts';
import type { Bindings } from '../app/env.ts';
import type { Clock } from '../ports/clock.ts';

type Limits = Pick<
  Bindings,
  'LIMIT_ADDRESS' | 'LIMIT_VISITOR' | 'LIMIT_CHEAP' | 'LIMIT_READS' | 'LIMIT_WRITES' | 'LIMIT_COSTLY'
>;

const limitsBy = (create: (kind: keyof typeof RATE_LIMITS) => RateLimit): Limits => ({
  LIMIT_ADDRESS: create('address'),
  LIMIT_VISITOR: create('visitor'),
  LIMIT_CHEAP: create('cheap'),
  LIMIT_READS: create('reads'),
  LIMIT_WRITES: create('writes'),
  LIMIT_COSTLY: create('costly'),
});

/** Creates the platform's rate limits with the test's clock, separately for each test. */
export function createTestLimits(
  clock: Clock,
  perMinute: Record<keyof typeof RATE_LIMITS, number> = RATE_LIMITS,
): Limits {
  return limitsBy((kind) => {
    const counts = new Map<string, number>();
    return {
      limit({ key }) {
        const counted = `${Math.floor(clock.now() / MINUTE_MS)} ${key}`;
        const count = (counts.get(counted) ?? 0) + 1;
        counts.set(counted, count);
        return Promise.resolve({ success: count <= perMinute[kind] });
      },
    };
  });
}

/** No rate limits, for tests with many concurrent requests of one user. */
export const NO_LIMITS: Limits = limitsBy(() => ({ limit: () => Promise.resolve({ success: true }) }));
