import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { DAY_MS } from '#schema/constants.ts';
import type { CallerProfile } from '#schema/contracts/callers.ts';
import { deletedHandle } from '#schema/rules/people/person-name.ts';
import { activeCallsQuery } from '#web/api/calls.queries.ts';
import { pendingPaymentsOf } from '#web/features/subscribe/payment/browser-pending-payments.ts';
import { signedPayment } from '#web/features/subscribe/payment/payment-test-doubles.ts';
import { refuse, stubApi, type FakeRoutes } from '#web/testing/fake-api.ts';
import { renderApp } from '#web/testing/render-app.tsx';
import { expectToast } from '#web/testing/render-screen.tsx';
import {
  activeCall,
  ada,
  adaProfile,
  adaStatistics,
  allOn,
  endedCall,
  solPrice,
  visitor,
} from '#web/testing/samples.ts';

const withoutAccess = {
  isOwner: false,
  isSubscribed: false,
  canSeeActiveCalls: false,
  accessEndsAt: null,
  canUnfollow: false,
};
const signedIn = { 'GET /api/auth/user': visitor };
const never = () => new Promise(() => undefined);

function open(caller: Partial<CallerProfile> = {}, routes: FakeRoutes = {}, path = '/caller/ada') {
  const calls = stubApi({
    'GET /api/auth/user': () => refuse(401, 'auth.required', 'Please sign in.'),
    'GET /api/callers/ada': { ...adaProfile, ...caller },
    'GET /api/callers/caller-1/statistics': adaStatistics,
    'GET /api/token-calls/caller/caller-1/history': [endedCall],
    'GET /api/prices': { [endedCall.tokenMint]: { price: '0.00001', at: '', source: 'x' } },
    ...routes,
  });
  return { calls, ...renderApp(path) };
}

const name = () => screen.findByRole('heading', { level: 1, name: 'Ada Byron' });

describe('the Telegram mute button', () => {
  const connected = {
    'GET /api/auth/user': { ...visitor, telegramHandle: 'vi_tele', telegramConnected: true },
    'GET /api/user/notifications': allOn,
  };
  const followed = { viewer: { ...withoutAccess, isSubscribed: true } };

  it.each<[string, boolean, Partial<CallerProfile>, FakeRoutes]>([
    ['for a followed caller', true, followed, connected],
    ['for a caller that the user does not follow', false, {}, connected],
    ["on the user's own profile", false, { viewer: { ...withoutAccess, isOwner: true } }, connected],
    ['without Telegram', false, followed, signedIn],
    ['when signed out', false, followed, {}],
  ])('is shown %s: %s', async (_where, isShown, caller, routes) => {
    const { calls } = open(caller, routes);
    await name();
    await screen.findByText('Member since', { exact: false });
    if (isShown) await screen.findByRole('button', { name: 'Mute Ada Byron on Telegram' });
    else expect(screen.queryByRole('button', { name: /on Telegram$/ })).toBeNull();
    expect(calls.some(({ route }) => route === 'GET /api/user/notifications')).toBe(isShown);
  });
});

describe('a link to subscribe, which a wallet’s app opens', () => {
  const path = '/caller/ada#subscribe';

  it('opens the Subscribe dialog once, and leaves the address without it', async () => {
    const { router } = open({}, signedIn, path);
    await screen.findByRole('dialog', { name: 'Subscribe to Ada Byron' });
    await waitFor(() => expect(router.state.location.hash).toBe(''));
  });

  it.each([
    ['Paid', '0.5', 3],
    ['Free', null, 4],
  ])('asks a visitor of a %s caller to sign in, and every link comes back to it', async (_, fee, count) => {
    open({ monthlyFee: fee }, {}, path);
    await expectToast('Please Sign In');
    fireEvent.click(screen.getByRole('button', { name: 'Open menu' }));
    const links = screen.getAllByRole<HTMLAnchorElement>('link', { name: 'Sign in with Twitter' });
    expect(links.map(({ href }) => new URL(href).searchParams.get('returnTo'))).toEqual(
      Array.from({ length: count }, () => path),
    );
  });
});

describe('the note about a look-alike', () => {
  const known = { ...ada, id: 'caller-9', firstName: 'Amara', lastName: 'Lee', twitterHandle: 'amara_calls' };

  it.each([
    [true, 'Not @amara_calls. A verified caller has a similar name or handle: Amara Lee (@amara_calls)'],
    [
      false,
      'Not @amara_calls. A caller with more subscribers has a similar name or handle: Amara Lee (@amara_calls)',
    ],
  ])('names and links the better-known caller (verified: %s)', async (isVerified, text) => {
    open({ lookAlike: { ...known, isVerified } });
    const note = await screen.findByText('Not @amara_calls.');
    expect(note.closest('[role=note]')?.textContent).toBe(text);
    expect(screen.getByRole('link', { name: 'Amara Lee (@amara_calls)' }).getAttribute('href')).toBe(
      '/caller/caller-9',
    );
  });

  it('is absent if the caller looks like nobody else', async () => {
    open();
    await name();
    expect(screen.queryByText(/similar name or handle/)).toBeNull();
  });

  it('names a better-known caller who lost the handle', async () => {
    open({ lookAlike: { ...known, twitterHandle: 'user-1900000000000000006' } });
    const note = await screen.findByText('Not the same caller.');
    expect(note.closest('[role=note]')?.textContent).toMatch(/similar name or handle: Amara Lee$/);
  });
});

