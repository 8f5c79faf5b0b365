import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Page } from '@playwright/test';
import { root } from '#dev/settings.ts';
import { expect, test } from './fixtures.ts';

const SOURCES = [
  'dev',
  'schema',
  'verify',
  'web',
  'worker',
  'package.json',
  'tsconfig.base.json',
  'vite.config.ts',
  'wrangler.toml',
];
const PORT = '19787';
const HOME = `http://localhost:${PORT}/`;

/** `npm run dev` on a copy of the sources that a test may edit. */
interface DevServer {
  edit(file: string, search: string, replacement: string): Promise<void>;
  close(): Promise<void>;
}

async function startDevServer(): Promise<DevServer> {
  const folder = await mkdtemp(join(tmpdir(), 'solcallers-dev-'));
  for (const source of SOURCES) await cp(join(root, source), join(folder, source), { recursive: true });
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  const child = spawn(process.execPath, ['dev/start.ts', '--watch'], {
    cwd: folder,
    env: { ...process.env, PORT, SOLANA_PORT: '19899', STAND_INS_PORT: '19788' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await waitForLine(child, 'SolCallers is at');
  return {
    async edit(file, search, replacement) {
      const path = join(folder, file);
      const text = await readFile(path, 'utf8');
      if (!text.includes(search)) throw new Error(`${file} has no ${search}`);
      await writeFile(path, text.replace(search, replacement));
    },
    async close() {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function waitForLine({ stdout }: ChildProcess, start: string): Promise<void> {
  if (!stdout) throw new Error('The output is not piped.');
  for await (const line of createInterface({ input: stdout })) if (line.startsWith(start)) return;
  throw new Error(`The server ended before it printed "${start}".`);
}

/** Sets state that a page load would lose: an unfinished number in an input, and a property of `window`. */
async function leaveState(page: Page): Promise<void> {
  const maxFee = page.getByLabel('Max fee');
  await maxFee.fill('2');
  // The server rendered the page. Only the running app changes the URL, and an edit before that updates nothing.
  await expect(page).toHaveURL(/maxFee=2/);
  await maxFee.fill('2.');
  await page.evaluate(() => void Object.assign(window, { isSameDocument: true }));
}

async function expectStateSaved(page: Page): Promise<void> {
  await expect(page.getByLabel('Max fee')).toHaveValue('2.');
  expect(await page.evaluate(() => 'isSameDocument' in window)).toBe(true);
}

test('npm run dev shows an edited route and an edited component without a page load', async ({
  openBrowser,
}) => {
  // Seeding an environment and bundling the sources takes minutes on a busy machine.
  test.setTimeout(300_000);
  const server = await startDevServer();
  try {
    const page = await openBrowser();
    await page.goto(`${HOME}caller/amara_calls`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Amara Lanternby');
    await expect(page.getByRole('button', { name: 'Open Local Wallet' })).toBeVisible();
    await page.goto(HOME);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Find SolCallers');
    await expect(page.getByText('@amara_calls').first()).toBeVisible();

    await leaveState(page);
    await server.edit(
      'web/routes/index.tsx',
      'usePageTitle(DIRECTORY_TITLE)',
      "usePageTitle('Edited title')",
    );
    await expect(page).toHaveTitle(/^Edited title/);
    await expectStateSaved(page);
    await server.edit('web/features/directory/directory-page.tsx', 'Find {PRODUCT_NAME}', 'Edited heading');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Edited heading');
    await expectStateSaved(page);
    // Close the page first, because an open page would report the stopped server as a failed request.
    await page.close();
  } finally {
    await server.close();
  }
});
