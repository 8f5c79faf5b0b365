import { platformAddress } from '#dev/local/product-vars.ts';
import { expectAccessible } from './accessibility.ts';
import { expect, test } from './fixtures.ts';
import {
  airdropToLocalWallet,
  askForRefund,
  balanceOf,
  becomePaidCaller,
  connectPayoutWallet,
  finalizeTransactions,
  pinPrice,
  refund,
  runCron,
  signInAs,
  signInByScript,
  startAtOnce,
} from './steps.ts';

const BONK = 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263';
const FEE = 500_000_000n;
const SHARE = (FEE * 9n) / 10n;

// The server refuses to end a call at a gain that wouldn't count, unless the caller insists. After the refund, it
// refuses to show the subscriber's open page the active calls.
test.use({ hasMotion: true, refusedOnPurpose: /\/end\?onlyIfCounted=true$|\/active$/ });

// Specification 6.9, 2.146, 8.37
test('a subscriber pays a caller and sees the active call until the caller refunds the payment', async ({
  openBrowser,
}) => {
  const caller = await openBrowser();
  const subscriber = await openBrowser();
  await pinPrice(BONK, 0.00002);

  await test.step('a person signs in, becomes a Paid caller and verifies the payout wallet', async () => {
    await signInAs(caller, 'lena_new');
    await becomePaidCaller(caller);
    await expect(caller.getByRole('heading', { level: 1, name: 'Caller Dashboard' })).toBeFocused();

    await connectPayoutWallet(caller);
    await expect(caller.getByRole('list', { name: 'Saved wallets' })).toContainText('Payout');
    await caller.goto('/dashboard');
  });

  await test.step('the caller makes a call', async () => {
    await caller.getByLabel('Find a token').fill(BONK);
    await caller.getByLabel('Find a token').press('Enter');
    await caller.getByRole('button', { name: 'Make Call' }).dblclick();
    await expect(caller.getByText('Token Call Created', { exact: true })).toBeVisible();
    await expect(caller.getByRole('button', { name: /^End BONK/i })).toBeVisible();
  });

  const { id: callerId, walletAddress: payoutAddress } = (await (
    await caller.request.get('/api/auth/user')
  ).json()) as { id: string; walletAddress: string };
  const before = { caller: await balanceOf(payoutAddress), platform: await balanceOf(platformAddress) };
  const activeCalls = async () =>
    (await subscriber.request.get(`/api/token-calls/caller/${callerId}/active`)).status();

  await test.step('a user without a subscription sees that there is a call, but not its token', async () => {
    await signInByScript(subscriber.context().request, 'sam_new');
    await subscriber.goto('/caller/lena_new');
    await expect(subscriber.getByText('Subscribe to View Active Calls')).toBeVisible();
    await expect(subscriber.getByText('Bonk', { exact: true })).toHaveCount(0);
    expect(await activeCalls()).toBe(403);
  });

  await test.step('a second click on Pay does not close the payment’s dialog, and the dialog can be reopened after Back', async () => {
    await airdropToLocalWallet(subscriber);
    await subscriber.getByRole('button', { name: 'Subscribe', exact: true }).click();
    const dialog = subscriber.getByRole('dialog');
    await dialog.getByRole('button', { name: /Local Wallet/ }).click();
    const pay = dialog.getByRole('button', { name: 'Pay 0.5000 SOL' });
    await startAtOnce(dialog);
    await expect(pay).toBeEnabled();
    const held = Promise.withResolvers<void>();
    await subscriber.route(/\/confirm-transaction$/, async (route) => {
      await held.promise;
      await route.continue();
    });
    const { x = 0, y = 0, width = 0, height = 0 } = (await pay.boundingBox()) ?? {};
    const point = { x: x + width / 2, y: y + height / 2 };
    const paying = dialog.getByRole('heading', { name: 'Payment in progress' });
    await subscriber.mouse.click(point.x, point.y);
    await expect(paying).toBeVisible();
    const isInDialog = await subscriber.evaluate(
      (at) => document.elementFromPoint(at.x, at.y)?.closest('[role=dialog]') !== null,
      point,
    );
    expect(isInDialog).toBe(true);
    await subscriber.mouse.click(point.x, point.y);
    await subscriber.mouse.click(5, 5);
    await subscriber.keyboard.press('Escape');
    await expect(paying).toBeVisible();
    await subscriber.goBack();
    await expect(dialog).toHaveCount(0);
    await subscriber.getByRole('button', { name: 'Payment in progress' }).first().click();
    await expect(paying).toBeVisible();
    await expectAccessible(subscriber, 'the payment in progress', { isOverlay: true });
    held.resolve();
    await expect(dialog.getByText(/^You are subscribed to /)).toBeVisible();
    await expect(dialog.getByText('Receipt', { exact: true })).toBeVisible();
    await expectAccessible(subscriber, 'the completed payment', { isOverlay: true });
    await dialog.getByRole('link', { name: 'See their calls' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(subscriber).toHaveURL(/\/caller\/lena_new$/);
  });

  await test.step('the caller gets exactly 90% of the fee and the platform 10%', async () => {
    expect(await balanceOf(payoutAddress)).toBe(before.caller + SHARE);
    expect(await balanceOf(platformAddress)).toBe(before.platform + FEE / 10n);
  });

  await test.step('the subscriber sees the active call, on the profile and on the dashboard', async () => {
    await expect(subscriber.getByText('Subscribed', { exact: true })).toBeVisible();
    await expect(subscriber.getByText('Bonk').first()).toBeVisible();
    await expect(subscriber.getByRole('heading', { level: 2, name: 'Active Calls' })).toBeInViewport();
    await subscriber.goto('/dashboard');
    await expect(subscriber.getByText('Bonk').first()).toBeVisible();
  });

  const payments = (await (await subscriber.request.get('/api/payments')).json()) as { signature: string }[];
  const { signature } = payments[0] ?? { signature: '' };
  const { payerAddress } = (await (await subscriber.request.get(`/api/payments/${signature}`)).json()) as {
    payerAddress: string;
  };
  const payerBefore = await balanceOf(payerAddress);

  await test.step('the subscriber asks for a refund, and the caller’s dialog says what it costs', async () => {
    await finalizeTransactions();
    await expect
      .poll(async () => {
        await runCron();
        const response = await caller.request.get(`/api/payments/${signature}`);
        return ((await response.json()) as { state: string }).state;
      })
      .toBe('finalized');
    await subscriber.goto(`/payments/${signature}`);
    await askForRefund(subscriber);
    await caller.goto('/payments/earnings');
    await caller.getByRole('link', { name: / receipt: / }).click();
    await caller.getByRole('button', { name: 'Refund', exact: true }).click();
    await expect(caller.getByRole('dialog')).toContainText("We don't return the commission of 0.0500 SOL.");
    await expectAccessible(caller, 'the refund', { isOverlay: true });
  });

  await test.step('the wallet that was paid sends the refund, and the subscriber loses the access', async () => {
    await refund(caller, '0.4500');
    expect(await balanceOf(payerAddress)).toBe(payerBefore + SHARE);
    expect(await activeCalls()).toBe(403);
    await expect(caller.getByRole('button', { name: 'Refund', exact: true })).toHaveCount(0);
    await subscriber.goto(`/payments/${signature}`);
    await expect(subscriber.getByText('Refunded by the caller')).toBeVisible();
    await expectAccessible(subscriber, 'the receipt');
  });

  await test.step('the caller ends the call despite the warning that its early gain counts as 0%', async () => {
    await pinPrice(BONK, 0.00003);
    await caller.goto('/dashboard');
    await caller.getByRole('button', { name: /^End BONK/i }).click();
    const dialog = caller.getByRole('dialog');
    await dialog.getByRole('button', { name: 'End call' }).click();
    await expect(dialog.getByRole('alert')).toContainText('The gain of +50.0% would count as 0%');
    await dialog.getByRole('button', { name: 'End anyway' }).dblclick();
    await expect(caller.getByText('Call Ended', { exact: true })).toBeVisible();
  });

  await test.step('Recent Calls shows the ended call to everyone, and the win rate counts it as no win', async () => {
    const visitor = await openBrowser();
    await visitor.goto('/recent-calls');
    const newest = visitor.getByRole('table').getByRole('row').nth(1);
    await expect(newest).toContainText('lena_new');
    await expect(newest).toContainText('BONK');
    await expect(newest).toContainText('+50.0%');
    await expect(newest).toContainText('Gain counts as 0%');
    await newest.getByRole('link').first().click();
    await expect(visitor).toHaveURL(new RegExp(`/caller/${callerId}$`));
    const statistics = visitor.getByRole('region', { name: 'Statistics', exact: true });
    await expect(statistics).toContainText('Win Rate0.0%of 1 ranked call');
  });
});
