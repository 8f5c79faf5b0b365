import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '#dev/settings.ts';

/**
 * Runs a benchmark that is also a command of its own, and returns what it gave to `reportResults`.
 * @throws Error if it reported nothing
 */
export async function runScript<Report>(script: string, args: readonly string[] = []): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'solcallers-bench-'));
  const file = join(folder, 'report.json');
  try {
    const child = spawn(process.execPath, [join(root, 'bench', script), ...args], {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, BENCH_REPORT: file },
    });
    await new Promise((resolve) => child.on('close', resolve));
    return JSON.parse(readFileSync(file, 'utf8')) as Report;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
