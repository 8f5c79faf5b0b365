import { beforeEach } from 'vitest';
import { isWorldShared, resetWorld } from './shared-world.ts';

/**
 * Gives each test an empty, migrated database and a local world without pinned prices, faults or logged requests, unless
 * its tests share a world.
 */
beforeEach(() => (isWorldShared() ? undefined : resetWorld()));
