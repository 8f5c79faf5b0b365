import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { DAY_MS } from '#schema/constants/time.ts';
import type { CallerProfile, CallerStatistics } from '#schema/contracts/callers.ts';
import { deletedHandle } from '#schema/rules/people/person-name.ts';
import { callerQuery } from '#web/api/callers.queries.ts';
import { activeCallsQuery } from '#web/api/calls.queries.ts';
import { pendingPaymentsOf } from '#web/features/subscribe/payment/pending-payments.ts';
import { signedPayment } from '#web/features/subscribe/payment/payment-test-doubles.ts';
import { refuse, type FakeRoutes } from '#web/testing/fake-api.ts';
import {
  buttonOf,
  cellsOf,
  click,
  columnsOf,
  expectNewTab,
  findAndClick,
  findHref,
  findRows,
  findSection,
  hrefOf,
  sectionOf,
  sectionTitles,
  textsOf,
} from '#web/testing/find-in-page.ts';
import { openApp } from '#web/testing/render-app.tsx';
import { expectToast } from '#web/testing/render-screen.tsx';
import {
  activeCall,
  ada,
  adaProfile,
  adaStatistics,
  allOn,
  endedCall,
  profileApi,
  solPrice,
  signedInUser,
} from '#web/testing/samples.ts';

const PROFILE = 'GET /api/callers/ada';
const STATISTICS = 'GET /api/callers/caller-1/statistics';
const ACTIVE = 'GET /api/token-calls/caller/caller-1/active';
const HISTORY = 'GET /api/token-calls/caller/caller-1/history';
const signedIn = { 'GET /api/auth/user': signedInUser };
const CHATS = 'GET /api/callers/caller-1/telegram-chats';
const never = () => new Promise(() => undefined);
const withViewer = (viewer: Partial<CallerProfile['viewer']>) => ({
  viewer: { ...adaProfile.viewer, ...viewer },
});
const withAccess = withViewer({ canSeeActiveCalls: true });
const subscribed = withViewer({ isSubscribed: true, canSeeActiveCalls: true });
const closed = { canBeSubscribed: false };

function open(caller: Partial<CallerProfile> = {}, routes: FakeRoutes = {}, path = '/caller/ada') {
  return openApp(path, {
    ...profileApi,
    [PROFILE]: { ...adaProfile, ...caller },
    'GET /api/prices': { [endedCall.tokenMint]: { price: '0.00001', at: '', source: 'x' } },
    ...routes,
  });
}

/** Opens Ada's profile with these responses. */
const openWith = (routes: FakeRoutes) => open({}, routes);

const name = () => screen.findByRole('heading', { level: 1, name: 'Ada Byron' });
const statistics = () => screen.getByRole('region', { name: 'Statistics' });
async function openMoreFigures(): Promise<HTMLElement> {
  const title = await screen.findByText('More figures');
  fireEvent.click(title);
  return title.closest('details') as HTMLElement;
}
const findTable = (label: string) => screen.findByRole('table', { name: label });
const findDialog = () => screen.findByRole('dialog', { name: 'Subscribe to Ada Byron' }, { timeout: 5_000 });
const pageText = () => document.body.textContent;

it('a long call history shows 20 calls at first and all of them after “Show all”', async () => {
  const many = Array.from({ length: 25 }, (_, index) => ({ ...endedCall, id: `call-${index}` }));
  open({}, { [HISTORY]: many });
  const table = await findTable('Call History');
  const count = () => within(table).getAllByRole('row').length - 1;
  expect(count()).toBe(20);
  const button = screen.getByRole('button', { name: 'Show all 25 calls' });
  button.focus();
  fireEvent.click(button);
  expect([count(), document.activeElement?.textContent]).toEqual([25, 'Show fewer']);
  fireEvent.click(button);
  await waitFor(() => expect(count()).toBe(20));
});

describe('the Telegram mute button', () => {
  const connected = {
    'GET /api/auth/user': { ...signedInUser, telegramHandle: 'vi_tele', telegramConnected: true },
    'GET /api/user/notifications': allOn,
  };
  const followed = withViewer({ isSubscribed: true });

  it.each<['shown' | 'hidden', string, Partial<CallerProfile>, FakeRoutes]>([
    ['shown', 'for a followed caller', followed, connected],
    ['hidden', 'for a caller that the user does not follow', {}, connected],
    ['hidden', 'on the user’s own profile', withViewer({ isOwner: true }), connected],
    ['hidden', 'without Telegram', followed, signedIn],
    ['hidden', 'when signed out', followed, {}],
  ])('the Telegram mute button is %s %s', async (state, _where, caller, routes) => {
    const isShown = state === 'shown';
    const { calls } = open(caller, routes);
    await name();
    await screen.findByText('Member since', { exact: false });
    if (isShown) await screen.findByRole('button', { name: 'Mute Ada Byron on Telegram' });
    else expect(screen.queryByRole('button', { name: /on Telegram$/ })).toBeNull();
    expect(calls.some(({ route }) => route === 'GET /api/user/notifications')).toBe(isShown);
  });
});

it.each(['#subscribe', '#join'])(
  'a %s link opens the Subscribe dialog for a user without access, and is removed from the URL',
  async (hash) => {
    const { router } = open({}, signedIn, `/caller/ada${hash}`);
    await findDialog();
    await waitFor(() => expect(router.state.location.hash).toBe(''));
  },
);

