import { existsSync, globSync, readFileSync, statfsSync } from 'node:fs';
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';
import { bundledPageRenderer } from './dev/build/bundled-page-renderer.ts';
import { EvenShardSequencer } from './dev/tests/even-shards.ts';
import { exampleSources } from './dev/build/example-sources.ts';
import { migrationNames, migrationsFolder } from './dev/build/migrations.ts';
import { apiDocs } from './dev/build/open-api/plugin.ts';
import { plantBug } from './e2e/payments/commands/bug-plugin.ts';

if (Number(process.versions.node.split('.', 1)[0]) < 24) {
  console.error('The tests need Node 24: run "npm test", or put node_modules/.bin first on your PATH.');
  process.exit(1);
}

const isDeep = process.env['TEST_SUITE'] === 'deep';
const DEEP = '**/*.deep.test.ts';

/** `npm run test:deep` runs this test in several processes at once. */
const MODEL = 'e2e/payments/model.test.ts';

/** Marks a test with random values, or with more rounds in `npm run test:deep`. */
const RUNS_IN_DEEP = /from 'fast-check'|inject\('(?:isDeep|raceRounds)'\)/;
const testsInDeep = (folders: readonly string[]) =>
  globSync(folders.map((folder) => `${folder}/**/*.test.{ts,tsx}`)).filter((file) =>
    RUNS_IN_DEEP.test(readFileSync(file, 'utf8')),
  );
/** `npm test` fixes the seed, so that it always tests the same values. */
const seed = isDeep ? [] : ['./dev/tests/fixed-seed.ts'];

/** Selects the test files below these folders: the slow and random ones for `npm run test:deep`, else all but the slow ones. */
function filesIn(folders: readonly string[]): { include: string[]; exclude: string[] } {
  const inFolders = (pattern: string) => folders.map((folder) => `${folder}/${pattern}`);
  return isDeep
    ? {
        include: [...inFolders(DEEP), ...testsInDeep(folders)],
        exclude: [],
      }
    : { include: inFolders('**/*.test.{ts,tsx}'), exclude: [DEEP] };
}

/** Only a test that hangs takes this long, on a busy machine too. */
const TIMEOUT_MS = isDeep ? 3_600_000 : 180_000;
const TIMEOUTS = { testTimeout: TIMEOUT_MS, hookTimeout: TIMEOUT_MS };

const MEMORY_FOLDER = '/dev/shm';
const MIN_MEMORY_BYTES = 2 ** 30;

/** Puts the temporary folder into memory, because the databases in it make the tests a quarter slower on a disk. */
function storeInMemory(): void {
  if (!existsSync(MEMORY_FOLDER)) return;
  const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
  if (bavail * bsize >= MIN_MEMORY_BYTES) process.env['TMPDIR'] = MEMORY_FOLDER;
}

interface WorkerProject {
  readonly name: string;
  readonly include: string[];
  readonly exclude: string[];
  readonly alsoSetUp?: readonly string[];
}

/** Tests inside workerd, with a database and a local environment. All files share its clock, faults and prices. */
const insideWorkerd = ({ name, include, exclude, alsoSetUp = [] }: WorkerProject) => ({
  plugins: [
    plantBug(process.env['PLANTED_BUG']),
    bundledPageRenderer(),
    apiDocs(),
    exampleSources(),
    migrationNames(),
    cloudflareTest(async ({ inject }) => {
      storeInMemory();
      return {
        wrangler: { configPath: './wrangler.toml' },
        miniflare: {
          bindings: {
            ...inject<Record<string, string>>('vars'),
            TEST_MIGRATIONS: await readD1Migrations(migrationsFolder()),
          },
        },
      };
    }),
  ],
  test: {
    name,
    maxWorkers: 1,
    isolate: false,
    ...TIMEOUTS,
    include,
    exclude,
    globalSetup: ['./worker/test-support/global-setup.ts', ...alsoSetUp],
    setupFiles: ['./worker/test-support/setup.ts', ...seed],
    provide: {
      isDeep,
      raceRounds: Number(process.env['RACE_ROUNDS'] ?? (isDeep ? 10 : 1)),
      paymentsModel: JSON.parse(process.env['PAYMENTS_MODEL'] ?? '{}') as object,
    },
  },
});

const payments = filesIn(['e2e/payments']);
const COMMANDS = 'e2e/payments/commands/**';
/** `npm test` runs the payments in the worker's processes, because loading the worker takes longer than most files. */
const worker = filesIn(isDeep ? ['worker'] : ['worker', 'e2e/payments']);

/**
 * Runs pure rules and the local environment in Node, the worker and whole payments inside workerd, and the web
 * app in a DOM.
 */
export default defineConfig({
  test: {
    silent: 'passed-only',
    sequence: { sequencer: EvenShardSequencer },
    projects: [
      {
        test: {
          name: 'unit',
          environment: 'node',
          maxWorkers: '100%',
          // Loading the same modules for every file would take as long as the tests.
          isolate: false,
          ...TIMEOUTS,
          setupFiles: seed,
          provide: { isDeep },
          ...filesIn(['schema', 'verify', 'dev', 'bench', 'deploy', 'e2e/payments/commands']),
        },
      },
      {
        test: {
          name: 'web',
          environment: 'happy-dom',
          maxWorkers: '100%',
          // Loading the app for every file would take longer than the tests.
          isolate: false,
          ...TIMEOUTS,
          setupFiles: ['./web/testing/setup.ts', ...seed],
          ...filesIn(['web']),
        },
      },
      insideWorkerd({
        name: 'worker',
        ...worker,
        exclude: [...worker.exclude, COMMANDS],
        alsoSetUp: ['./worker/test-support/images/reference-images.ts'],
      }),
      insideWorkerd({
        name: 'payments',
        ...payments,
        exclude: [...payments.exclude, MODEL, COMMANDS],
      }),
      insideWorkerd({ name: 'model', include: [MODEL], exclude: [] }),
    ],
  },
});

declare module 'vitest' {
  interface ProvidedContext {
    /** True if `npm run test:deep` is running, which runs random tests for more rounds. */
    isDeep: boolean;
    raceRounds: number;
    /** Which random histories the payments model test runs, and how many. */
    paymentsModel: object;
  }
}
