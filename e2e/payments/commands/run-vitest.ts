import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { REPORT, type Report, type RunOptions } from './run-options.ts';

/**
 * Runs the model test of the project in a folder.
 * @param options.onReport hears what it says of itself while it runs.
 * @returns whether it passed, and everything else that it wrote.
 */
export async function runModelTest({
  folder,
  options,
  onReport,
}: {
  folder: string;
  options: RunOptions;
  onReport: (report: Report) => void;
}): Promise<{ hasPassed: boolean; output: string }> {
  const args = [
    join(folder, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--project',
    'model',
    '--disable-console-intercept',
    '--silent=false',
  ];
  const child = spawn(process.execPath, args, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PAYMENTS_MODEL: JSON.stringify(options) },
  });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      if (line.startsWith(REPORT)) onReport(JSON.parse(line.slice(REPORT.length)) as Report);
      else output.push(line);
    });
  }
  const ended = await new Promise<string>((resolve) =>
    child.on('close', (code, signal) => resolve(`${code ?? signal}`)),
  );
  return { hasPassed: ended === '0', output: [...output, `The test ended with ${ended}`].join('\n') };
}
