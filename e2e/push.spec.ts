import type { CurrentUser } from '#schema/contracts/users.ts';
import { UNLISTED_MINT } from '#dev/stand-ins/market/tokens.ts';
import { journeyDevices } from './devices.ts';
import { expect, test } from './fixtures.ts';
import { controlUrl } from './settings.ts';
import { usePushService } from './push-service.ts';
import { becomeCaller, pinPrice, signInByScript } from './steps.ts';

for (const { name, mark, use } of journeyDevices('phone')) {
  test.describe(`on ${name}`, () => {
    test.use(use);

    test('a follower turns on push notifications by keyboard, is notified of a new call, and turns them off', async ({
      openBrowser,
    }) => {
      const caller = await openBrowser();
      await pinPrice(UNLISTED_MINT, 0.4);
      await signInByScript(caller.context().request, `pushes_${mark}`);
      await becomeCaller(caller.request);
      const { id } = (await (await caller.request.get('/api/auth/user')).json()) as CurrentUser;
      const follower = await openBrowser();
      await usePushService(follower);
      await signInByScript(follower.context().request, `notified_${mark}`);
      await follower.request.post('/api/subscriptions/free', { data: { callerId: id } });

      await follower.goto('/settings/notifications');
      await follower.getByRole('button', { name: 'Turn On' }).focus();
      await follower.keyboard.press('Enter');
      await expect(follower.getByText('Notifications On', { exact: true })).toBeVisible();
      await expect(follower.getByRole('button', { name: 'Turn Off' })).toBeVisible();
      await follower.reload();
      await expect(follower.getByRole('button', { name: 'Turn Off' })).toBeVisible();

      const call = {
        tokenSymbol: 'POPCAT',
        tokenName: 'Popcat',
        tokenMint: UNLISTED_MINT,
        entryPrice: '0.4',
      };
      const made = await caller.request.post('/api/token-calls', { data: { ...call, callerId: id } });
      expect(made.status(), await made.text()).toBe(201);
      const received = async () =>
        (await (await fetch(`${controlUrl}/push/messages`)).text()).includes(UNLISTED_MINT);
      await expect.poll(received).toBe(true);

      await follower.getByRole('button', { name: 'Turn Off' }).click();
      await expect(follower.getByRole('button', { name: 'Turn On' })).toBeVisible();
    });
  });
}
