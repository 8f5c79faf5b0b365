import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from '#dev/settings.ts';
import { REPORT, type Report, type RunOptions } from './run-options.ts';

interface ModelRun {
  readonly options: RunOptions;
  /** The name of a bug that the product gets for this run. */
  readonly plantedBug?: string;
  readonly onReport: (report: Report) => void;
}

/** Runs the model test. @returns whether it passed, and its output without the reports */
export async function runModelTest({
  options,
  plantedBug,
  onReport,
}: ModelRun): Promise<{ hasPassed: boolean; output: string }> {
  const args = [
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--project',
    'model',
    '--disable-console-intercept',
    '--silent=false',
  ];
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      PAYMENTS_MODEL: JSON.stringify(options),
      ...(plantedBug === undefined ? {} : { PLANTED_BUG: plantedBug }),
    },
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
