import { afterAll, beforeAll } from 'vitest';
import { resetStorage } from './database/storage.ts';
import { control } from './test-app.ts';

let isShared = false;

export const isEnvironmentShared = (): boolean => isShared;

export const resetEnvironment = () => Promise.all([resetStorage(), control('DELETE', '')]);

/**
 * Builds the sample data once for all tests of a file or a `describe`. For tests that only read or whose requests are
 * refused: a test that changes data must undo the change.
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
