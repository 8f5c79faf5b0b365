import type { Page } from '@playwright/test';
import { journeyDevices } from './devices.ts';
import { expect, test } from './fixtures.ts';
import { becomeCaller, pinPrice, signInByScript } from './steps.ts';

const WIF = 'EKpQGSJtjMFqKZ9KQanSqYXRcFQfBopzLHYxdM65zcjm';
/** The token that the search finds. */
const REAL_WIF = 'EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm';

/** Opens a path as a new Free caller. */
async function openAsNewCaller(
  page: Page,
  { handle, path }: { handle: string; path: string },
): Promise<void> {
  await signInByScript(page.context().request, handle);
  await becomeCaller(page.request);
  await page.goto(path);
}

for (const { name, mark, isPhone, use } of journeyDevices('phone')) {
  test.describe(`a caller on ${name}`, () => {
    test.use(use);

    test('calls the token from the URL, can’t call it again, and ends the call', async ({ openBrowser }) => {
      const page = await openBrowser();
      await pinPrice(WIF, 2);
      await openAsNewCaller(page, { handle: `voice_${mark}`, path: `/dashboard?token=${WIF}` });
      await expect(page.getByLabel('Find a token')).toHaveValue(WIF);
      await page.getByRole('button', { name: 'Make Call' }).click();
      await expect(page.getByText('Token Call Created', { exact: true })).toBeVisible();
      await expect(page.getByRole('list', { name: 'Active Calls' })).toContainText('2.0000');

      await page.getByLabel('Find a token').fill(WIF);
      await page.getByRole('button', { name: 'Look up' }).click();
      await expect(page.getByRole('button', { name: 'Already Called' })).toBeDisabled();

      await pinPrice(WIF, 1.5);
      await page.getByRole('button', { name: /^End / }).click();
      await page
        .getByRole('dialog', { name: /^End your .* call\?$/ })
        .getByRole('button', { name: 'End call' })
        .click();
      await expect(page.getByText('Call Ended', { exact: true })).toBeVisible();
      await expect(page.getByRole('list', { name: 'Call History' })).toContainText('-25.0%');
      await expect(page.getByText('No active calls at the moment')).toBeVisible();
      await page.getByRole('link', { name: 'View Public Profile' }).click();
      await expect(page).toHaveURL(/\/caller\/[0-9a-f-]{36}$/);
      await expect(page.getByText('Your Profile', { exact: true })).toBeVisible();
      await expect(page.getByText('0.0%', { exact: true }).first()).toBeVisible();
    });

    test('finds a token by name, and sees an error for a text that isn’t a token', async ({
      openBrowser,
    }) => {
      const page = await openBrowser();
      await openAsNewCaller(page, { handle: `seeker_${mark}`, path: '/dashboard' });
      await page.getByRole('button', { name: 'Look up' }).click();
      await expect(page.getByText('Please enter a token address')).toBeVisible();
      await page.getByLabel('Find a token').fill('no address at all');
      await page.getByRole('button', { name: 'Look up' }).click();
      await expect(page.getByText('Token not found')).toBeVisible();
      await page.getByLabel('Find a token').fill('dogwif');
      await page.getByRole('option').filter({ hasText: REAL_WIF }).click();
      await expect(page.getByLabel('Find a token')).toHaveValue(REAL_WIF);
      await expect(page.getByRole('button', { name: 'Make Call' })).toBeVisible();
    });

    test('switches views, changes the fee and opens the wallet list', async ({ openBrowser }) => {
      const page = await openBrowser();
      await openAsNewCaller(page, { handle: `desk_${mark}`, path: '/dashboard' });

      await test.step('the caller switches between both views', async () => {
        await page.getByRole('radio', { name: 'Subscriber', exact: true }).check();
        await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Welcome, /);
        await expect(page.getByText('Become a Caller')).toHaveCount(0);
        await page.getByRole('radio', { name: 'Caller', exact: true }).check();
        await expect(page.getByRole('heading', { level: 1 })).toHaveText('Caller Dashboard');
      });

      await test.step('the fee editor refuses a zero fee and saves a positive fee', async () => {
        await page.getByRole('button', { name: 'Edit monthly fee' }).click();
        await page.getByRole('radio', { name: 'Paid' }).check();
        await expect(page.getByLabel('Monthly fee')).toHaveValue('0.0001');
        await page.getByLabel('Monthly fee').fill('0');
        await page.getByRole('button', { name: 'Save' }).click();
        await expect(page.getByText('Invalid Fee', { exact: true })).toBeVisible();
        await expect(page.getByText('Monthly fee must be greater than 0 SOL', { exact: true })).toBeVisible();
        await page.getByLabel('Monthly fee').fill('.25');
        await page.getByRole('button', { name: 'Save' }).click();
        await expect(page.getByText('Monthly Fee Updated', { exact: true })).toBeVisible();
        await expect(page.getByText('0.25 SOL', { exact: true })).toBeVisible();
        await expect(page.getByText(/nobody can subscribe to you yet/)).toBeVisible();
      });

      await test.step('the wallet list offers to install missing wallets, or to open the page in their apps', async () => {
        await page.getByRole('button', { name: 'Connect Wallet' }).click();
        const wallets = page
          .getByRole('dialog', { name: 'Connect Wallet' })
          .getByRole('list', { name: 'Wallets' });
        for (const wallet of ['Phantom', 'Magic Eden', 'Solflare', 'Backpack', 'Coinbase Wallet']) {
          const link = wallets.getByRole('link', { name: new RegExp(wallet) });
          await expect(link).toHaveAttribute('href', /^https:\/\//);
          const opensApp = isPhone && ['Phantom', 'Solflare', 'Backpack'].includes(wallet);
          if (opensApp) await expect(link).not.toHaveAttribute('target');
          else await expect(link).toHaveAttribute('target', '_blank');
        }
        await expect(wallets.getByRole('button', { name: /Local Wallet/ })).toBeVisible();
      });
    });
  });
}
