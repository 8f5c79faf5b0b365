import { act, cleanup, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ShownPrices } from '#schema/contracts/prices.ts';
import {
  activeCall as ownCall,
  BONK,
  caller,
  dashboardApi,
} from '#web/features/dashboard/dashboard-test-data.ts';
import { refuse, stubApi, type FakeRoutes } from '#web/testing/fake-api.ts';
import { renderApp } from '#web/testing/render-app.tsx';
import { activeCall, adaProfile, endedCall, visitor } from '#web/testing/samples.ts';

const MINUTE = 60_000;
const advance = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const pricedNow = (mint: string, price: string): ShownPrices => ({
  [mint]: { price, at: new Date().toISOString(), source: 'jupiter' },
});

const profile: FakeRoutes = {
  'GET /api/auth/user': visitor,
  'GET /api/callers/ada': {
    ...adaProfile,
    viewer: { ...adaProfile.viewer, isSubscribed: true, canSeeActiveCalls: true },
  },
  'GET /api/token-calls/caller/caller-1/active': [activeCall],
  'GET /api/token-calls/caller/caller-1/history': [endedCall],
};
const ownDashboard: FakeRoutes = {
  ...dashboardApi,
  [`GET /api/token-calls/caller/${caller.id}/active`]: [ownCall],
};
const followed: FakeRoutes = {
  ...dashboardApi,
  'GET /api/subscriptions/calls': [{ ...ownCall, callerId: 'caller-2' }],
};

const places = [
  ['active calls of a profile', '/caller/ada', profile, 'Active Calls', activeCall.tokenMint],
  ['the history of a profile', '/caller/ada', profile, 'Call History', endedCall.tokenMint],
  ['a caller’s own active calls', '/dashboard', ownDashboard, 'Active Calls', BONK],
  ['followed calls', '/dashboard?view=subscriber', followed, 'Active Calls', BONK],
] as const;

/** Opens the app. `prices` returns the response to each price request. */
async function open(path: string, routes: FakeRoutes, prices: () => unknown) {
  stubApi({ 'POST /api/events/page-view': {}, ...routes, 'GET /api/prices': prices });
  const app = renderApp(path);
  await advance(100);
  return app;
}
const listed = (label: string) => screen.getByLabelText(label, { selector: 'table, ul' }).textContent;

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-20T12:00:00.000Z') });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe.each(places)('the current price in %s', (_place, path, routes, label, mint) => {
  it.each([
    ['is missing from a response', () => ({})],
    ['cannot be fetched', () => refuse(502, 'prices.unavailable', 'Down.')],
  ])('stays and shows its age once it %s', async (_name, answerLater) => {
    let requests = 0;
    await open(path, routes, () => (requests++ === 0 ? pricedNow(mint, '1.5') : answerLater()));
    expect(listed(label)).toMatch(/1\.50+(?!\d| \d+m old)/);
    await advance(3 * MINUTE);
    expect(listed(label)).toMatch(/1\.50+ 3m old/);
  });

  it('loses its age after a newer price arrives', async () => {
    let requests = 0;
    await open(path, routes, () => {
      requests += 1;
      if (requests === 1) return pricedNow(mint, '1.5');
      return requests < 12 ? {} : pricedNow(mint, '1.6');
    });
    await advance(90_000);
    expect(listed(label)).toMatch(/1\.50+ 1m old/);
    await advance(MINUTE);
    expect(listed(label)).toMatch(/1\.60+/);
    expect(listed(label)).not.toContain('old');
  });
});

describe('the last known price', () => {
  it('stays when the list of calls changes while price requests fail', async () => {
    let requests = 0;
    let calls: unknown[] = [activeCall];
    const routes = { ...profile, 'GET /api/token-calls/caller/caller-1/active': () => calls };
    await open('/caller/ada', routes, () =>
      requests++ === 0 ? pricedNow(activeCall.tokenMint, '1.5') : refuse(502, 'prices.unavailable', 'Down.'),
    );
    calls = [activeCall, { ...activeCall, id: 'another', tokenMint: BONK, tokenSymbol: 'BONK' }];
    await advance(2 * MINUTE);
    const table = within(screen.getByRole('table', { name: 'Active Calls' }));
    expect(table.getAllByRole('row')).toHaveLength(3);
    expect(listed('Active Calls')).toContain('1.50000000 2m old');
  });

  it('is replaced by a newer price that came with the call', async () => {
    let requests = 0;
    const withLast = () => [
      {
        ...activeCall,
        lastPrice: { price: '1.7', at: new Date(Date.now() - 5_000).toISOString(), source: 'jupiter' },
      },
    ];
    await open('/caller/ada', { ...profile, 'GET /api/token-calls/caller/caller-1/active': withLast }, () =>
      requests++ === 0 ? pricedNow(activeCall.tokenMint, '1.5') : {},
    );
    expect(listed('Active Calls')).toContain('1.50000000');
    await advance(30_000);
    expect(listed('Active Calls')).toContain('1.70000000');
    expect(listed('Active Calls')).not.toContain('old');
  });
});
