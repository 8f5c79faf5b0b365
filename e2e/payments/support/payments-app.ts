import { createTestApp, testEnv, type TestApp } from '#test/test-app.ts';
import { NO_LIMITS } from '#test/test-limits.ts';
import { watchDatabase } from './awaits.ts';

/** A test app with a watched database; `watchFetch` watches the chain. */
export function createWatchedApp(bindings: Partial<typeof testEnv> = {}): Promise<TestApp> {
  return createTestApp({ bindings: { ...NO_LIMITS, ...bindings, DB: watchDatabase(testEnv.DB) } });
}