it('a #join link shows a subscriber how to connect Telegram instead of a payment', async () => {
  const chats = { [CHATS]: [{ kind: 'group', title: 'Alpha', url: '' }] };
  const { router } = open(subscribed, { ...signedIn, ...chats }, '/caller/ada#join');
  await screen.findByRole('button', { name: 'Connect Telegram' }, { timeout: 5_000 });
  await waitFor(() => expect(router.state.location.hash).toBe(''));
  expect(screen.queryByRole('dialog')).toBeNull();
});

it.each([
  ['#subscribe', 'Paid', '0.5', 3],
  ['#subscribe', 'Free', null, 4],
  ['#join', 'Paid', '0.5', 3],
])(
  'a %s link asks a visitor of a %s caller to sign in, and each sign-in link returns to the same URL',
  async (hash, _, fee, count) => {
    open({ monthlyFee: fee }, {}, `/caller/ada${hash}`);
    await expectToast('Please Sign In');
    click('Open menu');
    const links = screen.getAllByRole<HTMLAnchorElement>('link', { name: 'Sign in with Twitter' });
    expect(links.map(({ href }) => new URL(href).searchParams.get('returnTo'))).toEqual(
      Array.from({ length: count }, () => `/caller/ada${hash}`),
    );
  },
);

describe('the note about a look-alike', () => {
  const known = { ...ada, id: 'caller-9', firstName: 'Amara', lastName: 'Lee', twitterHandle: 'amara_calls' };
  const lost = { twitterHandle: 'user-1900000000000000006' };
  const VERIFIED = 'A verified caller has a similar name or handle: ';
  const MORE = 'A caller with more subscribers has a similar name or handle: ';

  it.each([
    [{ isVerified: true }, `Not @amara_calls. ${VERIFIED}Amara Lee (@amara_calls)`],
    [{ isVerified: false }, `Not @amara_calls. ${MORE}Amara Lee (@amara_calls)`],
    [{ isVerified: false, ...lost }, `Not the same caller. ${MORE}Amara Lee`],
  ])('the note about a look-alike names and links the better-known caller: %j', async (change, text) => {
    open({ lookAlike: { ...known, ...change } });
    const note = (await screen.findByText(/^Not .*\.$/)).closest('[role=note]') as HTMLElement;
    expect(note.textContent).toBe(text);
    expect(hrefOf(/^Amara Lee/, note)).toBe('/caller/caller-9');
  });

  it('the profile of a caller with another caller’s former handle says until when, and links that caller', async () => {
    open({ formerHolder: { ...known, ...lost, until: '2026-11-01T10:00:00.000Z' } });
    const note = (await screen.findByText(/this handle belonged to/)).closest('[role=note]') as HTMLElement;
    expect(note.textContent).toBe('Until Nov 1, 2026, this handle belonged to Amara Lee');
    expect(hrefOf(/^Amara Lee/, note)).toBe('/caller/caller-9');
  });
});

it('a profile of a caller who lost the handle says so and links to the account on X', async () => {
  open({ twitterHandle: 'user-1900000000000000006' });
  expect(await findHref('Handle changed on X')).toBe('https://x.com/i/user/1900000000000000006');
  expect(pageText()).not.toContain('user-');
});

// Specification 2.84-2.86, 4.39, 8.48
it('the profile of an unknown caller says that the caller does not exist', async () => {
  open({}, { [PROFILE]: () => refuse(404, 'callers.not_found', 'No such caller.') });
  expect(await screen.findAllByText('Caller Not Found')).not.toHaveLength(0);
  screen.getByText("The caller you're looking for doesn't exist or may have changed their username.");
  expect(hrefOf('Back to Directory')).toBe('/');
});

// Specification 2.4, 2.88, 2.92-2.95, 2.105, 2.115-2.119, 4.40, 6.3, 6.4, 9.27, 9.29
it('a profile shows the record, each percentage with its sample', async () => {
  open();
  const header = (await name()).closest('header') as HTMLElement;
  expect(textsOf(statistics().children)).toEqual([
    'Follower Return+21.7%of 40 copied calls',
    expect.stringMatching(/^Proven.*\+8\.4%At least \+8\.4% more SOL per call than holding it\.$/),
    'Win Rate62.5%of 47 ranked calls',
    'Avg Return+34.2%of 47 ranked calls',
    'Total Calls502 active, 1 unranked',
    'Subscribers1,204and 310 followers',
    expect.stringMatching(/^Last Call.*agolast ended call$/),
  ]);
  expect(header.querySelector('img')?.getAttribute('src')).toBe(adaProfile.profileImageUrl);
  for (const text of ['Verified', 'Member since Mar 4, 2025', 'Few calls.']) screen.getByText(text);
  expectNewTab('@ada', 'https://x.com/ada');
  // The only note is the folded explanation of Proven. There is none about silent days or a suspension.
  expect(screen.getAllByRole('note').map((note) => note.getAttribute('aria-label'))).toEqual(['Proven']);
  expect(document.title).toBe('Ada Byron · SolCallers');
});

