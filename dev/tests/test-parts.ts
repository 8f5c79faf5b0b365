import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../settings.ts';
import { listChanges, type Changes } from './changed-files.ts';

/** A Node script and its arguments. */
export interface Command {
  /** Path from the repository's root. */
  readonly file: string;
  readonly args: readonly string[];
  /** The JSON report with test counts, if the command runs tests. */
  readonly report?: string;
}

/** A part of a suite, such as `npm test -- web`. Its commands may run at the same time. */
export interface Part {
  readonly name: string;
  readonly commands: readonly Command[];
  /** The test runner's option that selects tests by name. */
  readonly nameOption?: string;
  readonly needsChromium?: boolean;
  /** Environment variables, besides those of `npm test`. */
  readonly env?: NodeJS.ProcessEnv;
  /** True if the part also passes without tests. */
  readonly mayBeEmpty?: boolean;
}

/** Says when to run the parts: `check` before a commit, `test` before a push, `deep` every night. */
export type Suite = 'check' | 'test' | 'deep';

export const reportsDir = join(root, '.cache/test-reports');

interface VitestOptions {
  /** Number of processes that share the tests; default: 1. */
  readonly shards?: number;
}

function vitest(project: string, { shards = 1 }: VitestOptions = {}): Part {
  return {
    name: project,
    nameOption: '--testNamePattern',
    commands: Array.from({ length: shards }, (_, index) => {
      const report = join(reportsDir, `${project}-${index + 1}.json`);
      return {
        file: 'node_modules/vitest/vitest.mjs',
        args: [
          'run',
          `--project=${project}`,
          `--shard=${index + 1}/${shards}`,
          '--reporter=default',
          '--reporter=json',
          `--outputFile.json=${report}`,
        ],
        report,
      };
    }),
  };
}

const playwright = (files: readonly string[] = []): Part => ({
  name: 'e2e',
  nameOption: '--grep',
  needsChromium: true,
  commands: [
    {
      file: 'node_modules/@playwright/test/cli.js',
      args: ['test', '--config', 'e2e/playwright.config.ts', ...files],
      report: join(reportsDir, 'e2e.json'),
    },
  ],
});

const script = (name: string, file: string, args: readonly string[] = []): Part => ({
  name,
  commands: [{ file, args }],
});

/** Runs the quick tests in another time zone, with other days when clocks change, and where "I" isn't the capital of "i". */
const elsewhere: Part = {
  ...script('elsewhere', 'node_modules/vitest/vitest.mjs', ['run', '--project=unit', '--project=web']),
  env: { TZ: 'Pacific/Auckland', LANG: 'tr_TR.UTF-8', LC_ALL: undefined, TEST_SUITE: 'test' },
};

/** Browser tests for `npm run test:deep` only, or with more states or devices in it. */
const inDeep = globSync('*.spec.ts', { cwd: join(root, 'e2e') }).filter(
  (file) =>
    file.endsWith('.deep.spec.ts') ||
    /\b(?:isDeep|journeyDevices)\b/.test(readFileSync(join(root, 'e2e', file), 'utf8')),
);

const types = script('types', 'node_modules/typescript/bin/tsc', ['-b']);
const lint = (files: readonly string[] = []) =>
  script('lint', 'node_modules/oxlint/bin/oxlint', ['--type-aware', '--deny-warnings', ...files]);
const format = script('format', 'node_modules/oxfmt/bin/oxfmt', ['--check']);

/** A change of these files may change the result of the linter for any file. */
const LINT_RULES = /^(?:oxlint\.config\.ts|package-lock\.json|tsconfig.*\.json|dev\/lint\/)/;

/** Checks what the changes can affect, except inside workerd and in browsers. */
function listQuickParts(changes: Changes | null): readonly Part[] {
  if (changes === null) return [types, lint(), format, vitest('unit')];
  const sources = changes.files.filter((file) => /\.(?:ts|tsx|mjs)$/.test(file));
  const lintParts = sources.length > 0 ? [lint(sources)] : [];
  const related = ['--project=unit', '--project=web', `--changed=${changes.since}`, '--passWithNoTests'];
  const runTests = (name: string, args: readonly string[]): Part => {
    const report = join(reportsDir, `${name}.json`);
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
    const command = { file: 'node_modules/vitest/vitest.mjs', args: ['run', ...args, ...reporters], report };
    return { name, nameOption: '--testNamePattern', commands: [command] };
  };
  return [
    types,
    ...(changes.files.some((file) => LINT_RULES.test(file)) ? [lint()] : lintParts),
    format,
    // These read all files, so no import shows which changes affect them.
    runTests('repository', ['--project=unit', 'dev/checks', 'dev/lint']),
    { ...runTests('related', related), mayBeEmpty: true },
  ];
}

/**
 * The parts of each suite. Those that fail fastest come first. The web app's tests are the last part before the browser
 * tests. They keep both processors busy until their end.
 */
export const suites: Readonly<Record<Suite, () => readonly Part[]>> = {
  check: () => listQuickParts(listChanges()),
  test: () => [
    types,
    lint(),
    format,
    vitest('unit'),
    script('samples', 'dev/tests/prepare-browser-tests.ts'),
    // Includes e2e/payments.
    vitest('worker', { shards: 2 }),
    vitest('web'),
    playwright(),
  ],
  deep: () => [
    vitest('unit'),
    vitest('web'),
    elsewhere,
    vitest('worker', { shards: 2 }),
    vitest('payments', { shards: 2 }),
    script('model', 'e2e/payments/commands/run-model.ts', [
      '--histories=500',
      '--shards=2',
      '--seed=20260601',
    ]),
    script('mutants', 'node_modules/@stryker-mutator/core/bin/stryker.js', [
      'run',
      'schema/mutants/stryker.config.mjs',
    ]),
    script('bugs', 'e2e/payments/commands/plant-bugs.ts'),
    // Each benchmark with the smallest sizes, to show that it still runs.
    script('bench', 'bench/run.ts', ['all', '--tiny']),
    playwright(inDeep),
  ],
};
