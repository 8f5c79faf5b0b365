import { expect, it } from 'vitest';
import { JUPITER_MAX_MINTS, MINUTE_MS } from '#schema/constants.ts';
import { insertActiveCalls } from '../../../test-support/active-calls.ts';
import { control, createTestApp } from '../../../test-support/test-app.ts';

/** SOL, which is always refreshed, and the mints of active calls. */
const MINTS = 10_000;
const CALLS = MINTS / JUPITER_MAX_MINTS;
const CALLS_A_MINUTE = 60;

it(
  'a refresh of ten thousand mints over HTTP takes 200 requests and at most 1.1 times as long as the rate limit allows',
  { timeout: 120_000 },
  async () => {
    const app = await createTestApp({
      bindings: { JUPITER_REQUESTS_PER_SECOND: String(CALLS_A_MINUTE / 60) },
    });
    await control('POST', '/jupiter/rate-limit', { limit: CALLS_A_MINUTE });
    const [first = ''] = await insertActiveCalls({ count: MINTS - 1, calledAt: app.clock.now() });
    await control('POST', '/prices', { mint: first, price: 3 });
    const before = app.clock.now();
    const report = await app.services.priceRefresh.refresh();
    const { requests } = await control<{ requests: { status: number }[] }>(
      'GET',
      '/requests?service=jupiter',
    );
    // The local sources price an invented mint only after a test sets its price.
    expect(report).toMatchObject({
      mints: MINTS,
      batches: CALLS,
      failedBatches: 0,
      priced: 2,
      // Both are in the same shard.
      writes: 1,
      isFinished: true,
    });
    expect(requests).toHaveLength(CALLS);
    expect(requests.every(({ status }) => status === 200)).toBe(true);
    expect((await app.services.prices.storedPrices([first]))[first]?.price).toBe('3');
    expect(app.clock.now() - before).toBeLessThanOrEqual((1.1 * CALLS * MINUTE_MS) / CALLS_A_MINUTE);
  },
);