it('the chart of results counts no unranked call or uncounted gain as a win', async () => {
  const thin = { ...endedCall, id: 'thin', unrankedReason: 'one_source' };
  const short = { ...endedCall, id: 'short', uncountedGainReason: 'short_hold' };
  const gone = { ...endedCall, id: 'gone', endPrice: '0', automaticEnd: 'no_price' };
  open({}, { [HISTORY]: [endedCall, thin, short, gone] });
  await openMoreFigures();
  const drawing = await screen.findByRole('img', {
    name: '4 ended calls: 1 win, 2 losses or flat, 1 unranked. From -100.0% to +50.0%.',
  });
  expect(textsOf(drawing.querySelectorAll('title')).toSorted()).toEqual([
    'BONK +50.0%',
    'BONK +50.0%, Gain counts as 0%',
    'BONK +50.0%, Unranked',
    'BONK -100.0%',
  ]);
  expect(pageText()).toContain('Grey lines are unranked');
});

// Specification 2.87
it('the Back button of a profile opens the previous page or, without one, the directory', async () => {
  const { router } = open({}, { 'GET /api/token-calls/ended': [], 'GET /api/callers': [] });
  await name();
  click('Back');
  await waitFor(() => expect(router.state.location.pathname).toBe('/'));
  await act(() => router.navigate({ to: '/recent-calls' }));
  await act(() => router.navigate({ to: '/caller/$username', params: { username: 'ada' } }));
  await name();
  click('Back');
  await waitFor(() => expect(router.state.location.pathname).toBe('/recent-calls'));
});

// Specification 2.93, 2.96, 2.114, 2.119
it('the profile of an unverified caller has no badge, and texts for missing data', async () => {
  open({ isVerified: false, createdAt: '', bio: null, lastCallTimestamp: null, activeCallCount: 1 });
  await name();
  expect(screen.queryByText('Verified')).toBeNull();
  for (const text of ['Member since Unknown', 'No bio available.']) screen.getByText(text);
  expect(statistics().textContent).toMatch(/Last Call–none ended yet$/);
});

// Specification 2.97-2.99, 2.102, 2.103, 5.30
it.each([
  [null, 'Free', 'Free Access', true],
  ['0', 'Free', 'Free Access', true],
  ['0.25', '0.25 SOL ≈ $37.50', 'Subscribe', true],
  ['', 'Not Set', 'Subscribe', false],
])(
  'a profile with the fee %j shows %s, also in dollars, and the button %s (enabled: %s)',
  async (monthlyFee, words, label, isEnabled) => {
    open({ monthlyFee }, { 'GET /api/prices/sol': solPrice('150') });
    await name();
    const fee = screen.getByText('Monthly Fee').parentElement;
    await waitFor(() => expect(fee?.textContent).toBe(`Monthly Fee${words}`));
    expect(buttonOf(label).disabled).toBe(!isEnabled);
  },
);

const silent =
  'No activity since Nov 1, 2026. Paid subscriptions are extended by a day for each silent day, at most 30.';
it.each<[string, Partial<CallerProfile>, RegExp, string]>([
  [
    'is being deleted, and takes no subscriptions',
    { ...closed, deletesAt: '2026-12-12T10:04:00.000Z' },
    /^This account will/,
    'This account will be deleted on Dec 12, 2026. There are no new calls and subscriptions. Running subscriptions continue until then, and ended calls stay in the record.',
  ],
  ['is silent', { silentSince: '2026-11-01T10:00:00.000Z' }, /^No activity since/, silent],
])('a profile has a note about a caller who %s', async (_what, caller, start, text) => {
  open(caller);
  expect((await screen.findByText(start)).closest('[role=note]')?.textContent).toBe(text);
  expect(buttonOf('Subscribe').disabled).toBe(caller.canBeSubscribed === false);
});

// Specification 2.125, 2.139, 2.145, 9.41, 9.42
it.each<[string, Partial<CallerProfile>, string, number, string]>([
  ['five skeletons while the history loads', {}, HISTORY, 5, 'No call history available'],
  ['three skeletons while the active calls load', withAccess, ACTIVE, 3, 'No active calls at the moment'],
])('a profile shows %s, then the empty state', async (_what, caller, route, count, empty) => {
  let response: (calls: unknown) => void = () => undefined;
  open(caller, { [route]: () => new Promise((resolve) => (response = resolve)) });
  await screen.findByText('Member since', { exact: false });
  await waitFor(() => expect(screen.getAllByTestId('row-skeleton')).toHaveLength(count));
  response([]);
  await screen.findByText(empty);
});

it('a profile shows the bio in its own text direction, with at most one blank line in a row', async () => {
  open({ bio: 'שלום\n\n \n\n\nCalls since 2021.\nRarely.' });
  await findAndClick('more');
  const bio = screen.getByText(/Calls since 2021/);
  expect(bio.textContent).toBe('שלום\n\nCalls since 2021.\nRarely.');
  expect(bio.getAttribute('dir')).toBe('auto');
});

