import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findChromium } from './find-chromium.ts';
import { root } from './settings.ts';
import { namePattern } from './test-names.ts';

// Everything that has to hold, in the order of what fails fastest. `npm test -- unit` runs one part,
// `npm test -- web -t "the layout › says where nothing is"` the tests of a part whose full name contains that text.

interface Part {
  readonly name: string;
  /** Of a package, or a script of ours. */
  readonly bin?: string;
  readonly script?: string;
  readonly args: readonly string[];
  /** Where the part writes its counts, if it counts tests. */
  readonly report?: string;
  /** The option by which its runner takes a pattern of names. */
  readonly nameOption?: string;
  readonly needsChromium?: boolean;
}

const reports = join(root, '.cache/test-reports');
const vitest = (project: string): Part => ({
  name: project,
  bin: 'vitest/vitest.mjs',
  args: [
    'run',
    '--project',
    project,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${join(reports, `${project}.json`)}`,
  ],
  report: join(reports, `${project}.json`),
  nameOption: '--testNamePattern',
});

/** One step after another; the parts of a step at once. Those that stand together keep to one core each. */
const steps: readonly (readonly Part[])[] = [
  [{ name: 'types', bin: 'typescript/bin/tsc', args: ['-b'] }],
  [{ name: 'lint', bin: 'oxlint/bin/oxlint', args: ['--type-aware', '--deny-warnings'] }],
  [{ name: 'format', bin: 'oxfmt/bin/oxfmt', args: ['--check'] }],
  [vitest('unit')],
  [vitest('web')],
  [vitest('worker'), vitest('payments')],
  [
    {
      name: 'model',
      script: 'e2e/payments/commands/run-model.ts',
      args: ['--histories', '500', '--shards', '2', '--seed', '20260601'],
    },
  ],
  [
    {
      name: 'e2e',
      bin: '@playwright/test/cli.js',
      args: ['test', '--config', 'e2e/playwright.config.ts'],
      report: join(reports, 'e2e.json'),
      nameOption: '--grep',
      needsChromium: true,
    },
  ],
];
const parts = steps.flat();

interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
}

interface PlaywrightReport {
  readonly stats: {
    readonly expected: number;
    readonly unexpected: number;
    readonly flaky: number;
    readonly skipped: number;
  };
}

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

function readCounts(report: string): Counts {
  // A runner that could not begin has counted nothing.
  if (!existsSync(report)) return { passed: 0, failed: 0, skipped: 0 };
  const parsed = JSON.parse(readFileSync(report, 'utf8')) as VitestReport | PlaywrightReport;
  if ('stats' in parsed) {
    return {
      passed: parsed.stats.expected,
      failed: parsed.stats.unexpected + parsed.stats.flaky,
      skipped: parsed.stats.skipped,
    };
  }
  return { passed: parsed.numPassedTests, failed: parsed.numFailedTests, skipped: parsed.numPendingTests };
}

/** The databases of tests are many and short-lived: where a machine offers memory as a folder, they lie there. */
function inMemory(): { TMPDIR?: string } {
  const folder = '/dev/shm';
  if (!existsSync(folder)) return {};
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize > 2 * 1024 ** 3 ? { TMPDIR: folder } : {};
}

async function run(
  { bin, script, args, nameOption, needsChromium = false }: Part,
  name: string | undefined,
): Promise<boolean> {
  const filter = name === undefined ? [] : [`${nameOption}=${namePattern(name)}`];
  const env = needsChromium
    ? { ...process.env, CHROMIUM_PATH: findChromium() }
    : { ...process.env, ...inMemory() };
  const child = spawn(
    process.execPath,
    [script === undefined ? join(root, 'node_modules', bin ?? '') : join(root, script), ...args, ...filter],
    { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env },
  );
  return (await new Promise<number | null>((resolve) => child.on('close', resolve))) === 0;
}

rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });

const {
  positionals: wanted,
  values: { name },
} = parseArgs({ allowPositionals: true, options: { name: { type: 'string', short: 't' } } });
const unknown = wanted.filter((name) => !parts.some((part) => part.name === name));
if (unknown.length > 0) {
  throw new Error(
    `There is no part ${unknown.join(', ')}; there are ${parts.map(({ name }) => name).join(', ')}.`,
  );
}
const isNameable = ({ name: part, nameOption }: Part) => wanted.includes(part) && nameOption !== undefined;
if (
  name !== undefined &&
  (name.trim() === '' || wanted.length === 0 || parts.filter(isNameable).length < wanted.length)
) {
  throw new Error('-t picks tests by name, of a part that has tests: npm test -- web -t "..."');
}

const totals = { passed: 0, failed: 0, skipped: 0 };
const failures: string[] = [];
const isWanted = (part: Part) => wanted.length === 0 || wanted.includes(part.name);

async function report(part: Part): Promise<void> {
  const startedAt = performance.now();
  console.log(`\n== ${part.name}`);
  let hasPassed = await run(part, name);
  if (part.report !== undefined) {
    const counts = readCounts(part.report);
    if (name !== undefined) {
      // Of those that were not asked for it is not worth speaking; that none was found is.
      counts.skipped = 0;
      if (counts.passed + counts.failed === 0) {
        console.log(`No test of ${part.name} has "${name}" in its name.`);
        hasPassed = false;
      }
    }
    totals.passed += counts.passed;
    totals.failed += counts.failed;
    totals.skipped += counts.skipped;
  }
  if (!hasPassed) failures.push(part.name);
  console.log(
    `== ${part.name}: ${hasPassed ? 'passed' : 'FAILED'} in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`,
  );
}

for (const step of steps) await Promise.all(step.filter(isWanted).map(report));

console.log(failures.length === 0 ? '\nAll parts passed.' : `\nFailed: ${failures.join(', ')}`);
console.log(`Tests: ${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
process.exitCode =
  failures.length === 0 && totals.failed === 0 && (totals.passed > 0 || wanted.length > 0) ? 0 : 1;
