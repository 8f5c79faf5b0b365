import { expect, test } from './fixtures.ts';
import {
  airdropToLocalWallet,
  balanceOf,
  becomePaidCaller,
  connectPayoutWallet,
  finalizeTransactions,
  runCron,
  signInAs,
  signInByScript,
} from './steps.ts';

const SHARE = 450_000_000n;

// The subscriber's open page asks for the active calls again, and is refused.
test.use({ hasMotion: true, refusedOnPurpose: /\/active$/ });

test('a caller refunds a payment from the wallet that was paid, and the subscriber loses the access', async ({
  openBrowser,
}) => {
  const caller = await openBrowser();
  const subscriber = await openBrowser();

  await test.step('a person becomes a Paid caller with a verified payout wallet', async () => {
    await signInAs(caller, 'rosa_new');
    await becomePaidCaller(caller);
    await connectPayoutWallet(caller);
  });

  const { id: callerId } = (await (await caller.request.get('/api/auth/user')).json()) as { id: string };
  const activeCalls = async () =>
    (await subscriber.request.get(`/api/token-calls/caller/${callerId}/active`)).status();

  await test.step('a subscriber pays the caller', async () => {
    await signInByScript(subscriber.context().request, 'rick_new');
    await subscriber.goto('/caller/rosa_new');
    await airdropToLocalWallet(subscriber);
    await subscriber.getByRole('button', { name: 'Subscribe', exact: true }).click();
    const dialog = subscriber.getByRole('dialog');
    await dialog.getByRole('button', { name: /Local Wallet/ }).click();
    await dialog.getByRole('button', { name: 'Pay 0.5000 SOL' }).click();
    await expect(dialog.getByText(/^You are subscribed to /)).toBeVisible();
    expect(await activeCalls()).toBe(200);
  });

  const [{ signature } = { signature: '' }] = (await (
    await subscriber.request.get('/api/payments')
  ).json()) as { signature: string }[];
  const { payerAddress } = (await (await subscriber.request.get(`/api/payments/${signature}`)).json()) as {
    payerAddress: string;
  };
  const before = await balanceOf(payerAddress);

  await test.step('the caller chooses the payment in the earnings, and the dialog says what it costs', async () => {
    await finalizeTransactions();
    await expect
      .poll(async () => {
        await runCron();
        const response = await caller.request.get(`/api/payments/${signature}`);
        return ((await response.json()) as { state: string }).state;
      })
      .toBe('finalized');
    await caller.goto('/payments/earnings');
    await caller.getByRole('link', { name: / receipt: / }).click();
    await caller.getByRole('button', { name: 'Refund', exact: true }).click();
    await expect(caller.getByRole('dialog')).toContainText("The commission of 0.0500 SOL isn't returned.");
  });

  await test.step('the wallet sends the refund, and both sides see it once it is final', async () => {
    const dialog = caller.getByRole('dialog', { name: 'Refund this payment' });
    await dialog.getByRole('button', { name: 'Refund 0.4500 SOL' }).click();
    await expect(async () => {
      await finalizeTransactions();
      await expect(dialog.getByText('Refunded. The receipt shows the transaction.')).toBeVisible({
        timeout: 1_000,
      });
    }).toPass();
    expect(await balanceOf(payerAddress)).toBe(before + SHARE);
    expect(await activeCalls()).toBe(403);
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
    await expect(caller.getByText('Refunded by the caller')).toBeVisible();
    await expect(caller.getByRole('button', { name: 'Refund', exact: true })).toHaveCount(0);
    await subscriber.goto(`/payments/${signature}`);
    await expect(subscriber.getByText('Refunded by the caller')).toBeVisible();
  });
});
