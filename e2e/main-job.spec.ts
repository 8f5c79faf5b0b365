import { platformAddress } from '#dev/product-vars.ts';
import { expect, test } from './fixtures.ts';
import {
  airdropToLocalWallet,
  balanceOf,
  becomePaidCaller,
  connectPayoutWallet,
  pinPrice,
  signInAs,
  signInByScript,
} from './steps.ts';

const BONK = 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263';
const FEE = 500_000_000n;

// The server refuses to end a call at a gain that wouldn't count, unless the caller insists.
test.use({ hasMotion: true, refusedOnPurpose: /\/end\?onlyIfCounted=true$/ });

// Specification 6.9
test('a subscriber pays a caller and sees the active call, and the ended call counts in the win rate', async ({
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

  await test.step('a user without a subscription sees that there is a call, but not its token', async () => {
    await signInByScript(subscriber.context().request, 'sam_new');
    await subscriber.goto('/caller/lena_new');
    await expect(subscriber.getByText('Subscribe to View Active Calls')).toBeVisible();
    await expect(subscriber.getByText('Bonk', { exact: true })).toHaveCount(0);
    expect((await subscriber.request.get(`/api/token-calls/caller/${callerId}/active`)).status()).toBe(403);
  });

  await test.step('the subscriber pays from a wallet', async () => {
    await airdropToLocalWallet(subscriber);
    await subscriber.getByRole('button', { name: 'Subscribe', exact: true }).click();
    const dialog = subscriber.getByRole('dialog');
    await dialog.getByRole('button', { name: /Local Wallet/ }).click();
    await dialog.getByRole('button', { name: 'Pay 0.5000 SOL' }).click();
    await expect(dialog.getByText(/^You are subscribed to /)).toBeVisible();
    await expect(dialog.getByText('Receipt', { exact: true })).toBeVisible();
    await dialog.getByRole('button', { name: 'Done' }).click();
  });

  await test.step('the caller’s balance grows by exactly 90% of the fee, and the platform’s by 10%', async () => {
    expect(await balanceOf(payoutAddress)).toBe(before.caller + (FEE * 9n) / 10n);
    expect(await balanceOf(platformAddress)).toBe(before.platform + FEE / 10n);
  });

  await test.step('the subscriber sees the active call, on the profile and on the dashboard', async () => {
    await expect(subscriber.getByText('Subscribed', { exact: true })).toBeVisible();
    await expect(subscriber.getByText('Bonk').first()).toBeVisible();
    await subscriber.goto('/dashboard');
    await expect(subscriber.getByText('Bonk').first()).toBeVisible();
  });

  await test.step('the price rises by half, and the caller ends the call despite the warning that a gain this early counts as 0%', async () => {
    await pinPrice(BONK, 0.00003);
    await caller.getByRole('button', { name: /^End BONK/i }).click();
    const dialog = caller.getByRole('dialog');
    await dialog.getByRole('button', { name: 'End call' }).click();
    await expect(dialog.getByRole('alert')).toContainText('The gain of +50.0% would count as 0%');
    await dialog.getByRole('button', { name: 'End anyway' }).dblclick();
    await expect(caller.getByText('Call Ended', { exact: true })).toBeVisible();
  });

  await test.step('everyone sees the call under Recent Calls, and the win rate counts no win', async () => {
    const visitor = await openBrowser();
    await visitor.goto('/recent-calls');
    const newest = visitor.getByRole('table').getByRole('row').nth(1);
    await expect(newest).toContainText('lena_new');
    await expect(newest).toContainText('Bonk');
    await expect(newest).toContainText('+50.0%');
    await expect(newest).toContainText('Gain counts as 0%');
    await newest.getByRole('link').first().click();
    await expect(visitor).toHaveURL(new RegExp(`/caller/${callerId}$`));
    const statistics = visitor.getByRole('region', { name: 'Statistics', exact: true });
    await expect(statistics).toContainText('Win Rate0.0%of 1 ranked call');
  });
});
