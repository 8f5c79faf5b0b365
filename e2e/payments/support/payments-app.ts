import { createTestApp, testEnv, type TestApp } from '#worker/test-support/test-app.ts';
import { NO_LIMITS } from '#worker/test-support/test-limits.ts';
import { watchDatabase } from './awaits.ts';

/** A test app with a watched database; `watchFetch` watches the chain. */
export function createWatchedApp(bindings: Partial<typeof testEnv> = {}): Promise<TestApp> {
  return createTestApp({ bindings: { ...NO_LIMITS, ...bindings, DB: watchDatabase(testEnv.DB) } });
}
