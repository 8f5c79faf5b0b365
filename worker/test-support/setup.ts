import { afterEach, beforeEach, vi } from 'vitest';
import '../app/all-tables.ts';
import { isEnvironmentShared, resetEnvironment } from './shared-environment.ts';

/**
 * Gives each test an empty, migrated database and a local environment without pinned prices, faults or logged requests,
 * unless the test uses `shareEnvironment`.
 */
beforeEach(() => (isEnvironmentShared() ? undefined : resetEnvironment()));

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});
