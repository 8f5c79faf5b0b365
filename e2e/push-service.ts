import type { Page } from '@playwright/test';
import type { PushDeviceBody } from '#schema/contracts/push.ts';
import { control } from './steps.ts';

/** Lets the browser subscribe at the local push service, because the browser's own one needs the internet. */
export async function usePushService(page: Page): Promise<void> {
  const device = (await control('/push/browsers', {})) as PushDeviceBody;
  await page.addInitScript((body) => {
    const key = 'push-subscription';
    const subscription = {
      ...body,
      toJSON: () => body,
      unsubscribe: async () => localStorage.removeItem(key) === undefined,
    };
    // The tests' browsers deny notifications, and Chromium's headless shell can't allow them.
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
