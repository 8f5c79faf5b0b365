import { describe, expect, it } from 'vitest';
import { checkAccess } from '../test-support/access/access-checks.ts';
import { checkAccessThroughCache } from '../test-support/access/access-through-cache.ts';
import { UNUSED_RULES } from '../test-support/access/access-rules.ts';
import { createAccessEnvironment, SECRETS } from '../test-support/access/access-environment.ts';
import { OPERATIONS, requestedOperations } from '../test-support/access/check-responses.ts';

/** `access.deep.test.ts` checks all viewers on all routes. */
const VIEWERS_PER_ROUTE = 2;

describe('access', () => {
  it('access has no rule for a route that does not exist', () => {
    expect(UNUSED_RULES).toEqual([]);
  });

  // Specification 2.135, 6.6, 6.26, 6.28
  it('shows a sample of viewers on every route only what they may see', async () => {
    const environment = await createAccessEnvironment();
    expect(Object.keys(environment.secrets)).toEqual(Object.keys(SECRETS));
    const { checks, leaks } = await checkAccess(environment, { viewersPerRoute: VIEWERS_PER_ROUTE });
    expect(leaks).toEqual([]);
    expect(checks).toBeGreaterThan(5_000);
    expect(OPERATIONS.filter((operation) => !requestedOperations.has(operation))).toEqual([]);
  });

  it('access is the same behind the shared cache, for all viewers on all routes, after viewers with access have asked', async () => {
    const environment = await createAccessEnvironment();
    const { checks, requests, hits, leaks } = await checkAccessThroughCache({ environment });
    expect(leaks).toEqual([]);
    expect(checks).toBeGreaterThan(37_000);
    expect(requests).toBeGreaterThan(1_280);
    expect(hits).toBeGreaterThan(460);
  });
});
