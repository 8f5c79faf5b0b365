import { applyD1Migrations } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach } from 'vitest';
import type { TestEnv } from './test-env.ts';

beforeEach(async () => {
  const { DB, TEST_MIGRATIONS } = env as unknown as TestEnv;
  await applyD1Migrations(DB, TEST_MIGRATIONS);
});
