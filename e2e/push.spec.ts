import type { Page } from '@playwright/test';
import type { CurrentUser } from '#schema/contracts/users.ts';
import type { PushDeviceBody } from '#schema/contracts/push.ts';
import { journeyDevices } from './devices.ts';
import { expect, test } from './fixtures.ts';
import { controlUrl } from './settings.ts';
import { becomeCaller, control, pinPrice, signInByScript } from './steps.ts';

const POPCAT = '7GCihgDB8fe6KNjn2MYtkzZcRjQy3t9GHdC8uHYMW2hr';

/** Lets the browser subscribe at the local push service, because the browser's own one needs the internet. */
async function usePushService(page: Page, device: PushDeviceBody): Promise<void> {
  await page.addInitScript((body) => {
    const key = 'push-subscription';
    const subscription = {
      ...body,
      toJSON: () => body,
      unsubscribe: async () => localStorage.removeItem(key) === undefined,
    };
    // A headless browser denies notifications.
    Object.defineProperty(Notification, 'permission', { get: () => 'granted' });
    Notification.requestPermission = async () => 'granted';
    Object.assign(PushManager.prototype, {
      getSubscription: async () => (localStorage.getItem(key) === null ? null : subscription),
      subscribe: async () => {
        localStorage.setItem(key, 'on');
        return subscription;
      },
    });
  }, device);
}

for (const { name, mark, use } of journeyDevices('phone')) {
  test.describe(`notifications on ${name}`, () => {
    test.use(use);

    test('are turned on by keyboard, arrive encrypted, and are turned off', async ({ openBrowser }) => {
      const caller = await openBrowser();
      await pinPrice(POPCAT, 0.4);
      await signInByScript(caller.context().request, `pushes_${mark}`);
      await becomeCaller(caller.request);
      const { id } = (await (await caller.request.get('/api/auth/user')).json()) as CurrentUser;
      const follower = await openBrowser();
      const device = (await control('/push/browsers', {})) as PushDeviceBody;
      await usePushService(follower, device);
      await signInByScript(follower.context().request, `notified_${mark}`);
      await follower.request.post('/api/subscriptions/free', { data: { callerId: id } });

      await follower.goto('/dashboard');
      await follower.getByRole('button', { name: 'Turn On' }).focus();
      await follower.keyboard.press('Enter');
      await expect(follower.getByText('Notifications On', { exact: true })).toBeVisible();
      await expect(follower.getByRole('button', { name: 'Turn Off' })).toBeVisible();
      await follower.reload();
      await expect(follower.getByRole('button', { name: 'Turn Off' })).toBeVisible();

      const call = { tokenSymbol: 'POPCAT', tokenName: 'Popcat', tokenMint: POPCAT, entryPrice: '0.4' };
      const made = await caller.request.post('/api/token-calls', { data: { ...call, callerId: id } });
      expect(made.status(), await made.text()).toBe(201);
      const received = async () =>
        (await (await fetch(`${controlUrl}/push/messages`)).text()).includes(POPCAT);
      await expect.poll(received).toBe(true);

      await follower.getByRole('button', { name: 'Turn Off' }).click();
      await expect(follower.getByRole('button', { name: 'Turn On' })).toBeVisible();
    });
  });
}
