import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../settings.ts';

// `npm run payments:races` runs every race a hundred times; with `-- 10`, ten times. `npm run restore:drill` loses a
// database in the local environment and restores it from R2 and the chain. It prints the time of each step and exits
// with 1 if a payment is missing.

const [name = '', rounds = '100'] = process.argv.slice(2);
if (!/^[1-9]\d*$/.test(rounds)) throw new Error(`Expected a number of rounds instead of ${rounds}`);
const printed = name === 'restore-drill' ? ['--disable-console-intercept', '--silent=false'] : [];
const options = ['--project=payments', ...printed];
const child = spawn(
  process.execPath,
  [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...options, `e2e/payments/${name}.test.ts`],
  {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, TEST_SUITE: 'deep', RACE_ROUNDS: rounds },
  },
);
child.on('close', (code) => {
  process.exitCode = code ?? 1;
});
