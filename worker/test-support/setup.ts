import { applyD1Migrations, reset } from 'cloudflare:test';
import { beforeEach } from 'vitest';
import { control, testEnv } from './test-app.ts';

/** Every test begins with an empty, migrated database, free prices, and a world without faults or limits that was asked nothing. */
beforeEach(async () => {
  await reset();
  await applyD1Migrations(testEnv.DB, testEnv.TEST_MIGRATIONS);
  await control('DELETE', '/faults');
  await control('DELETE', '/prices');
  await control('DELETE', '/jupiter/rate-limit');
  await control('DELETE', '/requests');
});
