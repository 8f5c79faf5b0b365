import { spawn } from 'node:child_process';
import { once } from 'node:events';
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

const VITEST = join(root, 'node_modules/vitest/vitest.mjs');
/** Enough histories for each planted bug. */
const MESSAGE_BATCHES = 8;
const MESSAGE_MODEL = [
  'run',
  '--project=worker',
  '--bail=1',
  'worker/modules/messages/delivery/message-model.test.ts',
];

/** Runs the model of messages with a planted bug, until it's detected. */
export async function runMessageModel(
  plantedBug: string,
): Promise<{ hasPassed: boolean; violation: string | undefined; output: string }> {
  const first = Array.from({ length: MESSAGE_BATCHES }, (_, batch) => 1 + 20 * batch).join('|');
  const child = spawn(
    process.execPath,
    [VITEST, ...MESSAGE_MODEL, `--testNamePattern=from (?:${first})\\)`],
    {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, TEST_SUITE: 'deep', NO_COLOR: '1', PLANTED_BUG: plantedBug },
    },
  );
  const chunks: Buffer[] = [];
  for (const input of [child.stdout, child.stderr]) input.on('data', (chunk: Buffer) => chunks.push(chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  const output = Buffer.concat(chunks).toString();
  return { hasPassed: code === 0, violation: /^Violation: (.*)$/m.exec(output)?.[1], output };
}

const ARGUMENTS = ['run', '--project=model', '--disable-console-intercept', '--silent=false'];

/** Runs the model test. @returns whether it passed, and its output without the reports */
export async function runModelTest({
  options,
  plantedBug,
  onReport,
}: ModelRun): Promise<{ hasPassed: boolean; output: string }> {
  const variables = {
    PAYMENTS_MODEL: JSON.stringify(options),
    ...(plantedBug === undefined ? {} : { PLANTED_BUG: plantedBug }),
  };
  const child = spawn(process.execPath, [VITEST, ...ARGUMENTS], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...variables },
  });
  const output: string[] = [];
  for (const input of [child.stdout, child.stderr]) {
    createInterface({ input }).on('line', (line) => {
      if (line.startsWith(REPORT)) onReport(JSON.parse(line.slice(REPORT.length)) as Report);
      else output.push(line);
    });
  }
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  return { hasPassed: code === 0, output: [...output, `The test ended with ${code ?? signal}`].join('\n') };
}
