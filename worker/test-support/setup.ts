import { beforeEach } from 'vitest';
import { resetStorage } from './storage.ts';
import { control } from './test-app.ts';

/** Gives each test an empty, migrated database and a local world without pinned prices, faults or logged requests. */
beforeEach(async () => {
  await Promise.all([resetStorage(), control('DELETE', '')]);
});