describe('a profile', () => {
  it('of a caller who lost the handle says so and links to the account on X', async () => {
    open({ twitterHandle: 'user-1900000000000000006' });
    const link = await screen.findByRole('link', { name: 'Handle changed on X' });
    expect(link.getAttribute('href')).toBe('https://x.com/i/user/1900000000000000006');
    expect(document.body.textContent).not.toContain('user-');
  });

  // Specification 2.84-2.86, 4.39, 8.48
  it('shows that the caller does not exist', async () => {
    open({}, { 'GET /api/callers/ada': () => refuse(404, 'callers.not_found', 'No such caller.') });
    expect(await screen.findAllByText('Caller Not Found')).not.toHaveLength(0);
    expect(
      screen.getByText("The caller you're looking for doesn't exist or may have changed their username."),
    ).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Back to Directory' }).getAttribute('href')).toBe('/');
  });

  it('shows an error, not a missing caller, after a failure', async () => {
    open({}, { 'GET /api/callers/ada': () => refuse(500, 'server.failed', 'The server failed.') });
    expect(await screen.findByText('Failed to load this caller')).toBeTruthy();
    expect(screen.queryByText('Caller Not Found')).toBeNull();
  });

  // Specification 2.4, 2.92-2.95, 2.105, 2.115-2.119, 4.40, 6.3, 6.4, 9.27, 9.29
  it('shows the record, each percentage with its sample', async () => {
    open();
    await name();
    const stats = screen.getByRole('region', { name: 'Statistics' });
    expect([...stats.children].map((card) => card.textContent)).toEqual([
      'Win Rate62.5%of 47 ranked calls',
      'Avg Return+34.2%of 47 ranked calls',
      expect.stringMatching(/^Proven.*minimum win rate at 95% confidence$/),
      'Total Calls502 active',
      'Subscribers1,204active now',
      expect.stringMatching(/^Last Call.*agolast ended call$/),
    ]);
    expect(screen.getByText('Verified')).toBeTruthy();
    expect(screen.getByText(/^Member since Mar 4, 2025$/)).toBeTruthy();
    expect(screen.getByRole('link', { name: '@ada' }).getAttribute('href')).toBe('https://x.com/ada');
    expect(screen.getByText('Few calls.')).toBeTruthy();
    expect(document.title).toBe('Ada Byron · SolCallers');
  });

  // Specification 2.140, 6.5
  it('shows the history with end and current price to everyone', async () => {
    open();
    const history = await screen.findByRole('table', { name: 'Call History' });
    await waitFor(() => expect(history.textContent).toContain('0.00001000-50.0%'));
    expect(history.textContent).toContain('0.00002000');
    expect(history.textContent).toContain('0.00003000+50.0%');
    expect(within(history).getByRole('link', { name: 'Buy BONK' }).getAttribute('href')).toBe(
      `https://jup.ag/swap/SOL-${endedCall.tokenMint}`,
    );
  });

  it('names the result of a single ended call once', async () => {
    open();
    expect(await screen.findByText('The last ended call')).toBeTruthy();
    expect(screen.getByText('1 win, 0 losses or flat. +50.0%.')).toBeTruthy();
  });

  it('counts the same wins in the chart as in the win rate', async () => {
    open(
      {},
      {
        'GET /api/token-calls/caller/caller-1/history': [
          endedCall,
          { ...endedCall, id: 'thin', unrankedReason: 'thin_liquidity' },
          { ...endedCall, id: 'short', uncountedGainReason: 'short_hold' },
          { ...endedCall, id: 'gone', endPrice: '0', automaticEnd: 'no_price' },
        ],
      },
    );
    const drawing = await screen.findByRole('img', {
      name: '4 ended calls: 1 win, 2 losses or flat, 1 unranked. From -100.0% to +50.0%.',
    });
    expect([...drawing.querySelectorAll('title')].map((title) => title.textContent).toSorted()).toEqual([
      'BONK +50.0%',
      'BONK +50.0%, gain counts as 0%',
      'BONK +50.0%, unranked',
      'BONK -100.0%',
    ]);
    expect(document.body.textContent).toContain('Grey lines are unranked');
  });

  // Specification 2.83, 4.38
  it('shows a skeleton while it loads', async () => {
    open({}, { 'GET /api/callers/ada': never, 'GET /api/token-calls/caller/caller-1/history': never });
    const loading = await screen.findByText('Loading caller');
    expect(loading.parentElement?.getAttribute('aria-busy')).toBe('true');
    expect(loading.parentElement?.querySelectorAll('.animate-pulse').length).toBeGreaterThan(5);
    expect(screen.queryByRole('heading', { level: 1 })).toBeNull();
  });

  // Specification 2.87
  it('goes back to the previous page or, without one, to the directory', async () => {
    const { router } = open({}, { 'GET /api/token-calls/ended': [], 'GET /api/callers': [] });
    await name();
    fireEvent.click(screen.getByRole('button', { name: 'Back' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/'));
    await act(() => router.navigate({ to: '/recent-calls' }));
    await act(() => router.navigate({ to: '/caller/$username', params: { username: 'ada' } }));
    await name();
    fireEvent.click(screen.getByRole('button', { name: 'Back' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/recent-calls'));
  });

  // Specification 2.88-2.91
  it.each([
    [{ firstName: 'Ada' }, 'A'],
    [{ firstName: '', twitterHandle: 'zed' }, 'Z'],
    [{ firstName: '', twitterHandle: '' }, 'C'],
  ])('for %j, shows the picture, or the letter %s if the picture fails', async (change, letter) => {
    open(change);
    const header = (await screen.findByRole('heading', { level: 1 })).closest('header') as HTMLElement;
    const image = header.querySelector('img') as HTMLImageElement;
    expect(image.getAttribute('src')).toBe(adaProfile.profileImageUrl);
    const box = image.parentElement as HTMLElement;
    fireEvent.error(image);
    expect(box.textContent).toBe(letter);
  });

  // Specification 2.93, 2.96
  it('has no badge if the caller is unverified, and shows Unknown for an invalid date', async () => {
    open({ isVerified: false, createdAt: '' });
    await name();
    expect(screen.queryByText('Verified')).toBeNull();
    expect(screen.getByText('Member since Unknown')).toBeTruthy();
  });

  // Specification 2.97-2.99, 2.102, 2.103, 5.30
  it.each([
    [null, 'Free', 'Free Access', true],
    ['0', 'Free', 'Free Access', true],
    ['0.25', '0.25 SOL / month', 'Subscribe', true],
    ['', 'Not Set', 'Subscribe', false],
  ])('with fee %j shows %s and the button %s (enabled: %s)', async (monthlyFee, words, label, isEnabled) => {
    open({ monthlyFee });
    await name();
    expect(screen.getByText('Monthly Fee').parentElement?.textContent).toBe(`Monthly Fee${words}`);
    expect(screen.getByRole<HTMLButtonElement>('button', { name: label }).disabled).toBe(!isEnabled);
  });

  it('shows what the fee is worth in dollars', async () => {
    open({ monthlyFee: '0.25' }, { 'GET /api/prices/sol': solPrice('150') });
    await screen.findByText('≈ $37.50');
    expect(screen.getByText('Monthly Fee').parentElement?.textContent).toBe(
      'Monthly Fee0.25 SOL / month≈ $37.50',
    );
  });

  // Specification 2.94, 2.133
  it("links to the caller's X profile and the token's buy page", async () => {
    open();
    const outside = [
      await screen.findByRole('link', { name: '@ada' }),
      await screen.findByRole('link', { name: 'Buy BONK' }),
    ];
    for (const link of outside) {
      expect([link.getAttribute('target'), link.getAttribute('rel')]).toEqual([
        '_blank',
        'noopener noreferrer',
      ]);
    }
  });

  // Specification 2.139, 2.145, 9.42
  it('shows five skeletons while the history loads, then its empty state', async () => {
    open({}, { 'GET /api/token-calls/caller/caller-1/history': never });
    await name();
    expect(screen.getAllByTestId('row-skeleton')).toHaveLength(5);
    cleanup();
    open({}, { 'GET /api/token-calls/caller/caller-1/history': [] });
    await screen.findByText('No call history available');
  });
});

describe('the record', () => {
  const record = () => screen.getByRole('heading', { name: 'Record' }).closest('section') as HTMLElement;
  const figures = async () =>
    [...(await screen.findByRole('region', { name: 'Record figures' })).children].map(
      (card) => card.textContent,
    );
  const route = 'GET /api/callers/caller-1/statistics';

  it('has the other figures in a fold that opens at the press of a button', async () => {
    open();
    const summary = (await screen.findByText('More figures')).closest('summary') as HTMLElement;
    const fold = summary.closest('details') as HTMLDetailsElement;
    expect(fold.open).toBe(false);
    fireEvent.click(summary);
    expect(fold.open).toBe(true);
    expect(within(fold).getByText('Max Drawdown')).toBeTruthy();
  });

  it('shows what the caller held and sold, with samples', async () => {
    const holdings = { held: 12, kept: 9, sold: 2, medianFirstSaleMs: 250_000 };
    open({}, { [route]: { ...adaStatistics, holdings } });
    const band = await screen.findByRole('region', { name: 'Skin in the game' });
    expect([...band.children].map((card) => card.textContent)).toEqual([
      'Held to the End75.0%of 12 calls whose token they held',
      'First Sale4mmedian after calling, of 2 calls with a sale',
    ]);
    expect(record().textContent).toContain('for the newest 100 ended calls');
    expect(record().textContent).not.toContain('No declared wallet');
  });

  it('marks a caller without a declared wallet', async () => {
    open({ payoutAddress: null });
    await figures();
    expect(record().textContent).toContain('No declared wallet');
  });

  it('shows every figure with its sample', async () => {
    open();
    expect(await figures()).toEqual([
      'Ranked Calls4ended so far',
      'Proven in this period30.1%minimum win rate at 95% confidence',
      'Median Return+40.0%of 4 ranked calls',
      'Ended at 2x or More25.0%of 4 ranked calls',
      'Best+900.0%of 4 ranked calls',
      'Worst-50.0%of 4 ranked calls',
      'Max Drawdown-50.0%one stake reinvested across 4 ranked calls',
      'Profit Factor19.60gains ÷ losses, of 4 ranked calls',
      'Average Peak4.25xof 3 calls with a known peak',
    ]);
    expect(within(record()).getByRole('link', { name: 'How we count' }).getAttribute('href')).toBe(
      '/how-we-count',
    );
  });

  it('shows what followers made, and how many calls have a follower return', async () => {
    open();
    const figures = await screen.findByRole('region', { name: 'Follower figures' });
    expect(figures.textContent).toBe(
      'Follower Return+21.7%median of 40 of 47 ranked calls, 1 min later with $1,000' +
        'Followers Won57.5%of 40 of 47 ranked calls',
    );
  });

  it('says that there is no follower return yet', async () => {
    open({ followerReturn: null, followerCalls: 0 });
    expect(await screen.findByText(/^No follower return yet/)).toBeTruthy();
    expect(screen.queryByRole('region', { name: 'Follower figures' })).toBeNull();
  });

  it('says how many calls are excluded', async () => {
    open();
    await figures();
    expect(record().textContent).toContain(
      "1 unranked call is listed but not counted in any of these figures. Each call's page says why.",
    );
    expect(record().textContent).not.toContain('counts as 0%');
    cleanup();
    open({}, { [route]: { ...adaStatistics, unrankedCalls: 0, uncountedGains: 2 } });
    await figures();
    expect(record().textContent).not.toContain('unranked');
    expect(record().textContent).toContain('2 gains count as 0%: the call was open for less than 10 minutes');
  });

  it('switches figures and charts between 30 days, 90 days and all', async () => {
    vi.setSystemTime('2026-09-01T10:00:00.000Z');
    const old = { ...endedCall, id: 'old', endTimestamp: '2026-06-01T10:00:00.000Z' };
    open(
      {},
      {
        'GET /api/token-calls/caller/caller-1/history': [
          { ...endedCall, endTimestamp: '2026-07-19T10:00:00.000Z' },
          old,
        ],
      },
    );
    await screen.findByRole('img', { name: /^2 ended calls/ });
    fireEvent.click(screen.getByRole('radio', { name: '90 d' }));
    expect(await figures()).toEqual(
      expect.arrayContaining([
        'Ranked Calls1ended in the last 90 days',
        'Proven in this period20.7%minimum win rate at 95% confidence',
        'Profit FactorNo lossesgains ÷ losses, of 1 ranked call',
        'Average Peak–no known peaks yet',
      ]),
    );
    await screen.findByRole('figure', {
      name: 'Return over time of one stake reinvested across 1 ranked call',
    });
    expect(screen.getByRole('img', { name: /^1 ended call:/ })).toBeTruthy();
    fireEvent.click(screen.getByRole('radio', { name: '30 d' }));
    expect(record().textContent).toContain('No ranked call ended in the last 30 days.');
    expect(screen.queryByRole('img', { name: /ended call/ })).toBeNull();
    fireEvent.click(screen.getByRole('radio', { name: 'All' }));
    expect((await figures())[0]).toBe('Ranked Calls4ended so far');
  });

  it('draws the reinvested stake as a curve', async () => {
    open();
    const curve = await screen.findByRole('figure', {
      name: 'Return over time of one stake reinvested across 4 ranked calls',
    });
    expect(curve.parentElement?.textContent).toContain('One stake reinvested across 4 ranked calls+875.0%');
    // The stake ends at 10 × 0.5 × 1.3 × 1.5 = 9.75, with a high of 10.
    expect(curve.textContent).toMatch(
      /From 0\.0% on Mar 4, 2025.* to \+875\.0% on Aug 19, 2026.*Lowest 0\.0%, highest \+900\.0%\./,
    );
  });

  it('shows large returns as multiples', async () => {
    open(
      {},
      {
        [route]: {
          ...adaStatistics,
          returns: Array.from({ length: 4 }, (_, day) => ({
            at: `2026-06-0${day + 1}T10:00:00.000Z`,
            changePercent: 900,
          })),
        },
      },
    );
    const curve = await screen.findByRole('figure', { name: /^Return over time/ });
    expect(curve.parentElement?.textContent).toContain('One stake reinvested across 4 ranked calls10.0Kx');
  });

  const openCalls = { count: 3, pricedCount: 2, averageReturn: -12.34 };
  it('shows the return of open calls to viewers with access', async () => {
    open(
      { viewer: { ...withoutAccess, canSeeActiveCalls: true } },
      { [route]: { ...adaStatistics, openCalls }, 'GET /api/token-calls/caller/caller-1/active': [] },
    );
    await figures();
    expect(record().textContent).toContain(
      'Open calls: -12.3% average across 2 of 3 ranked calls, at the last known prices.',
    );
    cleanup();
    open(
      { viewer: { ...withoutAccess, canSeeActiveCalls: true } },
      {
        [route]: { ...adaStatistics, openCalls: { count: 1, pricedCount: 0, averageReturn: null } },
        'GET /api/token-calls/caller/caller-1/active': [],
      },
    );
    await figures();
    expect(record().textContent).toContain('Open calls: no price is known yet for 1 ranked call.');
  });

  it('hides the return of open calls from viewers without access', async () => {
    open();
    await figures();
    expect(record().textContent).not.toMatch(/open/i);
  });

  const nothing = {
    ...adaStatistics,
    windows: {
      '30d': adaStatistics.windows['30d'],
      '90d': adaStatistics.windows['30d'],
      all: adaStatistics.windows['30d'],
    },
    returns: [],
  };
  it.each([
    [0, 'No ended calls yet'],
    [2, 'No ranked call has ended yet'],
  ])('with %s unranked and no ranked calls says "%s"', async (unrankedCalls, words) => {
    open({}, { [route]: { ...nothing, unrankedCalls }, 'GET /api/token-calls/caller/caller-1/history': [] });
    await screen.findByText(words);
    expect(screen.queryByRole('radiogroup', { name: 'Period' })).toBeNull();
    expect(record().textContent?.includes('2 unranked calls are listed but not counted')).toBe(
      unrankedCalls === 2,
    );
  });

  it('shows a skeleton while it loads', async () => {
    open({}, { [route]: never });
    expect((await screen.findByText('Loading record')).parentElement?.getAttribute('aria-busy')).toBe('true');
  });

  it('shows a failure and loads on retry', async () => {
    let isDown = true;
    open(
      {},
      { [route]: () => (isDown ? refuse(500, 'server.failed', 'The server failed.') : adaStatistics) },
    );
    await screen.findByText('Failed to load the record');
    expect(record().textContent).toContain('The server failed.');
    isDown = false;
    fireEvent.click(within(record()).getByRole('button', { name: 'Try again' }));
    expect((await figures())[0]).toBe('Ranked Calls4ended so far');
  });
});

describe('a row in a list of calls', () => {
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
  const withAccess = { viewer: { ...withoutAccess, canSeeActiveCalls: true } };
  /** Renders calls with entry price 2 and these current or end prices. */
  async function rows({ current = '2', endPrice }: { current?: string; endPrice?: string }) {
    const lastPrice = { price: current, at: '', source: 'x' };
    const call = {
      ...activeCall,
      logoURI: 'https://img.example/wif.png',
      callTimestamp: minutesAgo(5),
      lastPrice,
    };
    const ended =
      endPrice === undefined
        ? call
        : { ...call, endPrice, endTimestamp: minutesAgo(1), isActive: false, lastPrice: undefined };
    open(withAccess, {
      'GET /api/token-calls/caller/caller-1/active': [call],
      'GET /api/token-calls/caller/caller-1/history': [ended],
      'GET /api/prices': { [call.tokenMint]: lastPrice },
    });
    const row = async (label: string) =>
      within(await screen.findByRole('table', { name: label })).getAllByRole('row')[1] as HTMLElement;
    const found = { active: await row('Active Calls'), history: await row('Call History') };
    await waitFor(() => expect(found.active.textContent).toContain('%'));
    await waitFor(() => expect(found.history.textContent).not.toContain('–'));
    return found;
  }
  const columns = (label: string) =>
    within(screen.getByRole('table', { name: label }))
      .getAllByRole('columnheader')
      .map((cell) => cell.textContent);

  // Specification 2.120, 2.126-2.131, 2.133, 9.34
  it('has logo, name, symbol, time, call price, current price with its change, and Buy', async () => {
    const { active } = await rows({ current: '3' });
    expect(columns('Active Calls')).toEqual(['Token', 'Call Price', 'Current Price', 'Actions']);
    expect(active.querySelector('img')?.getAttribute('src')).toBe('https://img.example/wif.png');
    expect(within(active).getByText('dogwifhat')).toBeTruthy();
    expect(within(active).getByText('WIF')).toBeTruthy();
    expect(within(active).getByRole('rowheader').textContent).toContain('Called 5m ago');
    expect(
      within(active)
        .getAllByRole('cell')
        .map((cell) => cell.textContent),
    ).toEqual(['2.00000000', '3.00000000+50.0%', 'Buy']);
    expect(within(active).getByRole('link', { name: 'Buy WIF' }).getAttribute('href')).toContain(
      activeCall.tokenMint,
    );
  });

  it('has market caps below the prices, if known: at the entry, now and at the end', async () => {
    const call = {
      ...activeCall,
      entryMarketCapUsd: 2_000_000_000,
      lastPrice: { price: '2', at: '', source: 'x' },
    };
    const ended = { ...call, endPrice: '5', endTimestamp: minutesAgo(1), isActive: false };
    open(withAccess, {
      'GET /api/token-calls/caller/caller-1/active': [call],
      'GET /api/token-calls/caller/caller-1/history': [ended, endedCall],
    });
    const capsIn = async (label: string) =>
      (await within(await screen.findByRole('table', { name: label })).findAllByText('MC')).map(
        (cap) => cap.parentElement?.textContent,
      );
    // The current price is 2, as at the entry.
    await waitFor(async () => expect(await capsIn('Active Calls')).toEqual(['MC $2.0B', 'MC $2.0B']));
    expect(await capsIn('Call History')).toEqual(['MC $2.0B', 'MC $5.0B']);
  });

  // Specification 2.121, 2.141-2.144, 9.34
  it('has the end price and its change in the history', async () => {
    const { history } = await rows({ current: '1', endPrice: '2.5' });
    expect(columns('Call History')).toEqual(['Token', 'Call Price', 'End Price', 'Current Price', 'Actions']);
    expect(history.querySelector('img')?.getAttribute('src')).toBe('https://img.example/wif.png');
    expect(
      within(history)
        .getAllByRole('cell')
        .map((cell) => cell.textContent),
    ).toEqual(['2.00000000', '2.50000000+25.0%', '1.00000000-50.0%', 'Buy']);
    expect(within(history).getByText('5m ago')).toBeTruthy();
    expect(within(history).getByRole('rowheader').textContent).toContain('Called 5m ago');
  });

  // Specification 2.131, 2.132
  it.each([
    ['2.02', '+1.0%', 'text-gain'],
    ['2', '0.0%', 'text-gain'],
    ['1.98', '-1.0%', 'text-loss'],
  ])('with current price %s and entry price 2 shows %s in %s', async (current, words, colour) => {
    const { active } = await rows({ current });
    expect(within(active).getByText(words).parentElement?.className).toContain(colour);
  });
});

it.each([true, false])(
  'links the token of an active call if the viewer follows the caller: %s',
  async (isSubscribed) => {
    open(
      { viewer: { ...withoutAccess, isSubscribed, canSeeActiveCalls: true } },
      { ...signedIn, 'GET /api/token-calls/caller/caller-1/active': [activeCall] },
    );
    const active = await screen.findByRole('table', { name: 'Active Calls' });
    const links = within(active)
      .getAllByRole('link')
      .map((link) => link.getAttribute('href'));
    expect(links.includes(`/token/${activeCall.tokenMint}`)).toBe(isSubscribed);
  },
);

describe('a profile seen by an anonymous visitor', () => {
  // Specification 2.135-2.137, 6.6
  it('hides the active calls without requesting them', async () => {
    const { calls } = open();
    await screen.findByText('Subscribe to View Active Calls');
    expect(screen.getByText('Get access to real-time call tracking and performance data')).toBeTruthy();
    expect(screen.getByText('2 active calls now')).toBeTruthy();
    expect(calls.some(({ route }) => route.endsWith('/active'))).toBe(false);
  });

  // Specification 2.138, 5.29, 6.8
  it.each(['Subscribe', 'Subscribe for 0.5 SOL'])(
    'asks the visitor to sign in when %s is clicked',
    async (label) => {
      open();
      fireEvent.click(await screen.findByRole('button', { name: label }));
      await expectToast('Please Sign In', 'You need to sign in to subscribe to callers.');
    },
  );

  // Specification 2.103
  it('offers sign-in for a Free caller', async () => {
    open({ monthlyFee: null });
    await name();
    expect(screen.getByRole('button', { name: 'Free Access' })).toBeTruthy();
    expect(screen.getByText('Free')).toBeTruthy();
    const link = within(screen.getByRole('main')).getByRole('link', { name: 'Sign in with Twitter' });
    expect(link.getAttribute('href')).toBe('/api/auth/twitter?returnTo=%2Fcaller%2Fada');
  });
});

describe('a profile, depending on the viewer', () => {
  // Specification 2.37, 2.146
  it('opens the Subscribe dialog for a signed-in user', async () => {
    open({}, signedIn);
    await screen.findByRole('button', { name: 'Your account' });
    fireEvent.click(screen.getByRole('button', { name: 'Subscribe' }));
    await screen.findByRole('dialog', { name: 'Subscribe to Ada Byron' });
  });

  // Specification 2.104, 2.147, 4.9
  it('shows Subscribing... during a free subscription and then Subscribed', async () => {
    let isSubscribed = false;
    let follow: () => void = () => undefined;
    open(
      {},
      {
        ...signedIn,
        'GET /api/callers/ada': () => ({
          ...adaProfile,
          monthlyFee: null,
          viewer: { ...withoutAccess, isSubscribed, canSeeActiveCalls: true },
        }),
        'GET /api/token-calls/caller/caller-1/active': [],
        'POST /api/subscriptions/free': () =>
          new Promise(
            (resolve) =>
              (follow = () =>
                resolve({
                  id: 's1',
                  callerId: 'caller-1',
                  endDate: null,
                  isCurrentlyActive: true,
                  amountPaid: '0',
                  payment: null,
                })),
          ),
      },
    );
    await screen.findByRole('button', { name: 'Your account' });
    fireEvent.click(screen.getByRole('button', { name: 'Free Access' }));
    fireEvent.click(await screen.findByRole('button', { name: 'Subscribe for free' }, { timeout: 5_000 }));
    const header = screen.getByText('Monthly Fee').closest('header') as HTMLElement;
    await waitFor(() => expect(header.textContent).toContain('Subscribing...'));
    expect(header.textContent).not.toContain('Subscribed');
    isSubscribed = true;
    follow();
    await waitFor(() => expect(header.textContent).toContain('Subscribed'));
    expect(header.textContent).not.toContain('Free Access');
  });

  it('moves the focus to the heading when the Subscribe button disappears, even a minute after Done', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const viewer = { ...withoutAccess, canSeeActiveCalls: true };
    let isSubscribed = false;
    const { queryClient } = open(
      {},
      {
        ...signedIn,
        'GET /api/callers/ada': () => ({
          ...adaProfile,
          monthlyFee: null,
          viewer: { ...viewer, isSubscribed },
        }),
        'GET /api/token-calls/caller/caller-1/active': [],
        'POST /api/subscriptions/free': { id: 's1', callerId: 'caller-1', endDate: null, payment: null },
      },
    );
    await screen.findByRole('button', { name: 'Your account' });
    const button = screen.getByRole('button', { name: 'Free Access' });
    button.focus();
    fireEvent.click(button);
    fireEvent.click(await screen.findByRole('button', { name: 'Subscribe for free' }));
    fireEvent.click(await screen.findByRole('button', { name: 'Done' }));
    await waitFor(() => expect(document.activeElement).toBe(button));
    await act(() => vi.advanceTimersByTimeAsync(60_000));
    isSubscribed = true;
    await act(() => queryClient.invalidateQueries({ queryKey: ['callers', 'profile'] }));
    await waitFor(() => expect(button.isConnected).toBe(false));
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 })));
  });

  it('says after a reload that a payment is in progress, and shows that payment on click', async () => {
    pendingPaymentsOf(visitor.id).keep({ ...signedPayment, openedAt: Date.now() });
    open({}, { ...signedIn, 'GET /api/subscriptions/my': [] });
    // One button is at the top, and one is on the card that hides the active calls.
    const buttons = await screen.findAllByRole('button', { name: 'Payment in progress' });
    expect(buttons).toHaveLength(2);
    expect(screen.queryByRole('button', { name: /^Subscribe/ })).toBeNull();
    fireEvent.click(buttons[0] as HTMLElement);
    expect(
      await screen.findByRole('heading', { name: "Your payment isn't finished" }, { timeout: 5_000 }),
    ).toBeTruthy();
  });

  // Specification 5.30
  it('says why nobody can subscribe to a Paid caller without a payout wallet', async () => {
    open({ canBeSubscribed: false }, signedIn);
    await name();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Subscribe' }).disabled).toBe(true);
    expect(screen.getAllByText("This caller hasn't connected a payout wallet yet.")).toHaveLength(1);
    expect(screen.getByText('2 active calls now')).toBeTruthy();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: /^Subscribe for/ }).disabled).toBe(true);
  });

  it('tells viewers without access that there are no active calls', async () => {
    open({ activeCallCount: 0 }, signedIn);
    expect(
      await screen.findByText('No active calls right now. Subscribers see the next one here.'),
    ).toBeTruthy();
    expect(screen.getByText('Subscribe to View Active Calls')).toBeTruthy();
    expect(screen.queryByText(/0 active calls now/)).toBeNull();
  });

  it.each([
    ['a visitor', {}],
    ['a signed-in user', signedIn],
  ])('doesn’t invite %s to follow a deleted caller', async (_, routes) => {
    open(
      {
        twitterHandle: deletedHandle('caller-1'),
        firstName: 'Deleted caller',
        lastName: '',
        monthlyFee: null,
        isSuspended: true,
        canBeSubscribed: false,
        activeCallCount: 0,
      },
      routes,
    );
    await screen.findByText('No more calls');
    const main = within(screen.getByRole('main'));
    expect(main.queryByText(/Subscribe to View|Subscribers see/)).toBeNull();
    expect(main.queryByRole('link', { name: 'Sign in with Twitter' })).toBeNull();
  });

  it('keeps the shown prices while the prices of a longer history load', async () => {
    let requests = 0;
    const history = [endedCall];
    const { queryClient } = open(
      {},
      {
        'GET /api/token-calls/caller/caller-1/history': () => [...history],
        'GET /api/prices': () =>
          requests++ === 0 ? { [endedCall.tokenMint]: { price: '0.00001', at: '', source: 'x' } } : never(),
      },
    );
    const rows = async () =>
      within(await screen.findByRole('table', { name: 'Call History' })).getAllByRole('row');
    await waitFor(async () => expect((await rows())[1]?.textContent).toContain('0.00001'));
    history.push({ ...endedCall, id: 'another', tokenMint: activeCall.tokenMint });
    await queryClient.invalidateQueries({ queryKey: ['token-calls'] });
    await waitFor(async () => expect(await rows()).toHaveLength(3));
    expect((await rows())[1]?.textContent).toContain('0.00001');
  });

  it('never requests the price of an active call from the public route', async () => {
    const lastPrice = { price: '3', at: new Date().toISOString(), source: 'jupiter' };
    const { calls } = open(
      { viewer: { ...withoutAccess, canSeeActiveCalls: true } },
      {
        'GET /api/token-calls/caller/caller-1/active': [{ ...activeCall, lastPrice }],
        'GET /api/token-calls/caller/caller-1/history': [activeCall, endedCall],
      },
    );
    const table = await screen.findByRole('table', { name: 'Active Calls' });
    expect(table.textContent).toContain('3.00000000+50.0%');
    await waitFor(() =>
      expect(calls.filter(({ route }) => route === 'GET /api/prices').map(({ search }) => search)).toEqual([
        `?mints=${endedCall.tokenMint}`,
      ]),
    );
  });

  // Specification 2.134, 2.142
  it('refetches history and figures after a call has ended', async () => {
    let hasEnded = false;
    const ended = {
      ...activeCall,
      isActive: false,
      endPrice: '3',
      endTimestamp: '2026-11-20T10:00:00.000Z',
      changePercent: 50,
    };
    const { queryClient } = open(
      {},
      {
        ...signedIn,
        'GET /api/callers/ada': () => ({
          ...adaProfile,
          rankedCalls: hasEnded ? 49 : 48,
          activeCallCount: hasEnded ? 0 : 1,
          viewer: { ...withoutAccess, isSubscribed: true, canSeeActiveCalls: true },
        }),
        'GET /api/token-calls/caller/caller-1/active': () => (hasEnded ? [] : [activeCall]),
        'GET /api/token-calls/caller/caller-1/history': () => [hasEnded ? ended : activeCall],
      },
    );
    const history = await screen.findByRole('table', { name: 'Call History' });
    await screen.findByRole('table', { name: 'Active Calls' });
    expect(within(history).getByText('Active')).toBeTruthy();
    hasEnded = true;
    // Refetches, as the poll would do after ten seconds.
    await act(() => queryClient.refetchQueries({ queryKey: activeCallsQuery('caller-1').queryKey }));
    await screen.findByText('No active calls at the moment');
    await waitFor(() => expect(within(history).queryByText('Active')).toBeNull());
    expect(history.textContent).toContain('3.00000000+50.0%');
    const stats = screen.getByRole('region', { name: 'Statistics' });
    await waitFor(() => expect(stats.textContent).toContain('of 49 ranked calls'));
    expect(stats.textContent).toContain('0 active');
    expect(screen.getByRole('heading', { name: 'Active Calls' }).closest('section')?.textContent).toMatch(
      /^Active Calls0/,
    );
  });

  it('once the viewer loses access, hides the active calls in the history, too', async () => {
    let canSee = true;
    const { queryClient } = open(
      {},
      {
        ...signedIn,
        'GET /api/callers/ada': () => ({
          ...adaProfile,
          viewer: { ...withoutAccess, canSeeActiveCalls: canSee },
        }),
        'GET /api/token-calls/caller/caller-1/active': () =>
          canSee ? [activeCall] : refuse(403, 'calls.not_entitled', 'Subscribe first.'),
        'GET /api/token-calls/caller/caller-1/history': [activeCall, endedCall],
      },
    );
    const history = await screen.findByRole('table', { name: 'Call History' });
    await screen.findByRole('table', { name: 'Active Calls' });
    expect(history.textContent).toContain(activeCall.tokenSymbol);
    canSee = false;
    // Refetches, as the poll would do after ten seconds.
    await act(() => queryClient.refetchQueries({ queryKey: activeCallsQuery('caller-1').queryKey }));
    await screen.findByText('Subscribe to View Active Calls');
    const left = await screen.findByRole('table', { name: 'Call History' });
    expect(left.textContent).toContain(endedCall.tokenSymbol);
    expect(document.body.textContent).not.toContain(activeCall.tokenSymbol);
  });

  it('shows the number of listed active calls if the viewer can see the list', async () => {
    open(
      { activeCallCount: 2, viewer: { ...withoutAccess, canSeeActiveCalls: true } },
      { ...signedIn, 'GET /api/token-calls/caller/caller-1/active': [activeCall] },
    );
    await screen.findByRole('table', { name: 'Active Calls' });
    expect(screen.getByRole('region', { name: 'Statistics' }).textContent).toContain('1 active');
  });

  it.each([
    [true, ['Active Calls', 'About', 'Record', 'Call History']],
    [false, ['Record', 'Active Calls', 'Call History', 'About']],
  ])('starts with the active calls if the viewer can see them: %s', async (canSeeActiveCalls, titles) => {
    open(
      { viewer: { ...withoutAccess, canSeeActiveCalls } },
      { ...signedIn, 'GET /api/token-calls/caller/caller-1/active': [activeCall] },
    );
    await name();
    expect(screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual(
      titles,
    );
  });

  // Specification 2.101, 2.122
  it('shows a subscriber the active calls and the end of access', async () => {
    open(
      {
        viewer: {
          ...withoutAccess,
          isSubscribed: true,
          canSeeActiveCalls: true,
          accessEndsAt: '2099-12-03T00:00:00.000Z',
        },
      },
      {
        ...signedIn,
        'GET /api/token-calls/caller/caller-1/active': [
          { ...activeCall, lastPrice: { price: '2', at: '', source: 'x' } },
        ],
      },
    );
    const table = await screen.findByRole('table', { name: 'Active Calls' });
    await waitFor(() => expect(table.textContent).toContain('2.000000000.0%'));
    expect(screen.getByText('Subscribed')).toBeTruthy();
    expect(screen.getByText(/^until Dec [23], 2099$/)).toBeTruthy();
    expect(screen.queryByText('Subscribe to View Active Calls')).toBeNull();
  });

  describe('with a paid subscription', () => {
    const now = Date.parse('2026-11-21T09:00:00.000Z');
    beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now }));

    const openEnding = async (distance: number, caller: Partial<CallerProfile> = {}) => {
      const endDate = new Date(now + distance).toISOString();
      open(
        {
          viewer: { ...withoutAccess, isSubscribed: true, canSeeActiveCalls: true, accessEndsAt: endDate },
          ...caller,
        },
        { ...signedIn, 'GET /api/token-calls/caller/caller-1/active': [] },
      );
      await name();
      return (await screen.findByText('Subscribed')).closest('header')?.textContent ?? '';
    };

    it.each([
      ['in 20 days', 20 * DAY_MS, /Subscribeduntil Dec 11, 2026Renew$/],
      ['in a week', 7 * DAY_MS, /SubscribedEnds in 7 daysuntil Nov 28, 2026Renew$/],
      ['tomorrow', DAY_MS, /SubscribedEnds tomorrowuntil Nov 22, 2026, .*[AP]MRenew$/],
    ])('shows the end and a Renew button when access ends %s', async (_when, distance, text) => {
      expect(await openEnding(distance)).toMatch(text);
      fireEvent.click(screen.getByRole('button', { name: 'Renew' }));
      const dialog = await screen.findByRole(
        'dialog',
        { name: 'Subscribe to Ada Byron' },
        { timeout: 5_000 },
      );
      expect(
        await within(dialog).findByText(
          /^You have access until .*\. The new period starts after that\. The fee is 0\.5 SOL for 30 days/,
        ),
      ).toBeTruthy();
    });

    it('shows no Renew button while the caller cannot be paid', async () => {
      expect(await openEnding(DAY_MS, { canBeSubscribed: false })).toContain('Ends tomorrow');
      expect(screen.queryByRole('button', { name: 'Renew' })).toBeNull();
    });

    it('shows no end of access for a caller who became Free', async () => {
      expect(await openEnding(DAY_MS, { monthlyFee: null })).toMatch(/Subscribed$/);
      expect(screen.queryByRole('button', { name: 'Renew' })).toBeNull();
    });
  });

  // Specification 2.125, 9.41
  it('shows three skeletons while the active calls load', async () => {
    open(
      { viewer: { ...withoutAccess, canSeeActiveCalls: true } },
      { 'GET /api/token-calls/caller/caller-1/active': never },
    );
    await screen.findByRole('table', { name: 'Call History' });
    expect(screen.getAllByTestId('row-skeleton')).toHaveLength(3);
  });

  // Specification 2.119
  it('says that no call has ended yet', async () => {
    open({ lastCallTimestamp: null, activeCallCount: 1 });
    await name();
    expect(screen.getByRole('region', { name: 'Statistics' }).textContent).toMatch(
      /Last Call–none ended yet$/,
    );
  });

  it('shows a bio in its own text direction, with at most one blank line in a row', async () => {
    open({ bio: 'שלום\n\n \n\n\nCalls since 2021.\nRarely.' });
    const bio = await screen.findByText(/Calls since 2021/);
    expect(bio.textContent).toBe('שלום\n\nCalls since 2021.\nRarely.');
    expect(bio.getAttribute('dir')).toBe('auto');
  });

  // Specification 2.114
  it('says that there is no bio', async () => {
    open({ bio: null });
    expect(await screen.findByText('No bio available.')).toBeTruthy();
  });
});

