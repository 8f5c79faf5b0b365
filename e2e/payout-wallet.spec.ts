import type { Page, Route } from '@playwright/test';
import { reads, refused } from './responses.ts';
import { journeyDevices } from './devices.ts';
import { expectAccessible } from './accessibility.ts';
import { expect, test } from './fixtures.ts';
import { becomeCaller, signInByScript } from './steps.ts';

const CHANGE = /\/api\/user\/caller-profile$/;

/** Connects and verifies the Local Wallet. */
async function proveLocalWallet(page: Page, button: string): Promise<void> {
  // The wallet registers itself after the page has loaded.
  await expect(page.getByRole('button', { name: /^(Open|Close) Local Wallet$/ }).first()).toBeVisible();
  await page.getByRole('button', { name: button }).click();
  await page
    .getByRole('dialog', { name: 'Connect Wallet' })
    .getByRole('button', { name: /^Local Wallet/ })
    .click();
  await expect(page.getByText('Wallet Added', { exact: true })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

for (const { name, mark, use } of journeyDevices('desktop')) {
  test.describe(`on ${name}`, () => {
    test.use({ ...use, refusedOnPurpose: CHANGE });

    // Specification 8.41
    test('a caller can change the payout wallet after a new sign-in, and sees the change listed', async ({
      page,
    }) => {
      const handle = `paid_${mark}`;
      await signInByScript(page.context().request, handle);
      await becomeCaller(page.request);
      const card = page
        .locator('main section')
        .filter({ has: page.getByRole('heading', { name: 'Your Caller Profile' }) });
      let heightWhileLoading: number | undefined;
      const noticeHeight = async (route: Route) => {
        heightWhileLoading = (await card.boundingBox())?.height;
        await route.continue();
      };
      // Only the statistics wait: the dashboard requests its parts alone.
      await page.route(reads.dashboard, (route) => route.fulfill({ json: {} }), { times: 1 });
      await page.route(reads.caller, noticeHeight, { times: 1 });
      await page.goto('/dashboard');
      const lastChange = page.getByRole('group', { name: 'Last payout wallet change' });
      const wallets = page.getByRole('list', { name: 'Saved wallets' }).getByRole('listitem');

      await test.step('the statistics above the button take no more room than their placeholder', async () => {
        await expect(page.getByText('Loading statistics')).toHaveCount(0);
        await expect(page.getByText('Total Calls')).toBeVisible();
        expect(await card.boundingBox()).toMatchObject({ height: heightWhileLoading });
        await page.getByRole('link', { name: 'Payout Wallet' }).click();
      });

      await test.step('the first wallet is the payout wallet, a second one is not', async () => {
        await proveLocalWallet(page, 'Connect Wallet');
        await expect(lastChange).toContainText('Payout wallet set');
        await page.getByRole('button', { name: 'Open Local Wallet' }).click();
        page.once('dialog', (confirmation) => void confirmation.accept());
        await page.getByRole('button', { name: 'New key' }).click();
        await expect(page.getByText('This is a new, empty wallet.')).toBeVisible();
        await page.getByRole('button', { name: 'Close Local Wallet' }).click();
        await proveLocalWallet(page, 'Connect another wallet');
        await expect(wallets.nth(0).getByRole('button', { name: 'Use for payouts' })).toBeVisible();
        await expect(wallets.nth(1)).toContainText('Payout');
      });

      await test.step('after an old sign-in, the page leads to X and back to the payout wallet', async () => {
        // The server sends this response if the sign-in was more than fifteen minutes ago.
        const message = 'To change your payout wallet, sign in again.';
        await refused('auth.fresh_sign_in_needed', message, CHANGE)(page);
        await page.getByRole('button', { name: 'Use for payouts' }).click();
        const dialog = page.getByRole('dialog', { name: 'Sign in again' });
        await expect(dialog.getByText('Nothing has changed yet.')).toBeVisible();
        await page.unroute(CHANGE);
        await dialog.getByRole('link', { name: 'Sign in again' }).click();
        await page.getByLabel('Or sign in as someone new').fill(handle);
        await page.getByLabel('Or sign in as someone new').press('Enter');
        await expect(page).toHaveURL(/\/settings\/wallets#payout-wallet$/);
        await expect(page.getByRole('heading', { name: 'Payout Wallet' })).toBeInViewport();
      });

      await test.step('the wallet changes, and its owner sees the old and the new address', async () => {
        await page.getByRole('button', { name: 'Use for payouts' }).click();
        await expect(page.getByText('Payout Wallet Changed', { exact: true })).toBeVisible();
        await expect(wallets.nth(0)).toContainText('Payout');
        await expect(lastChange).toContainText('Payout wallet changed');
        await lastChange.getByRole('button', { name: "Wasn't this you?" }).click();
        const dialog = page.getByRole('dialog', { name: 'Payout wallet changes' });
        await expect(dialog.getByRole('listitem').filter({ hasText: /^Payout wallet/ })).toHaveCount(2);
        const { walletAddress } = (await (await page.request.get('/api/auth/user')).json()) as {
          walletAddress: string;
        };
        await expect(dialog.getByText(walletAddress, { exact: true })).toBeVisible();
        await expect(dialog.getByText('If someone else did this')).toBeVisible();
        await expectAccessible(page, 'the payout wallet changes', { isOverlay: true });
        await dialog.getByRole('button', { name: 'Close' }).click();
      });
    });
  });
}