describe('the record on a profile', () => {
  const openRecord = async (change: Partial<CallerStatistics> = {}, caller: Partial<CallerProfile> = {}) => {
    open(caller, { [STATISTICS]: { ...adaStatistics, ...change } });
    const fold = await openMoreFigures();
    await screen.findByRole('region', { name: 'Record figures' });
    return fold.textContent;
  };
  const figures = (region = 'Record figures') =>
    textsOf(screen.getByRole('region', { name: region }).children);

  it('“More figures” loads when it is opened and shows every figure with its sample size', async () => {
    const { calls } = open();
    await name();
    const isLoaded = () => calls.some(({ route }) => route === STATISTICS);
    expect(isLoaded()).toBe(false);
    const fold = await openMoreFigures();
    await screen.findByRole('region', { name: 'Record figures' });
    expect(isLoaded()).toBe(true);
    expect(figures()).toEqual([
      'Median Return+40.0%of 4 ranked calls',
      'Ended at 2x or More25.0%of 4 ranked calls',
      'Best+900.0%of 4 ranked calls',
      'Worst-50.0%of 4 ranked calls',
      'Profit Factor19.60gains ÷ losses, of 4 ranked calls',
      'Average Peak4.25xof 3 calls with a known peak',
      'Plain Average+232.5%Avg Return without its limit of +200%',
    ]);
    expect(hrefOf('How we count', fold)).toBe('/how-we-count');
    expect(fold.textContent).toContain("No verified wallet, so we can't show what this caller holds.");
    expect(fold.textContent).toContain(
      'Follower Return: 7 of the newest 47 ranked calls have no result, because we have no price from a minute later.',
    );
    // The viewer has no access.
    expect(fold.textContent).not.toMatch(/open calls/i);
  });

  it('“More figures” says that loading failed, and loads again on Try again', async () => {
    let isDown = true;
    const response = () => (isDown ? refuse(503, 'database.unavailable', 'Try again.') : adaStatistics);
    open({}, { [STATISTICS]: response });
    const fold = await openMoreFigures();
    await within(fold).findByText('Failed to load the figures');
    isDown = false;
    fireEvent.click(within(fold).getByRole('button', { name: 'Try again' }));
    await screen.findByRole('region', { name: 'Record figures' });
  });

  it('the record shows the share of calls that the caller bought, and the median time of the first sale', async () => {
    const text = await openRecord({ holdings: { read: 12, bought: 9, sold: 2, medianFirstSaleMs: 250_000 } });
    expect(figures('Skin in the game')).toEqual([
      'Bought75.0%of 12 calls, from an hour before to the end',
      'First Sale4mmedian after calling, of 2 calls with a sale',
    ]);
    expect(text).toContain('for the newest 100 ended calls, from $20 up');
    expect(text).not.toContain('No verified wallet');
  });

  it('the profile of a caller of micro-caps shows their record, also without a ranked call', async () => {
    const microCaps = {
      calls: 12,
      callsWithoutResult: 1,
      waitingGains: 2,
      wonShare: 41.7,
      averageResult: -8.2,
      worstResult: -99,
    };
    const openCalls = { count: 0, microCapCount: 3, pricedCount: 0, averageReturn: null };
    open({ rankedCalls: 0 }, { [STATISTICS]: { ...adaStatistics, microCaps, openCalls } });
    await screen.findByRole('region', { name: 'Micro-caps (not ranked)' });
    expect(figures('Micro-caps (not ranked)')).toEqual([
      'Micro-caps (not ranked)12 calls3 open, 1 without a price a minute later, 2 gains counted once earlier calls have ended',
      'Won41.7%with $100 per call, a minute later',
      'Average-8.2%',
      'Worst-99.0%',
    ]);
  });

  it('the profile of a new caller has no Follower Return and shows the progress towards Proven', async () => {
    const proven = { proven: null, provenResults: 12 };
    open({ followerReturn: null, followerCalls: 0, callsWithoutResult: 0, ...proven });
    await name();
    expect(statistics().textContent).toMatch(/^Follower Return–no call to copy yet/);
    screen.getByText('Too early: 12 of 20 results.');
  });

  const openCalls = { count: 3, microCapCount: 0, pricedCount: 2, averageReturn: -12.34 };
  it.each<[Partial<CallerStatistics>, string, RegExp]>([
    [
      { unrankedCalls: 1 },
      "1 unranked call is listed but not counted here. Each call's page says why.",
      /counts? as 0%|open calls/i,
    ],
    [
      { unrankedCalls: 0, uncountedGains: 2 },
      '2 gains count as 0%: the call was open for less than 10 minutes',
      /unranked/,
    ],
    [
      { openCalls },
      'Open calls: -12.3% average across 2 of 3 ranked calls, at the last known prices.',
      /no price is known/,
    ],
    [
      { openCalls: { count: 1, microCapCount: 0, pricedCount: 0, averageReturn: null } },
      'Open calls: no price is known yet for 1 ranked call.',
      /average across/,
    ],
  ])(
    'the record shows a viewer with access only the note that fits the statistics %j',
    async (change, words, others) => {
      const text = await openRecord(change, withAccess);
      expect(text).toContain(words);
      expect(text).not.toMatch(others);
    },
  );

  it('the record hides the return of open calls from viewers without access', async () => {
    expect(await openRecord({ openCalls })).not.toMatch(/open calls/i);
  });

  it('the figures and the chart of “More figures” can be limited to 30 or 90 days', async () => {
    vi.setSystemTime('2026-09-01T10:00:00.000Z');
    const endingAt = (endTimestamp: string) => ({ ...endedCall, id: endTimestamp, endTimestamp });
    open({}, { [HISTORY]: [endingAt('2026-07-19T10:00:00.000Z'), endingAt('2026-06-01T10:00:00.000Z')] });
    const fold = await openMoreFigures();
    await screen.findByRole('img', { name: /^2 ended calls/ });
    fireEvent.click(screen.getByRole('radio', { name: '90 d' }));
    expect(figures()).toEqual(
      expect.arrayContaining([
        'Profit FactorNo lossesgains ÷ losses, of 1 ranked call',
        'Average Peak–no known peaks yet',
      ]),
    );
    expect(screen.getByRole('img', { name: /^1 ended call:/ })).toBeTruthy();
    screen.getByText('The last ended call: 1 win, 0 losses or flat. +50.0%.');
    fireEvent.click(screen.getByRole('radio', { name: '30 d' }));
    expect(fold.textContent).toContain('No ranked call has ended in the last 30 days.');
    expect(screen.queryByRole('img', { name: /ended call/ })).toBeNull();
    fireEvent.click(screen.getByRole('radio', { name: 'All' }));
    expect(figures()[0]).toBe('Median Return+40.0%of 4 ranked calls');
  });

  const none = adaStatistics.windows['30d'];
  it.each([0, 2])(
    '“More figures” with %s unranked and no ranked calls says that no ranked call has ended',
    async (unrankedCalls) => {
      const windows = { '30d': none, '90d': none, all: none };
      open({}, { [STATISTICS]: { ...adaStatistics, windows, unrankedCalls }, [HISTORY]: [] });
      const fold = await openMoreFigures();
      await screen.findByText('No ranked call has ended yet.');
      expect(/2 unranked calls are listed but not counted/.test(fold.textContent)).toBe(unrankedCalls === 2);
    },
  );
});

