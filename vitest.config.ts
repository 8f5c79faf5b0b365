import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';

/** Tests inside workerd, on a D1 of their own and amid a local world of their own: its clock, its faults and its prices are shared by all files. */
const insideWorkerd = (
  name: string,
  { include, exclude = [], alsoSetUp = [] }: { include: string; exclude?: string[]; alsoSetUp?: string[] },
) => ({
  plugins: [
    cloudflareTest(async ({ inject }) => ({
      wrangler: { configPath: './wrangler.toml' },
      miniflare: {
        bindings: {
          ...inject<Record<string, string>>('vars'),
          TEST_MIGRATIONS: await readD1Migrations('schema/migrations'),
        },
      },
    })),
  ],
  test: {
    name,
    maxWorkers: 1,
    isolate: false,
    include: [include],
    exclude,
    globalSetup: ['./worker/test-support/global-setup.ts', ...alsoSetUp],
    setupFiles: './worker/test-support/setup.ts',
    provide: {
      raceRounds: Number(process.env['RACE_ROUNDS'] ?? 2),
      paymentsModel: JSON.parse(process.env['PAYMENTS_MODEL'] ?? '{}') as object,
    },
  },
});

/** Played by `e2e/payments/commands/run-model.ts`, in several processes at once. */
const MODEL = 'e2e/payments/model.test.ts';

/** Pure rules and the local world in Node, the worker and whole payments inside workerd, the web app in a DOM. */
export default defineConfig({
  test: {
    silent: 'passed-only',
    projects: [
      {
        test: {
          name: 'unit',
          environment: 'node',
          include: ['schema/**/*.test.ts', 'dev/**/*.test.ts', 'e2e/payments/commands/**/*.test.ts'],
        },
      },
      {
        test: { name: 'web', environment: 'happy-dom', include: ['web/**/*.test.{ts,tsx}'] },
      },
      insideWorkerd('worker', {
        include: 'worker/**/*.test.ts',
        alsoSetUp: ['./worker/test-support/reference-pictures.ts'],
      }),
      insideWorkerd('payments', { include: 'e2e/payments/*.test.ts', exclude: [MODEL] }),
      insideWorkerd('model', { include: MODEL }),
    ],
  },
});

declare module 'vitest' {
  interface ProvidedContext {
    raceRounds: number;
    /** How many histories of payments are played, and which. */
    paymentsModel: object;
  }
}
