import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from './settings.ts';

// `npm run restore:drill` loses a database in the local environment and restores it from R2 and the chain. It prints the time
// of each step and exits with 1 if a payment is missing.

const child = spawn(
  process.execPath,
  [
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--project=payments',
    '--disable-console-intercept',
    '--silent=false',
    'e2e/payments/restore-drill.test.ts',
  ],
  { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, TEST_SUITE: 'deep' } },
);
child.on('close', (code) => {
  process.exitCode = code ?? 1;
});
