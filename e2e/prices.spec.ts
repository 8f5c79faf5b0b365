import type { Page } from '@playwright/test';
import { POLL_MS, SECOND_MS } from '#schema/constants.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { journeyDevices } from './devices.ts';
import { expect, test } from './fixtures.ts';
import { becomeCaller, pinPrice, signInByScript } from './steps.ts';

const MEW = 'MEW1gQWJ3nEXg2qgERiKu7FAFj79PHvQVREQUzScPP5';
/**
 * The longest wait for a new price. A poll may have just started, and the server caches prices for one poll
 * interval.
 */
const ONE_POLL_MS = 2 * POLL_MS.prices + 5 * SECOND_MS;

for (const { name, mark, use } of journeyDevices('desktop')) {
  test.describe(`a price on ${name}`, () => {
    test.use(use);

    test('a price that falls by 60% is shown on every screen within one poll', async ({ openBrowser }) => {
      const caller = await openBrowser();
      const handle = `falls_${mark}`;
      await pinPrice(MEW, 0.005);
      await signInByScript(caller.context().request, handle);
      await becomeCaller(caller.request);
      await caller.goto('/dashboard');
      await caller.getByLabel('Find a token').fill(MEW);
      await caller.getByLabel('Find a token').press('Enter');
      await caller.getByRole('button', { name: 'Make Call' }).click();
      await expect(caller.getByText('Token Call Created', { exact: true })).toBeVisible();

      const { id: callerId } = (await (await caller.request.get('/api/auth/user')).json()) as { id: string };
      const [call] = (await (
        await caller.request.get(`/api/token-calls/caller/${callerId}/active`)
      ).json()) as TokenCall[];
      const follower = await openBrowser();
      await signInByScript(follower.context().request, `watch_${mark}`);
      expect((await follower.request.post('/api/subscriptions/free', { data: { callerId } })).status()).toBe(
        201,
      );

      const open = async (page: Page, path: string): Promise<Page> => {
        const tab =
          page.url().endsWith('/dashboard') && path === '/dashboard' ? page : await page.context().newPage();
        await tab.goto(path);
        return tab;
      };
      const screens = {
        'the caller’s dashboard': await open(caller, '/dashboard'),
        'the profile, as its owner': await open(caller, `/caller/${handle}`),
        'the lookup': await open(caller, `/dashboard?token=${MEW}`),
        'the follower’s dashboard': await open(follower, '/dashboard'),
        'the profile, as a follower': await open(follower, `/caller/${handle}`),
        'the page of the call': await open(follower, `/call/${call?.id}`),
      };
      for (const [screen, page] of Object.entries(screens)) {
        await expect(page.getByText(/0\.005/).first(), screen).toBeVisible();
      }
      await pinPrice(MEW, 0.002);
      for (const [screen, page] of Object.entries(screens)) {
        const figure =
          screen === 'the lookup'
            ? page.getByText(/^\$?0\.002/).first()
            : page.getByText(/[−-]60\.0%/).first();
        await expect(figure, screen).toBeVisible({ timeout: ONE_POLL_MS });
      }
    });
  });
}