describe('a row in a list of calls', () => {
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
  /** Renders a call with entry price 2 as active and as ended, with these current or end prices. */
  async function rows({ current = '2', endPrice = '2' } = {}) {
    const lastPrice = { price: current, at: '', source: 'x' };
    const call = {
      ...activeCall,
      logoURI: 'https://img.example/wif.png',
      entryMarketCapUsd: 2_000_000_000,
      callTimestamp: minutesAgo(5),
      lastPrice,
    };
    const ended = { ...call, endPrice, endTimestamp: minutesAgo(1), isActive: false, lastPrice: undefined };
    const prices = { [call.tokenMint]: lastPrice };
    open(withAccess, { [ACTIVE]: [call], [HISTORY]: [ended, endedCall], 'GET /api/prices': prices });
    const [[active], [history, unknown]] = [await findRows('Active Calls'), await findRows('Call History')];
    await waitFor(() => expect(active?.textContent).toContain('%'));
    await waitFor(() => expect(history?.textContent).not.toContain('–'));
    return { active: active as HTMLElement, history: history as HTMLElement, unknown };
  }

  // Specification 2.120, 2.126-2.131, 2.133, 9.34
  it('a row of an active call has token, time, both prices with the change, market caps and Buy', async () => {
    const { active } = await rows({ current: '3' });
    const columns = 'Token, Call Price, Current Price, Actions';
    expect(columnsOf(await findTable('Active Calls'))).toBe(columns);
    expect(active.querySelector('img')?.getAttribute('src')).toBe('https://img.example/wif.png');
    for (const text of ['dogwifhat', 'WIF']) within(active).getByText(text);
    expect(within(active).getByRole('rowheader').textContent).toContain('Called 5m ago');
    expect(cellsOf(active)).toEqual(['2.00000000MC $2.0B', '3.00000000+50.0%MC $3.0B', 'Buy']);
    expectNewTab('Buy WIF', `https://jup.ag/swap/SOL-${activeCall.tokenMint}`, active);
  });

  // Specification 2.121, 2.140-2.144, 6.5, 9.34
  it('a row in the call history has the end price with its change, and market caps only if known', async () => {
    const { history, unknown } = await rows({ current: '1', endPrice: '2.5' });
    const columns = 'Token, Call Price, End Price, Current Price, Actions';
    expect(columnsOf(await findTable('Call History'))).toBe(columns);
    expect(history.querySelector('img')?.getAttribute('src')).toBe('https://img.example/wif.png');
    expect(cellsOf(history)).toEqual([
      '2.00000000MC $2.0B',
      '2.50000000+25.0%MC $2.5B',
      '1.00000000-50.0%',
      'Buy',
    ]);
    expect(within(history).getByRole('rowheader').textContent).toContain('Called 5m ago');
    expect(unknown?.textContent).not.toContain('MC');
  });

  // Specification 2.131, 2.132
  it.each([
    ['2.02', '+1.0%', 'text-gain'],
    ['2', '0.0%', 'text-gain'],
    ['1.98', '-1.0%', 'text-loss'],
  ])('a call row with current price %s and entry price 2 shows %s in %s', async (current, words, colour) => {
    const { active } = await rows({ current });
    expect(within(active).getByText(words).className).toContain(colour);
  });

  it.each([true, false])(
    'a call row links the token only if the viewer follows the caller (follows: %s)',
    async (isSubscribed) => {
      open(withViewer({ isSubscribed, canSeeActiveCalls: true }), { ...signedIn, [ACTIVE]: [activeCall] });
      const [row] = await findRows('Active Calls');
      expect(row?.querySelector(`a[href="/token/${activeCall.tokenMint}"]`) !== null).toBe(isSubscribed);
    },
  );
});

// Specification 2.135-2.137, 6.6
it('a profile hides the active calls from an anonymous visitor, without a request for them', async () => {
  const { calls } = open();
  await screen.findByText('Subscribe to View Active Calls');
  screen.getByText('Get access to real-time call tracking and performance data');
  screen.getByText('2 now');
  expect(calls.some(({ route }) => route === ACTIVE)).toBe(false);
});

// Specification 2.138, 5.29, 6.8
it.each(['Subscribe', 'Subscribe for 0.5 SOL'])(
  'an anonymous visitor of a profile is asked to sign in when %s is clicked',
  async (label) => {
    open();
    await findAndClick(label);
    await expectToast('Please Sign In', 'You need to sign in to subscribe to callers.');
  },
);

