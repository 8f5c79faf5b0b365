import type { TokenCall } from '#schema/contracts/calls.ts';
import { SECOND_MS } from '#schema/constants/time.ts';
import { POLL_MS } from '#schema/constants/web.ts';
import type { CurrentUser } from '#schema/contracts/users.ts';
import { UNLISTED_MINT } from '#dev/stand-ins/market/tokens.ts';
import { journeyDevices } from './devices.ts';
import { expect, test } from './fixtures.ts';
import { becomeCaller, pinPrice, signInByScript } from './steps.ts';

const FIRST_DATA = '/api/dashboard';
/**
 * The longest wait for a new price. A poll may have just started, and the server caches prices for one poll
 * interval.
 */
const ONE_POLL_MS = 2 * POLL_MS.prices + 5 * SECOND_MS;

for (const { name, mark, use } of journeyDevices('phone')) {
  test.describe(`on ${name}`, () => {
    test.use(use);

    test('a follower’s dashboard shows a new call without a poll, and all screens show its new price within one poll', async ({
      openBrowser,
    }) => {
      const caller = await openBrowser();
      const handle = `live_${mark}`;
      await pinPrice(UNLISTED_MINT, 0.005);
      await signInByScript(caller.context().request, handle);
      await becomeCaller(caller.request);
      const { id: callerId } = (await (await caller.request.get('/api/auth/user')).json()) as CurrentUser;
      const follower = await openBrowser();
      await signInByScript(follower.context().request, `hears_${mark}`);
      await follower.request.post('/api/subscriptions/free', { data: { callerId } });

      const connecting = follower.waitForEvent('websocket', (socket) => socket.url().endsWith('/api/live'));
      // After connecting, the page fetches its data again and stops polling.
      const fetched = connecting.then(() =>
        follower.waitForResponse((each) => each.url().endsWith(FIRST_DATA)),
      );
      await follower.goto('/dashboard');
      const socket = await connecting;
      await fetched;
      const heard = socket.waitForEvent('framereceived', ({ payload }) =>
        String(payload).startsWith('{"call"'),
      );
      const call = {
        tokenSymbol: 'POPCAT',
        tokenName: 'Popcat',
        tokenMint: UNLISTED_MINT,
        entryPrice: '0.005',
      };
      const made = await caller.request.post('/api/token-calls', { data: { ...call, callerId } });
      expect(made.status(), await made.text()).toBe(201);
      const { id } = (await made.json()) as TokenCall;
      await heard;
      await expect(follower.getByRole('list', { name: 'Active Calls' })).toContainText('7GCi');

      const open = async (page: typeof caller, path: string) => {
        const tab = await page.context().newPage();
        await tab.goto(path);
        return tab;
      };
      const lookup = await open(caller, `/dashboard?token=${UNLISTED_MINT}`);
      const screens = {
        'the caller’s dashboard': lookup,
        'the profile, as its owner': await open(caller, `/caller/${handle}`),
        'the follower’s dashboard': follower,
        'the profile, as a follower': await open(follower, `/caller/${handle}`),
        'the page of the call': await open(follower, `/call/${id}`),
      };
      for (const [screen, page] of Object.entries(screens)) {
        await expect(page.getByText(/0\.005/).first(), screen).toBeVisible();
      }
      await pinPrice(UNLISTED_MINT, 0.002);
      for (const [screen, page] of Object.entries(screens)) {
        await expect(page.getByText(/[−-]60\.0%/).first(), screen).toBeVisible({ timeout: ONE_POLL_MS });
      }
      await expect(lookup.getByText(/^\$?0\.002/).first(), 'the lookup').toBeVisible({
        timeout: ONE_POLL_MS,
      });
    });
  });
}
