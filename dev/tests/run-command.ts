import { spawn } from 'node:child_process';
import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
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
  return {
    hasPassed: code === 0,
    counts: report === undefined ? NO_TESTS : readCounts(report),
  };
}

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

function readCounts(report: string): Counts {
  // If the runner failed to start, there is no report.
  if (!existsSync(report)) return NO_TESTS;
  const parsed = JSON.parse(readFileSync(report, 'utf8')) as VitestReport | PlaywrightReport;
  if ('stats' in parsed) {
    const { expected, unexpected, flaky, skipped } = parsed.stats;
    return { passed: expected, failed: unexpected + flaky, skipped };
  }
  return { passed: parsed.numPassedTests, failed: parsed.numFailedTests, skipped: parsed.numPendingTests };
}