describe('a profile for different viewers', () => {
  // Specification 2.104, 2.147, 4.9
  it('a profile shows Subscribing... during a free subscription and then Subscribed', async () => {
    let isSubscribed = false;
    const followed = Promise.withResolvers<unknown>();
    const profile = () => ({
      ...adaProfile,
      monthlyFee: null,
      ...withViewer({ isSubscribed, canSeeActiveCalls: true }),
    });
    open({}, { ...signedIn, [PROFILE]: profile, 'POST /api/subscriptions/free': () => followed.promise });
    await screen.findByRole('button', { name: 'Your account' });
    const header = screen.getByText('Monthly Fee').closest('header') as HTMLElement;
    click('Free Access');
    const button = await screen.findByRole('button', { name: 'Follow for free' }, { timeout: 5_000 });
    expect(header.textContent).not.toContain('Subscribing...');
    fireEvent.click(button);
    await waitFor(() => expect(header.textContent).toContain('Subscribing...'));
    expect(header.textContent).not.toContain('Subscribed');
    isSubscribed = true;
    const free = { endDate: null, payment: null };
    followed.resolve({ id: 's1', callerId: 'caller-1', isCurrentlyActive: true, ...free });
    await waitFor(() => expect(header.textContent).toContain('Subscribed'));
    expect(header.textContent).not.toContain('Free Access');
  });

  it('a profile shows a payment in progress after a reload, and opens the payment on click', async () => {
    pendingPaymentsOf(signedInUser.id).save({ ...signedPayment, openedAt: Date.now() });
    open({}, { ...signedIn, 'GET /api/subscriptions/my': [] });
    // One button is at the top, and one is on the card that hides the active calls.
    const buttons = await screen.findAllByRole('button', { name: 'Payment in progress' });
    expect(buttons).toHaveLength(2);
    expect(screen.queryByRole('button', { name: /^Subscribe/ })).toBeNull();
    fireEvent.click(buttons[0] as HTMLElement);
    await screen.findByRole('heading', { name: "Your payment isn't finished" }, { timeout: 5_000 });
  });

  // Specification 5.30
  it('a profile says why a Paid caller without a payout wallet takes no subscriptions', async () => {
    open(closed, signedIn);
    await name();
    expect([buttonOf('Subscribe').disabled, buttonOf(/^Subscribe for/).disabled]).toEqual([true, true]);
    expect(screen.getAllByText("This caller hasn't connected a payout wallet yet.")).toHaveLength(1);
    screen.getByText('2 now');
  });

  it('a profile without active calls tells viewers without access that there are none', async () => {
    open({ activeCallCount: 0 }, signedIn);
    await screen.findByText('No active calls right now. Subscribers see the next one here.');
    expect(screen.queryByText(/Subscribe to View|0 now/)).toBeNull();
  });

  it.each([
    ['a visitor', {}],
    ['a signed-in user', signedIn],
  ])('a deleted caller’s profile doesn’t invite %s to follow', async (_, routes) => {
    const deleted = { twitterHandle: deletedHandle('caller-1'), firstName: 'Deleted caller', lastName: '' };
    open({ ...deleted, ...closed, monthlyFee: null, isSuspended: true, activeCallCount: 0 }, routes);
    await screen.findByText('No more calls');
    const main = within(screen.getByRole('main'));
    expect(main.queryByText(/Subscribe to View|Subscribers see/)).toBeNull();
    expect(main.queryByRole('link', { name: 'Sign in with Twitter' })).toBeNull();
  });

  it('a profile still shows its prices while the prices of a longer history load', async () => {
    let requests = 0;
    const history = [endedCall];
    const prices = { [endedCall.tokenMint]: { price: '0.00001', at: '', source: 'x' } };
    const { queryClient } = openWith({
      [HISTORY]: () => [...history],
      'GET /api/prices': () => (requests++ === 0 ? prices : never()),
    });
    const rows = () => findRows('Call History');
    await waitFor(async () => expect((await rows())[0]?.textContent).toContain('0.00001'));
    history.push({ ...endedCall, id: 'another', tokenMint: activeCall.tokenMint });
    await queryClient.invalidateQueries({ queryKey: ['token-calls'] });
    await waitFor(async () => expect(await rows()).toHaveLength(2));
    expect((await rows())[0]?.textContent).toContain('0.00001');
  });

  it('a profile never requests the price of an active call from the public route', async () => {
    const lastPrice = { price: '3', at: new Date().toISOString(), source: 'jupiter' };
    const lists = { [ACTIVE]: [{ ...activeCall, lastPrice }], [HISTORY]: [activeCall, endedCall] };
    const { calls } = open(withAccess, lists);
    expect((await findTable('Active Calls')).textContent).toContain('3.00000000+50.0%');
    await waitFor(() =>
      expect(calls.filter(({ route }) => route === 'GET /api/prices').map(({ search }) => search)).toEqual([
        `?mints=${endedCall.tokenMint}`,
      ]),
    );
  });

  // Specification 2.134, 2.142
  it('a profile refetches history and figures after a call has ended', async () => {
    let hasEnded = false;
    const endTimestamp = '2026-11-20T10:00:00.000Z';
    const ended = { ...activeCall, isActive: false, endPrice: '3', endTimestamp, changePercent: 50 };
    const before = { ...adaProfile, ...subscribed, rankedCalls: 48, activeCallCount: 1 };
    const { queryClient } = openWith({
      ...signedIn,
      [PROFILE]: () => (hasEnded ? { ...before, rankedCalls: 49, activeCallCount: 0 } : before),
      [ACTIVE]: () => (hasEnded ? [] : [activeCall]),
      [HISTORY]: () => [hasEnded ? ended : activeCall],
    });
    const history = await findTable('Call History');
    await findTable('Active Calls');
    expect(within(history).getByText('Active')).toBeTruthy();
    hasEnded = true;
    // Refetches, as the poll would do after ten seconds.
    await act(() => queryClient.refetchQueries({ queryKey: activeCallsQuery('caller-1').queryKey }));
    await screen.findByText('No active calls at the moment');
    await waitFor(() => expect(within(history).queryByText('Active')).toBeNull());
    expect(history.textContent).toContain('3.00000000+50.0%');
    await waitFor(() => expect(statistics().textContent).toContain('of 49 ranked calls'));
    expect(statistics().textContent).toContain('0 active');
    expect(sectionOf('Active Calls').textContent).toMatch(/^Active Calls0/);
  });

  it('an open profile shows new ended calls to a viewer without access', async () => {
    let ended = [endedCall];
    const { queryClient } = openWith({
      ...signedIn,
      [PROFILE]: () => ({ ...adaProfile, endedCalls: ended.length, rankedCalls: ended.length }),
      [HISTORY]: () => ended,
    });
    expect(await findRows('Call History')).toHaveLength(1);
    ended = [endedCall, { ...endedCall, id: 'another' }];
    // Refetches, as the poll would do after thirty seconds.
    await act(() => queryClient.refetchQueries({ queryKey: callerQuery('ada').queryKey }));
    await waitFor(async () => expect(await findRows('Call History')).toHaveLength(2));
    expect(statistics().textContent).toContain('of 2 ranked calls');
  });

  it('the call history is sorted by the times in its first column', async () => {
    const at = (id: string, callTimestamp: string, endTimestamp: string) => ({
      ...endedCall,
      id,
      tokenSymbol: id,
      callTimestamp,
      endTimestamp,
    });
    const long = at('LONG', '2026-09-01T10:00:00.000Z', '2026-09-20T10:00:00.000Z');
    const short = at('SHORT', '2026-09-10T10:00:00.000Z', '2026-09-11T10:00:00.000Z');
    open({}, { [HISTORY]: [long, short] });
    const rows = await findRows('Call History');
    expect(rows.map(({ textContent }) => /LONG|SHORT/.exec(textContent)?.[0])).toEqual(['SHORT', 'LONG']);
  });

  it('a profile hides active calls from the history when the viewer loses access', async () => {
    let canSeeActiveCalls = true;
    const { queryClient } = openWith({
      ...signedIn,
      [PROFILE]: () => ({ ...adaProfile, ...withViewer({ canSeeActiveCalls }) }),
      [ACTIVE]: () =>
        canSeeActiveCalls ? [activeCall] : refuse(403, 'calls.not_entitled', 'Subscribe first.'),
      [HISTORY]: [activeCall, endedCall],
    });
    await findTable('Active Calls');
    expect((await findTable('Call History')).textContent).toContain(activeCall.tokenSymbol);
    canSeeActiveCalls = false;
    // Refetches, as the poll would do after ten seconds.
    await act(() => queryClient.refetchQueries({ queryKey: activeCallsQuery('caller-1').queryKey }));
    await screen.findByText('Subscribe to View Active Calls');
    expect((await findTable('Call History')).textContent).toContain(endedCall.tokenSymbol);
    expect(pageText()).not.toContain(activeCall.tokenSymbol);
  });

  it.each([
    [true, '1 active'],
    [false, '2 active'],
  ])(
    'a profile whose list of active calls the viewer may see (%s) shows the count “%s”',
    async (canSeeActiveCalls, count) => {
      open(withViewer({ canSeeActiveCalls }), { ...signedIn, [ACTIVE]: [activeCall] });
      await name();
      expect(sectionTitles()).toBe(
        canSeeActiveCalls
          ? 'About, Active Calls, What would I have made?, Call History'
          : 'About, What would I have made?, Subscribe to View Active Calls, Call History',
      );
      await waitFor(() => expect(statistics().textContent).toContain(count));
    },
  );

  // Specification 2.101, 2.122
  it('a profile shows a subscriber the active calls and the end of access, but no Edit bio button', async () => {
    const accessEndsAt = '2099-12-03T00:00:00.000Z';
    const lastPrice = { price: '2', at: '', source: 'x' };
    open(withViewer({ isSubscribed: true, canSeeActiveCalls: true, accessEndsAt }), {
      ...signedIn,
      [ACTIVE]: [{ ...activeCall, lastPrice }],
    });
    const table = await findTable('Active Calls');
    await waitFor(() => expect(table.textContent).toContain('2.000000000.0%'));
    screen.getByText('Subscribed');
    screen.getByText(/^until Dec [23], 2099$/);
    expect(screen.queryByRole('button', { name: 'Edit bio' })).toBeNull();
    expect(screen.queryByText('Subscribe to View Active Calls')).toBeNull();
  });

  describe('with a paid subscription', () => {
    const now = Date.parse('2026-11-21T09:00:00.000Z');
    beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now }));

    const openEnding = async (distance: number, caller: Partial<CallerProfile> = {}) => {
      const accessEndsAt = new Date(now + distance).toISOString();
      const viewer = withViewer({ isSubscribed: true, canSeeActiveCalls: true, accessEndsAt });
      open({ ...viewer, ...caller }, signedIn);
      await name();
      return (await screen.findByText('Subscribed')).closest('[data-personal]')?.textContent ?? '';
    };

    it.each([
      ['in 20 days', 20 * DAY_MS, /Subscribeduntil Dec 11, 2026Renew$/],
      ['tomorrow', DAY_MS, /SubscribedEnds tomorrowuntil Nov 22, 2026, .*[AP]MRenew$/],
    ])(
      'a profile shows the end and a Renew button when paid access ends %s',
      async (_when, distance, text) => {
        expect(await openEnding(distance)).toMatch(text);
        click('Renew');
        await within(await findDialog()).findByText(
          /^You have access until .*\. The new period starts after that\. The fee is 0\.5 SOL for 30 days/,
        );
      },
    );

    it.each([
      [7, 4, /Subscribeduntil Nov 25, 2026Renew$/],
      [7, 3, /Ends in 3 days/],
      [30, 4, /Ends in 4 days/],
    ] as const)(
      'after %s days were bought, a profile shows the end of access %s days before',
      async (boughtDays, left, text) => {
        const accessEndsAt = new Date(now + left * DAY_MS).toISOString();
        const viewer = withViewer({ isSubscribed: true, canSeeActiveCalls: true, accessEndsAt, boughtDays });
        expect(await openEnding(left * DAY_MS, viewer)).toMatch(text);
      },
    );

    it.each([
      ['while the caller cannot be paid', closed, /Ends tomorrow/],
      ['for a caller who became Free', { monthlyFee: null }, /Subscribed$/],
    ])('a profile shows no Renew button %s', async (_what, caller, text) => {
      expect(await openEnding(DAY_MS, caller)).toMatch(text);
      expect(screen.queryByRole('button', { name: 'Renew' })).toBeNull();
    });
  });
});

