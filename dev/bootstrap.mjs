// Installs the lock file's dependencies if they are missing or out of date. Runs before `npm start`, `npm
// run dev` and the checks, so it must work with Node 20 and npm alone.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Only these packages may run scripts when they are installed. The `node` package installs Node 24 with its script. */
const MAY_RUN_SCRIPTS = ['node'];

const root = fileURLToPath(new URL('..', import.meta.url));
const stamp = `${root}node_modules/.solcallers-lock`;
const wanted = createHash('sha256')
  .update(readFileSync(`${root}package-lock.json`))
  .digest('hex');
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`SolCallers needs Node 20.19 or newer to install itself; this is ${process.versions.node}.`);
  process.exit(1);
}

function npm(...args) {
  const { status } = spawnSync(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status === 0) return;
  console.error(`npm ${args[0]} failed. See its message above.`);
  process.exit(status ?? 1);
}

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
  console.log('Installing dependencies (once; about a minute)...');
  npm('ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error');
  npm('rebuild', ...MAY_RUN_SCRIPTS, '--loglevel=error');
  mkdirSync(`${root}node_modules`, { recursive: true });
  writeFileSync(stamp, wanted);
}
