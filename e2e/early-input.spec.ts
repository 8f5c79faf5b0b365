import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

const CPU_SLOWDOWN = 4;

/** Opens the directory on a slow device with the server's HTML alone. Returns the function that lets its scripts load. */
async function openWithoutScripts(page: Page): Promise<() => void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  const scripts = Promise.withResolvers<void>();
  await page.route(/\/assets\/[^/]+\.js$/, async (route) => {
    await scripts.promise;
    await route.continue();
  });
  await page.goto('/', { waitUntil: 'commit' });
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  return scripts.resolve;
}

async function useControls(page: Page): Promise<void> {
  await page.getByLabel('Sort by').selectOption('winRate');
  await page.getByLabel('Verified only').click();
  await page.getByPlaceholder('Max fee').pressSequentially('12');
  await page.getByRole('searchbox').pressSequentially('ama');
  await page.getByRole('button', { name: 'Highest first' }).click();
}

async function expectAllUsed(page: Page): Promise<void> {
  await expect
    .poll(() => Object.fromEntries(new URL(page.url()).searchParams))
    .toEqual({ verified: 'true', maxFee: '12', search: 'ama', order: 'asc' });
  // A search has one order, so it replaces the chosen one.
  await expect(page.getByLabel('Sort by')).toHaveValue('avgReturn');
  await expect(page.getByLabel('Verified only')).toBeChecked();
  await expect(page.getByPlaceholder('Max fee')).toHaveValue('12');
  await expect(page.getByRole('searchbox')).toHaveValue('ama');
  await expect(page.getByRole('button', { name: 'Lowest first' })).toBeVisible();
}

const openExplanation = (page: Page) => page.getByRole('button', { name: 'Proven' }).first().click();

const explanationOf = (page: Page) => page.getByRole('note', { name: 'Proven' });

test('choices, clicks and keystrokes made before the scripts load take effect on a slow device', async ({
  openBrowser,
}) => {
  const page = await openBrowser();
  const loadScripts = await openWithoutScripts(page);
  await useControls(page);
  loadScripts();
  await expectAllUsed(page);
  const other = await openBrowser();
  const loadOtherScripts = await openWithoutScripts(other);
  await openExplanation(other);
  await expect(explanationOf(other)).toBeVisible();
  loadOtherScripts();
  // React has taken over and has repeated the clicks on other buttons.
  await other.waitForFunction(() => (window as { earlyClicks?: unknown }).earlyClicks === null);
  await expect(explanationOf(other)).toBeVisible();
});
