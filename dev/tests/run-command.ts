import { spawn } from 'node:child_process';
import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { findChromium } from './find-chromium.ts';
import { root } from '../settings.ts';
import type { Command, Part } from './test-parts.ts';

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export interface CommandResult {
  readonly hasPassed: boolean;
  readonly counts: Counts;
  /** Failed tests, with file, full name and the first line of the error. */
  readonly failures: readonly string[];
}

export const NO_TESTS: Counts = { passed: 0, failed: 0, skipped: 0 };

/** The environment for a part's commands. Installs Chromium if the part needs it and it's missing. */
export function environmentOf({ needsChromium = false }: Part): NodeJS.ProcessEnv {
  return needsChromium
    ? { ...process.env, CHROMIUM_PATH: findChromium() }
    : { ...process.env, ...temporaryFolder() };
}

/** Puts temporary files, such as the many short-lived test databases, in memory if 2 GiB are free there. */
function temporaryFolder(): { TMPDIR?: string } {
  const folder = '/dev/shm';
  if (!existsSync(folder)) return {};
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize > 2 * 1024 ** 3 ? { TMPDIR: folder } : {};
}

/** Runs a command with `moreArgs` appended and waits until it ends. */
export async function runCommand(
  { file, args, report }: Command,
  { env, moreArgs }: { readonly env: NodeJS.ProcessEnv; readonly moreArgs: readonly string[] },
): Promise<CommandResult> {
  const child = spawn(process.execPath, [join(root, file), ...args, ...moreArgs], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env,
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('exit', resolve);
    child.on('error', reject);
  });
  // If the runner failed to start, there is no report.
  const parsed = report !== undefined && existsSync(report) ? readReport(report) : undefined;
  return {
    hasPassed: code === 0,
    counts: parsed === undefined ? NO_TESTS : countsOf(parsed),
    failures: parsed === undefined ? [] : failuresOf(parsed),
  };
}

interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly testResults: readonly VitestFile[];
}

interface VitestFile {
  readonly name: string;
  readonly status: string;
  /** The error, if the file itself failed, for example to import. */
  readonly message: string;
  readonly assertionResults: readonly {
    readonly status: string;
    readonly fullName: string;
    readonly failureMessages: readonly string[];
  }[];
}

interface PlaywrightReport {
  readonly stats: {
    readonly expected: number;
    readonly unexpected: number;
    readonly flaky: number;
    readonly skipped: number;
  };
}

const readReport = (file: string) =>
  JSON.parse(readFileSync(file, 'utf8')) as VitestReport | PlaywrightReport;

function countsOf(report: VitestReport | PlaywrightReport): Counts {
  if ('stats' in report) {
    const { expected, unexpected, flaky, skipped } = report.stats;
    return { passed: expected, failed: unexpected + flaky, skipped };
  }
  return { passed: report.numPassedTests, failed: report.numFailedTests, skipped: report.numPendingTests };
}

/** Playwright lists its own failures at the end of its output, where they are easy to find. */
function failuresOf(report: VitestReport | PlaywrightReport): string[] {
  if ('stats' in report) return [];
  return report.testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, message, assertionResults }) => {
      const file = relative(root, name);
      const failed = assertionResults.filter(({ status }) => status === 'failed');
      if (failed.length === 0) return [`${file}\n    ${firstLine(message)}`];
      return failed.map(
        ({ fullName, failureMessages }) =>
          `${file} › ${fullName}\n    ${firstLine(failureMessages[0] ?? '')}`,
      );
    });
}

const firstLine = (text: string) => text.split('\n', 1)[0] ?? '';
