import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';

/** Pure rules and the local world in Node, the worker inside workerd, the web app in a DOM. */
export default defineConfig({
  test: {
    silent: 'passed-only',
    projects: [
      {
        test: { name: 'unit', environment: 'node', include: ['schema/**/*.test.ts', 'dev/**/*.test.ts'] },
      },
      {
        test: { name: 'web', environment: 'happy-dom', include: ['web/**/*.test.{ts,tsx}'] },
      },
      {
        plugins: [
          cloudflareTest(async ({ inject }) => ({
            wrangler: { configPath: './wrangler.toml' },
            miniflare: {
              bindings: { ...inject<Record<string, string>>('vars'), TEST_MIGRATIONS: await readD1Migrations('schema/migrations') },
            },
          })),
        ],
        test: {
          name: 'worker',
          // All files share one local world: its clock, its faults and its prices.
          maxWorkers: 1,
          isolate: false,
          include: ['worker/**/*.test.ts'],
          globalSetup: './worker/test-support/global-setup.ts',
          setupFiles: './worker/test-support/setup.ts',
        },
      },
    ],
  },
});
