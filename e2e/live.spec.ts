import type { CurrentUser } from '#schema/contracts/users.ts';
import { journeyDevices } from './devices.ts';
import { expect, test } from './fixtures.ts';
import { becomeCaller, pinPrice, signInByScript } from './steps.ts';

const POPCAT = '7GCihgDB8fe6KNjn2MYtkzZcRjQy3t9GHdC8uHYMW2hr';
const LIST = '/api/subscriptions/calls';

for (const { name, mark, use } of journeyDevices('phone')) {
  test.describe(`a live page on ${name}`, () => {
    test.use(use);

    test('a live page shows a new call without a poll, and has no connection while its tab is hidden', async ({
      openBrowser,
    }) => {
      const caller = await openBrowser();
      await pinPrice(POPCAT, 0.4);
      await signInByScript(caller.context().request, `live_${mark}`);
      await becomeCaller(caller.request);
      const { id } = (await (await caller.request.get('/api/auth/user')).json()) as CurrentUser;
      const follower = await openBrowser();
      await signInByScript(follower.context().request, `hears_${mark}`);
      await follower.request.post('/api/subscriptions/free', { data: { callerId: id } });

      const connecting = follower.waitForEvent('websocket', (socket) => socket.url().endsWith('/api/live'));
      await follower.goto('/dashboard');
      const socket = await connecting;
      // The fetch after the connection. No poll follows.
      await follower.waitForResponse((response) => response.url().endsWith(LIST));
      const call = { tokenSymbol: 'POPCAT', tokenName: 'Popcat', tokenMint: POPCAT, entryPrice: '0.4' };
      const hear = (start: string) =>
        socket.waitForEvent('framereceived', ({ payload }) => String(payload).startsWith(start));
      const heard = hear('{"call"');
      const made = await caller.request.post('/api/token-calls', { data: { ...call, callerId: id } });
      expect(made.status(), await made.text()).toBe(201);
      await heard;
      const active = follower.getByRole('list', { name: 'Active Calls' });
      await expect(active).toContainText('7GCi');
      const priced = hear('{"prices"');
      await pinPrice(POPCAT, 0.5);
      await priced;

      const closed = socket.waitForEvent('close');
      await follower.evaluate(() => {
        Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      });
      await closed;
      const again = follower.waitForEvent('websocket');
      await follower.evaluate(() => {
        Reflect.deleteProperty(document, 'visibilityState');
        document.dispatchEvent(new Event('visibilitychange'));
      });
      await again;
    });
  });
}