describe('a profile seen by its owner', () => {
  const ownProfile = { bio: null, ...withViewer({ isOwner: true, canSeeActiveCalls: true }) };

  const findBox = () =>
    screen.findByPlaceholderText<HTMLTextAreaElement>('Write a brief bio about yourself...');
  const type = async (text: string) => fireEvent.change(await findBox(), { target: { value: text } });
  const startEditing = () => findAndClick('Edit bio');
  async function edit(text: string) {
    await startEditing();
    await type(text);
    return within(screen.getByRole('dialog', { name: 'Edit Bio' }));
  }
  const expectClosed = () =>
    waitFor(() => expect(screen.queryByRole('dialog', { name: 'Edit Bio' })).toBeNull());

  // Specification 2.100, 2.105, 2.106, 2.113, 2.123, 6.24, 6.25
  it('a profile shows its owner the badge Your Profile, the Edit bio button and the active calls', async () => {
    open({ ...ownProfile, monthlyFee: '0.5' }, { ...signedIn, [ACTIVE]: [activeCall] });
    await screen.findByText('Your Profile');
    buttonOf('Edit bio');
    screen.getByText('Add a bio to tell others about yourself.');
    expect((await findSection('Active Calls')).textContent).toContain('dogwifhat');
    expect(screen.queryByText('Subscribe to View Active Calls')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Subscribe' })).toBeNull();
  });

  // Specification 8.34
  it('the bio dialog preserves the typed bio when saving fails', async () => {
    open(ownProfile, { ...signedIn, 'PATCH /api/user/profile': new Response('', { status: 500 }) });
    await edit('Text');
    click('Save');
    await expectToast('Error', 'Failed to update bio - Please try again later.');
    expect((await findBox()).value).toBe('Text');
  });

  // Specification 2.108, 5.31, 5.32, 9.13
  it('the bio dialog counts the characters and disables Save over the limit', async () => {
    open(ownProfile, signedIn);
    const dialog = await edit('🙂'.repeat(500));
    dialog.getByText('500/500 characters');
    expect(buttonOf('Save').disabled).toBe(false);
    await type('🙂'.repeat(501));
    dialog.getByText('501/500 characters');
    expect(buttonOf('Save').disabled).toBe(true);
  });

  // Specification 2.110
  it('the bio dialog stays open after a save if it was reopened during the save', async () => {
    const saved = Promise.withResolvers<unknown>();
    open(ownProfile, { ...signedIn, 'PATCH /api/user/profile': () => saved.promise });
    const dialog = await edit('First');
    click('Save');
    expect((await dialog.findByText('Saving...')).closest('button')?.getAttribute('aria-busy')).toBe('true');
    click('Close');
    await expectClosed();
    await startEditing();
    await type('First and more');
    saved.resolve({});
    await expectToast('Bio updated successfully');
    expect((await findBox()).value).toBe('First and more');
  });

  it('the bio dialog restores an unsaved bio that was typed while the account was loading', async () => {
    const user = Promise.withResolvers<unknown>();
    open(ownProfile, { ...signedIn, 'GET /api/auth/user': () => user.promise });
    await startEditing();
    user.resolve(signedInUser);
    await type('Draft');
    await screen.findByRole('button', { name: 'Your account', hidden: true });
    fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' });
    await expectClosed();
    await startEditing();
    expect((await findBox()).value).toBe('Draft');
    cleanup();
    open(ownProfile, signedIn);
    await startEditing();
    expect((await findBox()).value).toBe('Draft');
    screen.getByText("This text isn't saved yet. Cancel brings the saved bio back.");
  });
});
