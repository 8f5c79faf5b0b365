import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { buildProductApart } from '#dev/build/build-product.ts';
import { root, type Settings } from '#dev/settings.ts';
import { copySampleData } from '#dev/local/shared-sample-data.ts';
import { USUAL_LOAD, environmentSettings } from './settings.ts';

// Builds the product, starts a local environment for each Playwright worker, and prints READY. Runs until it is
// stopped.

const READY = 'All worlds are ready.';

function startEnvironment({ dataDir, port, solanaPort, standInsPort }: Settings): ChildProcess {
  return spawn(process.execPath, ['dev/start.ts'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      PORT: String(port),
      SOLANA_PORT: String(solanaPort),
      STAND_INS_PORT: String(standInsPort),
      SOLCALLERS_DATA: dataDir,
    },
  });
}

/**
 * Resolves when the environment has printed its address. Keeps reading afterwards, because a full pipe would
 * block the environment.
 */
async function waitUntilReady({ stdout }: ChildProcess): Promise<void> {
  if (!stdout) throw new Error('The output is not piped.');
  await new Promise<void>((resolve, reject) => {
    const lines = createInterface({ input: stdout });
    lines.on('line', (line) => line.startsWith('SolCallers is at') && resolve());
    lines.on('close', () => reject(new Error('An environment ended before it was ready.')));
  });
}

async function makeBusy({ standInsPort }: Settings): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${standInsPort}/_control/solana/load`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ microLamports: USUAL_LOAD }),
  });
  if (!response.ok) throw new Error(`The control API responded with ${response.status}.`);
}

await Promise.all([buildProductApart(), copySampleData(environmentSettings)]);
const children = environmentSettings.map(startEnvironment);
await Promise.all(children.map(waitUntilReady));
await Promise.all(environmentSettings.map(makeBusy));
const ends = children.map((child) => once(child, 'exit'));
const stop = () => children.forEach((child) => child.kill('SIGTERM'));
process.once('SIGINT', stop);
process.once('SIGTERM', stop);
console.log(READY);
await Promise.all(ends);
