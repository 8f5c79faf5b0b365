import { act, screen } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import type { TokenCall } from '#schema/contracts/calls.ts';
import type { ShownPrice } from '#schema/contracts/prices.ts';
import { activeCall as ownCall, caller, dashboardApi } from '#web/testing/dashboard-samples.ts';
import { refuse, type FakeRoutes } from '#web/testing/fake-api.ts';
import { openApp } from '#web/testing/render-app.tsx';
import { activeCall, endedCall, subscribedApi } from '#web/testing/samples.ts';

const MINUTE = 60_000;
const advance = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const at = () => new Date().toISOString();
const priceNow = (price: string): ShownPrice => ({ price, at: at(), source: 'jupiter' });

/** Returns the response with the price: a listed call, or prices by mint. */
type Carry = (price: ShownPrice | undefined) => unknown;
const inList =
  (call: TokenCall): Carry =>
  (lastPrice) => [{ ...call, lastPrice }];
const byMint: Carry = (price) => (price === undefined ? {} : { [endedCall.tokenMint]: price });

const ACTIVE = 'GET /api/token-calls/caller/caller-1/active';
const OWN = `GET /api/token-calls/caller/${caller.id}/active`;
const followed = inList({ ...ownCall, callerId: 'caller-2' });
const pricePages = [
  ['active calls of a profile', '/caller/ada', 'Active Calls', ACTIVE, inList(activeCall)],
  ['the history of a profile', '/caller/ada', 'Call History', 'GET /api/prices', byMint],
  ['a caller’s own active calls', '/dashboard', 'Active Calls', OWN, inList(ownCall)],
  ['followed calls', '/dashboard?view=subscriber', 'Active Calls', 'GET /api/subscriptions/calls', followed],
] as const;

async function open(path: string, routes: FakeRoutes) {
  const app = openApp(path, routes);
  await advance(100);
  return app;
}
const listed = (label: string) => screen.getByLabelText(label, { selector: 'table, ul' }).textContent;

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-20T12:00:00.000Z') });
});

it.each(pricePages)(
  'the current price in %s shows its age while requests fail, until a newer price arrives',
  async (_place, path, label, route, carry) => {
    const routes = path === '/caller/ada' ? subscribedApi : dashboardApi;
    let isDown = false;
    let price = '1.5';
    const response = () => (isDown ? refuse(502, 'prices.unavailable', 'Down.') : carry(priceNow(price)));
    await open(path, { ...routes, [route]: response });
    expect(listed(label)).toMatch(/1\.50+(?!\d| \d+m old)/);
    isDown = true;
    await advance(3 * MINUTE);
    expect(listed(label)).toMatch(/1\.50+ 3m old/);
    [isDown, price] = [false, '1.6'];
    await advance(MINUTE);
    expect(listed(label)).toMatch(/1\.60+/);
    expect(listed(label)).not.toContain('old');
  },
);

it('the current price in a profile’s history is still shown if a response lacks its mint', async () => {
  let requests = 0;
  const response = () => byMint(requests++ === 0 ? priceNow('1.5') : undefined);
  await open('/caller/ada', { ...subscribedApi, 'GET /api/prices': response });
  await advance(3 * MINUTE);
  expect(listed('Call History')).toMatch(/1\.50+ 3m old/);
});

it('an active call has the same current price in a profile’s history and its list of active calls', async () => {
  await open('/caller/ada', {
    ...subscribedApi,
    [ACTIVE]: () => [{ ...activeCall, lastPrice: priceNow('1.5') }],
    'GET /api/token-calls/caller/caller-1/history': [activeCall],
  });
  await advance(MINUTE);
  expect(listed('Call History')).toContain('1.50000000');
  expect(listed('Call History')).not.toContain('old');
});
