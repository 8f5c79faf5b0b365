import type { Page } from '@playwright/test';
import { platformAddress } from '#dev/local/product-vars.ts';
import { expect, test } from './fixtures.ts';
import { USUAL_LOAD } from './settings.ts';
import {
  airdropToLocalWallet,
  balanceOf,
  failSolana,
  runCronUntilVisible,
  setAutoApprove,
  setSolanaLoad,
  signInByScript,
  startAtOnce,
} from './steps.ts';

const TITLE = 'Subscribe to Amara Lanternby';
const FEE = 500_000_000n;
const DAY_MS = 86_400_000;

const dialogOf = (page: Page) => page.getByRole('dialog', { name: TITLE });
const walletOf = (page: Page) => page.frameLocator('iframe[title="Local Wallet"]');

/** The end of the subscription to the caller, in unix ms. */
async function accessEnd(page: Page): Promise<number> {
  const [mine] = (await (await page.request.get('/api/subscriptions/my')).json()) as { endDate: string }[];
  return Date.parse(mine?.endDate ?? '');
}

test.describe('the Subscribe dialog', () => {
  // This test makes requests fail on purpose.
  test.use({ hasMotion: true, refusedOnPurpose: /\/api\/solana\// });

  test('a payment moves no SOL until it is signed, and then buys exactly one period', async ({
    openBrowser,
  }) => {
    const page = await openBrowser();
    const dialog = dialogOf(page);
    const alert = dialog.getByRole('alert');
    const pay = dialog.getByRole('button', { name: 'Pay 0.5000 SOL' });
    await signInByScript(page.context().request, 'pia_pays');
    await page.goto('/caller/amara_calls');
    const { payoutAddress } = (await (await page.request.get('/api/callers/amara_calls')).json()) as {
      payoutAddress: string;
    };
    const before = { caller: await balanceOf(payoutAddress), platform: await balanceOf(platformAddress) };
    const expectMoved = async (payments: bigint) => {
      expect(await balanceOf(payoutAddress)).toBe(before.caller + (payments * FEE * 9n) / 10n);
      expect(await balanceOf(platformAddress)).toBe(before.platform + (payments * FEE) / 10n);
    };

    await test.step('declining in the wallet pays nothing', async () => {
      await airdropToLocalWallet(page);
      await page.getByRole('button', { name: 'Subscribe', exact: true }).click();
      await dialog.getByRole('button', { name: /Local Wallet/ }).click();
      await setAutoApprove(page, false);
      await startAtOnce(dialog);
      await pay.click();
      await expect(
        dialog
          .getByText('Nothing has left your wallet.')
          .or(dialog.getByText("Keep this tab open until you've signed."))
          .first(),
      ).toBeVisible();
      await walletOf(page).getByRole('button', { name: 'Reject' }).click();
      await expect(alert).toHaveText(
        'You declined the payment in your wallet. Nothing was paid. Press Pay to try again.',
      );
      await expectMoved(0n);
    });

    await test.step('on a busy network, a payment whose response to the send was lost happens exactly once', async () => {
      await setSolanaLoad(40_000);
      await page.route(
        /\/send-transaction$/,
        async (route) => {
          await route.fetch();
          await route.abort('connectionreset');
        },
        { times: 1 },
      );
      await startAtOnce(dialog);
      await pay.click();
      await walletOf(page).getByRole('button', { name: 'Approve' }).click();
      await setAutoApprove(page, true);
      await expect(dialog.getByText('Receipt', { exact: true })).toBeVisible();
      await expectMoved(1n);
      await setSolanaLoad(USUAL_LOAD);
      await dialog.getByRole('button', { name: 'Done' }).click();
    });

    const firstEnd = await accessEnd(page);
    const elsewhere = await openBrowser();

    await test.step('after the paying tab is closed, another device shows the pending renewal', async () => {
      // The payment is confirmed, but the server can't read the transaction yet.
      await failSolana({ path: 'getTransaction' });
      // The link of a reminder opens the terms for the wallet that paid last.
      await page.goto('/caller/amara_calls#subscribe');
      await expect(dialog.getByText(/^30 days, starting when your current access ends on /)).toBeVisible();
      const sent = page.waitForResponse(/\/send-transaction$/);
      await startAtOnce(dialog);
      await pay.click();
      await sent;
      await page.close();
      const again = await page.context().newPage();
      await again.goto('/dashboard');
      await again.getByRole('button', { name: 'Payment in progress: Amara Lanternby' }).click();
      await expect(dialogOf(again).getByRole('button', { name: /^Finish/ })).toBeVisible();
      await again.close();

      await signInByScript(elsewhere.context().request, 'pia_pays');
      await elsewhere.goto('/dashboard');
      await elsewhere.getByRole('button', { name: 'Renew Amara Lanternby' }).click();
      await dialogOf(elsewhere)
        .getByRole('button', { name: /Local Wallet/ })
        .click();
      await dialogOf(elsewhere).getByRole('button', { name: 'Check this payment again' }).click();
      await expect(dialogOf(elsewhere).getByRole('status')).toContainText("We're looking for your payment");
    });

    await test.step('the cron extends the subscription by 30 days', async () => {
      await failSolana(null);
      await runCronUntilVisible(dialogOf(elsewhere).getByText('You are subscribed to Amara Lanternby.'));
      expect((await accessEnd(elsewhere)) - firstEnd).toBe(30 * DAY_MS);
      await expectMoved(2n);
    });

    await test.step('the browser that signed sees that the payment is complete and makes no second payment', async () => {
      const again = await page.context().newPage();
      await again.goto('/dashboard');
      await again.getByRole('button', { name: 'Renew Amara Lanternby' }).click();
      await expect(
        dialogOf(again).getByText(/^30 days, starting when your current access ends on /),
      ).toBeVisible();
      expect((await accessEnd(again)) - firstEnd).toBe(30 * DAY_MS);
      await expectMoved(2n);
    });

    await test.step('the server sends a payment again that Solana did not accept, even after the page is closed', async () => {
      await failSolana({ path: 'sendTransaction' });
      const closed = await page.context().newPage();
      await closed.goto('/dashboard');
      await closed.getByRole('button', { name: 'Renew Amara Lanternby' }).click();
      await startAtOnce(dialogOf(closed));
      await dialogOf(closed).getByRole('button', { name: 'Pay 0.5000 SOL' }).click();
      const status = dialogOf(closed).getByRole('status');
      await expect(status).toContainText(
        "Solana isn't accepting the payment right now, so we keep sending it.",
      );
      await expect(status).toContainText('You can close this tab.');
      await closed.close();
      await expectMoved(2n);
      await failSolana(null);
      await expect.poll(() => balanceOf(payoutAddress)).not.toBe(before.caller + (2n * FEE * 9n) / 10n);
      await expectMoved(3n);
    });
  });
});