describe('a profile seen by its owner', () => {
  const ownProfile = { bio: null, viewer: { ...withoutAccess, isOwner: true, canSeeActiveCalls: true } };
  const routes = { ...signedIn, 'GET /api/token-calls/caller/caller-1/active': [] };

  async function edit(text: string) {
    fireEvent.click(await screen.findByRole('button', { name: 'Edit bio' }));
    const box = await screen.findByPlaceholderText('Write a brief bio about yourself...');
    fireEvent.change(box, { target: { value: text } });
    return screen.getByRole('dialog', { name: 'Edit Bio' });
  }

  // Specification 2.100, 2.113, 6.24
  it('shows Your Profile', async () => {
    open(ownProfile, routes);
    expect(await screen.findByText('Your Profile')).toBeTruthy();
    expect(screen.getByText('Add a bio to tell others about yourself.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Subscribe' })).toBeNull();
  });

  // Specification 2.123, 6.25
  it('shows the active calls of a Paid caller', async () => {
    open(
      { ...ownProfile, monthlyFee: '0.5' },
      { ...signedIn, 'GET /api/token-calls/caller/caller-1/active': [activeCall] },
    );
    expect((await screen.findByRole('table', { name: 'Active Calls' })).textContent).toContain('dogwifhat');
    expect(screen.queryByText('Subscribe to View Active Calls')).toBeNull();
  });

  // Specification 2.105, 2.106
  it('shows the Edit bio button to the owner only', async () => {
    open({ bio: 'Mine.' }, signedIn);
    await screen.findByText('Mine.');
    expect(screen.queryByRole('button', { name: 'Edit bio' })).toBeNull();
    cleanup();
    open({ ...ownProfile, bio: 'Mine.' }, routes);
    await screen.findByText('Mine.');
    expect(screen.getByRole('button', { name: 'Edit bio' })).toBeTruthy();
  });

  // Specification 2.39, 2.106, 2.107, 2.111, 4.37, 6.23, 8.43
  it('saves a bio, shows a toast and closes the dialog', async () => {
    const { calls } = open(ownProfile, { ...routes, 'PATCH /api/user/profile': {} });
    const dialog = await edit('  I call few tokens. ');
    expect(within(dialog).getByText('18/500 characters')).toBeTruthy();
    fireEvent.click(within(dialog).getByRole('button', { name: 'Save' }));
    await expectToast('Bio updated successfully');
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Edit Bio' })).toBeNull());
    expect(calls.find(({ route }) => route === 'PATCH /api/user/profile')?.body).toEqual({
      bio: 'I call few tokens.',
    });
  });

  // Specification 2.110
  it('shows Saving... while the bio is being saved', async () => {
    open(ownProfile, { ...routes, 'PATCH /api/user/profile': never });
    const dialog = await edit('Text');
    fireEvent.click(within(dialog).getByRole('button', { name: 'Save' }));
    expect((await within(dialog).findByRole('button', { name: 'Saving...' })).getAttribute('aria-busy')).toBe(
      'true',
    );
    expect(screen.getByRole('dialog', { name: 'Edit Bio' })).toBeTruthy();
  });

  // Specification 8.34
  it('keeps the typed bio when saving fails', async () => {
    open(ownProfile, { ...routes, 'PATCH /api/user/profile': new Response('', { status: 500 }) });
    const dialog = await edit('Text');
    fireEvent.click(within(dialog).getByRole('button', { name: 'Save' }));
    await expectToast('Error', 'Failed to update bio - Please try again later.');
    expect(
      screen.getByPlaceholderText<HTMLTextAreaElement>('Write a brief bio about yourself...').value,
    ).toBe('Text');
  });

  // Specification 2.108, 5.31, 5.32, 9.13
  it('counts the characters of the bio and disables Save over the limit', async () => {
    open(ownProfile, routes);
    const dialog = await edit('🙂'.repeat(500));
    expect(within(dialog).getByText('500/500 characters')).toBeTruthy();
    expect(within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(false);
    fireEvent.change(screen.getByPlaceholderText('Write a brief bio about yourself...'), {
      target: { value: '🙂'.repeat(501) },
    });
    expect(within(dialog).getByText('501/500 characters')).toBeTruthy();
    expect(within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true);
  });

  const bioBox = () =>
    screen.findByPlaceholderText<HTMLTextAreaElement>('Write a brief bio about yourself...');
  const expectClosed = () =>
    waitFor(() => expect(screen.queryByRole('dialog', { name: 'Edit Bio' })).toBeNull());
  const reopen = async () => fireEvent.click(await screen.findByRole('button', { name: 'Edit bio' }));

  // Specification 2.109, 2.112, 4.37
  it('closes the bio dialog on Cancel without saving, and forgets the text', async () => {
    open(ownProfile, routes);
    const dialog = await edit('Draft');
    fireEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    await expectClosed();
    await reopen();
    expect((await bioBox()).value).toBe('');
  });

  it('keeps the bio dialog open if it was reopened while the first text was still being saved', async () => {
    let save = () => {};
    const saved = new Promise<unknown>((resolve) => (save = () => resolve({})));
    open(ownProfile, { ...routes, 'PATCH /api/user/profile': () => saved });
    const dialog = await edit('First');
    fireEvent.click(within(dialog).getByRole('button', { name: 'Save' }));
    fireEvent.click(within(dialog).getByRole('button', { name: 'Close' }));
    await expectClosed();
    await reopen();
    fireEvent.change(await bioBox(), { target: { value: 'First and more' } });
    save();
    await expectToast('Bio updated successfully');
    expect((await bioBox()).value).toBe('First and more');
  });

  it('keeps the unsaved bio of an owner who opened the dialog before their account was loaded', async () => {
    let load = () => {};
    const user = new Promise<unknown>((resolve) => (load = () => resolve(visitor)));
    open(ownProfile, { ...routes, 'GET /api/auth/user': () => user });
    await reopen();
    load();
    fireEvent.change(await bioBox(), { target: { value: 'Draft' } });
    await screen.findByRole('button', { name: 'Your account', hidden: true });
    fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' });
    await expectClosed();
    await reopen();
    expect((await bioBox()).value).toBe('Draft');
  });

  it.each([
    ['with Escape', () => fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' })],
    ['with the close button', () => fireEvent.click(screen.getByRole('button', { name: 'Close' }))],
    ['by loading the page again', () => cleanup()],
  ])('keeps the unsaved bio of a dialog that was closed %s', async (_how, close) => {
    open(ownProfile, routes);
    await edit('Draft');
    close();
    await expectClosed();
    if (document.querySelector('main') === null) open(ownProfile, routes);
    await reopen();
    expect((await bioBox()).value).toBe('Draft');
    expect(screen.getByText("This text isn't saved yet. Cancel brings the saved bio back.")).toBeTruthy();
  });
});
