import type { Page } from '@playwright/test';
import type { CallerListItem } from '#schema/contracts/callers.ts';
import { phone } from './devices.ts';
import { expectAccessible } from './accessibility.ts';
import { expect, test } from './fixtures.ts';
import { airdropToLocalWallet, presetStorage, signInByScript, startAtOnce } from './steps.ts';

/** Longer than the pause between two searches for a payment. */
const SEARCH_PAUSE_MS = 5_000;

/** Makes the Local Wallet send each transaction that it signs, as on a phone. */
const withPhoneWallet = (page: Page, mode: '1' | 'silent' | 'confused') =>
  presetStorage(page, { 'local-wallet:phone': mode });

async function openTerms(page: Page, handle: string | undefined) {
  await page.goto(`/caller/${handle}#subscribe`);
  const dialog = page.getByRole('dialog', { name: /^Subscribe to / });
  await dialog.getByRole('button', { name: /^Local Wallet/ }).click();
  await startAtOnce(dialog);
  const receipt = dialog.getByText('Receipt', { exact: true });
  return { dialog, receipt, pay: dialog.getByRole('button', { name: /^Pay / }) };
}

const periods = async (page: Page) =>
  (await (await page.request.get('/api/subscriptions/my')).json()) as unknown[];

test.use({ ...phone.use });

test('a payment sent by an Android wallet buys one period, whatever signature the wallet returns', async ({
  page,
}) => {
  await page.clock.install();
  await signInByScript(page.context().request, 'phone_payer');
  // Callers whose payments no other test counts.
  const callers = (await (await page.request.get('/api/callers?paid=true')).json()) as CallerListItem[];
  const [first, second, third] = callers.filter(
    ({ canBeSubscribed, monthlyFee, twitterHandle }) =>
      canBeSubscribed && Number(monthlyFee) < 2 && twitterHandle !== 'amara_calls',
  );
  await withPhoneWallet(page, '1');
  await page.goto('/how-we-count');
  await airdropToLocalWallet(page);

  await test.step('if the wallet returns the signature, the payment is found at once', async () => {
    const relayed: string[] = [];
    page.on('request', (request) => relayed.push(new URL(request.url()).pathname));
    const { dialog, pay, receipt } = await openTerms(page, first?.twitterHandle);
    await expect(dialog.getByText('asks you to approve the payment, and sends it')).toBeVisible();
    await expectAccessible(page, 'the payment on a phone', { isOverlay: true });
    await pay.click();
    await expect(receipt).toBeVisible();
    expect(relayed).not.toContain('/api/solana/send-transaction');
    expect(await periods(page)).toHaveLength(1);
  });

  for (const [mode, returned, caller, count] of [
    ['silent', 'no signature', second, 2],
    ['confused', 'another transaction’s signature', third, 3],
  ] as const) {
    await test.step(`if the wallet returns ${returned}, the payment is found on the chain`, async () => {
      await withPhoneWallet(page, mode);
      const { pay, receipt } = await openTerms(page, caller?.twitterHandle);
      await pay.click();
      await expect(async () => {
        await page.clock.fastForward(SEARCH_PAUSE_MS);
        await expect(receipt).toBeVisible({ timeout: 1_000 });
      }).toPass();
      expect(await periods(page)).toHaveLength(count);
    });
  }
});
