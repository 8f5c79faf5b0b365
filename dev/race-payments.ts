import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from './settings.ts';

// `npm run payments:races` runs every race in e2e/payments/races.test.ts a hundred times. With `-- 10`, each
// race runs ten times.

const [rounds = '100'] = process.argv.slice(2);
if (!/^[1-9]\d*$/.test(rounds)) throw new Error(`Expected a number of rounds instead of ${rounds}`);
const child = spawn(
  process.execPath,
  [
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--project',
    'payments',
    '--silent=false',
    'e2e/payments/races.test.ts',
  ],
  {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, RACE_ROUNDS: rounds },
  },
);
child.on('close', (code) => {
  process.exitCode = code ?? 1;
});
