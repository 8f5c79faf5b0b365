import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from '#dev/settings.ts';
import { expect, test } from './fixtures.ts';

test('npm run dev serves the same product from its sources', async ({ openBrowser }) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'solcallers-dev-'));
  const dev = spawn(process.execPath, ['dev/start.ts', '--watch'], {
    cwd: root,
    env: {
      ...process.env,
      PORT: '19787',
      SOLANA_PORT: '19899',
      STAND_INS_PORT: '19788',
      SOLCALLERS_DATA: dataDir,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    for await (const line of createInterface({ input: dev.stdout })) {
      if (line.startsWith('SolCallers is at')) break;
    }
    const page = await openBrowser();
    await page.goto('http://localhost:19787/');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Find SolCallers');
    await expect(page.getByText('@amara_calls').first()).toBeVisible();
    await page.goto('http://localhost:19787/caller/amara_calls');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Amara Lanternby');
    await expect(page.getByRole('button', { name: 'Open Local Wallet' })).toBeVisible();
    // Before the server goes: a page that is still open would ask it in vain.
    await page.close();
  } finally {
    dev.kill('SIGTERM');
    await once(dev, 'exit');
    await rm(dataDir, { recursive: true, force: true });
  }
});
