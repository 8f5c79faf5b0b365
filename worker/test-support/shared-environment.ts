import { afterAll, beforeAll } from 'vitest';
import { resetStorage } from './database/storage.ts';
import { control } from './test-app.ts';

let isShared = false;

export const isEnvironmentShared = (): boolean => isShared;

export const resetEnvironment = () => Promise.all([resetStorage(), control('DELETE', '')]);

/**
 * Builds one environment for all tests of a file or a `describe`, for tests that only read, or whose requests are refused.
 * A test that changes the environment must undo the change.
 */
export function shareEnvironment(build: () => Promise<unknown>): void {
  beforeAll(async () => {
    await resetEnvironment();
    isShared = true;
    await build();
  });
  afterAll(() => {
    isShared = false;
  });
}
