import { expect, it } from 'vitest';
import { checkAccess } from '#test/access/access-checks.ts';
import { checkAccessThroughCache } from '#test/access/access-through-cache.ts';
import { UNUSED_RULES } from '#test/access/access-rules.ts';
import { createAccessEnvironment, SECRETS } from '#test/access/access-environment.ts';
import { readResponse } from '#test/responses.ts';
import { OPERATIONS, requestedOperations } from '#test/access/check-responses.ts';

/** A sample per route. `access.deep.test.ts` checks all viewers on all routes. */
const VIEWERS_PER_ROUTE = 2;

it('every access rule names an existing route', () => {
  expect(UNUSED_RULES).toEqual([]);
});

// Specification 2.135, 6.6, 6.26, 6.28
it('every route shows a sample of viewers only what they may see', async () => {
  const environment = await createAccessEnvironment();
  expect(Object.keys(environment.secrets)).toEqual(Object.keys(SECRETS));
  const { checks, leaks } = await checkAccess(environment, { viewersPerRoute: VIEWERS_PER_ROUTE });
  expect(leaks).toEqual([]);
  expect(checks).toBeGreaterThan(5_000);
  expect(OPERATIONS.filter((operation) => !requestedOperations.has(operation))).toEqual([]);
});

// Specification 2.119, 2.122-2.124, 2.140, 6.12, 6.25, 6.27
it('the shared cache serves viewers only responses that they may see', async () => {
  const environment = await createAccessEnvironment();
  const { app, subject } = environment;
  expect(await readResponse(app.request(`/api/callers/${subject.callerId}`))).toMatchObject({
    activeCallCount: 1,
    totalCalls: 2,
  });
  const { checks, requests, hits, leaks } = await checkAccessThroughCache({ environment });
  expect(leaks).toEqual([]);
  expect(checks).toBeGreaterThan(37_000);
  expect(requests).toBeGreaterThan(1_280);
  expect(hits).toBeGreaterThan(460);
});
