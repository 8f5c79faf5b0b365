import type { Page } from '@playwright/test';
import { phone } from './devices.ts';
import { expect, test } from './fixtures.ts';
import { airdropToLocalWallet, presetStorage, signInByScript } from './steps.ts';

/** Makes the Local Wallet one that can't sign without sending, as on a phone. */
const withPhoneWallet = (page: Page, mode: '1' | 'silent') =>
  presetStorage(page, { 'local-wallet:phone': mode });

/** Opens the dialog of a caller whose payments no other test counts, with SOL in the wallet. */
async function openTerms(page: Page) {
  await page.goto('/how-we-count');
  await airdropToLocalWallet(page);
  const callers = (await (await page.request.get('/api/callers')).json()) as ListedCaller[];
  const caller = callers.find(
    ({ canBeSubscribed, monthlyFee, twitterHandle }) =>
      canBeSubscribed && Number(monthlyFee) > 0 && Number(monthlyFee) < 4 && twitterHandle !== 'amara_calls',
  );
  await page.goto(`/caller/${caller?.twitterHandle}#subscribe`);
  const dialog = page.getByRole('dialog', { name: /^Subscribe to / });
  await dialog.getByRole('button', { name: /Local Wallet/ }).click();
  return { dialog, pay: dialog.getByRole('button', { name: /^Pay / }) };
}

interface ListedCaller {
  canBeSubscribed: boolean;
  monthlyFee: string | null;
  twitterHandle: string;
}

const periods = async (page: Page) =>
  (await (await page.request.get('/api/subscriptions/my')).json()) as unknown[];

test.describe('on an Android phone whose wallet sends what it signs, a payment', () => {
  test.use({ ...phone.use });

  test('a payment on an Android phone buys one period with the wallet’s signature', async ({
    openBrowser,
  }) => {
    const page = await openBrowser();
    await withPhoneWallet(page, '1');
    await signInByScript(page.context().request, 'phone_payer');
    const relayed: string[] = [];
    page.on('request', (request) => relayed.push(new URL(request.url()).pathname));
    const { dialog, pay } = await openTerms(page);
    await expect(dialog.getByText('asks you to approve the payment, and sends it')).toBeVisible();
    await pay.click();
    await expect(dialog.getByText('Receipt', { exact: true })).toBeVisible();
    expect(relayed).not.toContain('/api/solana/send-transaction');
    expect(await periods(page)).toHaveLength(1);
  });

  test('a payment on an Android phone is found on the chain if the wallet returns no signature', async ({
    openBrowser,
  }) => {
    const page = await openBrowser();
    await withPhoneWallet(page, 'silent');
    await signInByScript(page.context().request, 'phone_silent');
    const { dialog, pay } = await openTerms(page);
    await pay.click();
    await expect(dialog.getByText('Receipt', { exact: true })).toBeVisible({ timeout: 60_000 });
    expect(await periods(page)).toHaveLength(1);
  });
});
