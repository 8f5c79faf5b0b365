import { beforeEach } from 'vitest';
import { isEnvironmentShared, resetEnvironment } from './shared-environment.ts';

/**
 * Gives each test an empty, migrated database and a local world without pinned prices, faults or logged requests, unless
 * its tests share a world.
 */
beforeEach(() => (isEnvironmentShared() ? undefined : resetEnvironment()));
