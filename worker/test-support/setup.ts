import { beforeEach } from 'vitest';
import { isEnvironmentShared, resetEnvironment } from './shared-environment.ts';

/**
 * Gives each test an empty, migrated database and a local environment without pinned prices, faults or logged requests, unless
 * its tests share an environment.
 */
beforeEach(() => (isEnvironmentShared() ? undefined : resetEnvironment()));
