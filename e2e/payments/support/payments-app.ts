import { createTestApp, testEnv, type TestApp } from '#worker/test-support/test-app.ts';
import { watchDatabase } from './awaits.ts';

/** The product of `createTestApp`, whose operations can be `watched` at their database; `watchFetch` adds the chain. */
export function createWatchedApp(bindings: Partial<typeof testEnv> = {}): Promise<TestApp> {
  return createTestApp({ bindings: { ...bindings, DB: watchDatabase(testEnv.DB) } });
}
