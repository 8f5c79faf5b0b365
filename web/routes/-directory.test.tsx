import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { inPages, refuse, type FakeRoutes } from '#web/testing/fake-api.ts';
import {
  buttonOf,
  cellsOf,
  click,
  columnsOf,
  findAndClick,
  findRows,
  hrefOf,
  sectionTitles,
} from '#web/testing/find-in-page.ts';
import { openApp } from '#web/testing/render-app.tsx';
import { expectToast } from '#web/testing/render-screen.tsx';
import { adaListed, solPrice, signedInUser } from '#web/testing/samples.ts';

const CALLERS = 'GET /api/callers';
const few = { ...adaListed, id: 'caller-9', firstName: 'Few', followerReturn: 90, followerCalls: 4 };

/** Opens the directory with these callers, or with this response. */
function open(callers: unknown = [adaListed], path = '/', routes: FakeRoutes = {}) {
  const { calls, router } = openApp(path, { [CALLERS]: callers, ...routes });
  return {
    router,
    search: () => router.state.location.search,
    requested: () => calls.filter(({ route }) => route === CALLERS).map((call) => call.search),
  };
}

const findCaller = (name = 'Ada Byron') => screen.findByRole('link', { name });
/** The card or the table row of a caller. */
const entryOf = async (name: string) =>
  (await findCaller(name)).closest<HTMLElement>('[role=listitem], tr') as HTMLElement;
const sortBy = (value: string) => fireEvent.change(screen.getByLabelText('Sort by'), { target: { value } });

// Specification 2.1, 2.2, 2.54, 9.40
it('the directory shows six skeletons while it loads', async () => {
  open(() => new Promise(() => undefined));
  await screen.findByRole('heading', { level: 1, name: 'Find SolCallers' });
  expect(screen.getAllByTestId('caller-skeleton')).toHaveLength(6);
  expect(document.title).toBe('Find SolCallers');
});

// Specification 2.46, 2.55
it('the directory says that no caller matches, and has a button that clears the filters', async () => {
  const { search } = open([], '/?search=nobody&paid=true');
  await screen.findByText('No Callers Found');
  fireEvent.click(screen.getAllByRole('button', { name: 'Clear filters' })[0] as Element);
  await waitFor(() => expect(search()).toEqual({}));
  expect(document.activeElement).toBe(screen.getByRole('searchbox', { name: 'Search' }));
});

// Specification 2.56, 8.46, 9.45
it('the directory shows an error after three retries', async () => {
  const { requested } = open(() => refuse(500, 'server.failed', 'The server failed.'));
  await screen.findByText('Failed to load callers');
  expect(requested()).toHaveLength(4);
});

// Specification 2.7, 6.1, 9.39
it('the directory shows a caller’s monthly fee, last calls and verified badge', async () => {
  open();
  const card = within(await entryOf('Ada Byron'));
  expect(card.getByRole('link').getAttribute('href')).toBe('/caller/caller-1');
  card.getByText('0.5 SOL / month');
  card.getByRole('img', { name: 'Last 2 ended calls: +50.0%, -50.0%' });
  card.getByRole('img', { name: 'Verified' });
  expect(screen.queryByText('Not proven yet')).toBeNull();
});

it.each(['/', '/?view=table'])('the directory at %s shows what a fee is worth in dollars', async (path) => {
  const callers = [adaListed, { ...adaListed, id: 'caller-2', monthlyFee: null }];
  open(callers, path, { 'GET /api/prices/sol': solPrice('150') });
  expect((await screen.findByText(/≈ \$75\.00/)).parentElement?.textContent).toContain('0.5 SOL');
  expect(screen.getAllByText(/≈/)).toHaveLength(1);
});

it('the slash key focuses the directory’s search, but not in text fields or with Ctrl', async () => {
  open();
  const box = await screen.findByRole('searchbox', { name: 'Search' });
  // The key listener may be added after the search box is shown.
  await waitFor(() => {
    fireEvent.keyDown(document.body, { key: '/' });
    expect(document.activeElement).toBe(box);
  });
  const maxFee = screen.getByLabelText('Max fee');
  maxFee.focus();
  fireEvent.keyDown(maxFee, { key: '/' });
  expect(document.activeElement).toBe(maxFee);
  maxFee.blur();
  fireEvent.keyDown(document.body, { key: '/', ctrlKey: true });
  expect(document.activeElement).not.toBe(box);
});

// Specification 2.40, 2.41, 2.43-2.45
it('the directory’s controls change the URL and the API request, and Clear filters resets them', async () => {
  const { search, requested } = open([adaListed], '/?maxFee=0.5');
  await findCaller();
  fireEvent.click(screen.getByRole('switch', { name: 'Paid only' }));
  fireEvent.click(screen.getByRole('switch', { name: 'Verified only' }));
  await waitFor(() => expect(search()).toEqual({ maxFee: '0.5', paid: 'true', verified: 'true' }));
  sortBy('winRate');
  await waitFor(() => expect(search()).toMatchObject({ sort: 'winRate' }));
  fireEvent.change(screen.getByLabelText('Search'), { target: { value: 'ada' } });
  // A search has one order.
  await waitFor(() => expect(requested().at(-1)).toBe('?maxFee=0.5&paid=true&search=ada&verified=true'));
  expect(search()).not.toHaveProperty('sort');
  const sort = screen.getByLabelText<HTMLSelectElement>('Sort by');
  expect([sort.disabled, sort.value]).toEqual([true, 'avgReturn']);
  expect(screen.getByText(/The order of every search/)).toBeTruthy();
  fireEvent.click(screen.getByRole('radio', { name: 'Table' }));
  await screen.findByRole('table', { name: 'Callers' });
  fireEvent.click(screen.getByRole('radio', { name: 'Cards' }));
  await waitFor(() => expect(screen.queryByRole('table')).toBeNull());
  click('Clear filters');
  await waitFor(() => expect(search()).toEqual({}));
  // The button is disabled instead of hidden.
  expect(buttonOf('Clear filters').disabled).toBe(true);
});

it('an address pasted into the directory’s search becomes what it names', async () => {
  const { search } = open([adaListed]);
  const box = await screen.findByRole<HTMLInputElement>('searchbox', { name: 'Search' });
  fireEvent.change(box, { target: { value: `https://x.com/ada?s=21&t=${'x'.repeat(80)}` } });
  await waitFor(() => expect(box.value).toBe('@ada'));
  await waitFor(() => expect(search()).toEqual({ search: '@ada' }));
});

it('the directory corrects URL parameters and removes invalid ones before it sends a request', async () => {
  const { router, requested } = open([adaListed], '/?maxFee=02.0&search=%20ada%20&sort=bogus&foo=1&limit=02');
  await findCaller();
  await waitFor(() => expect(router.state.location.searchStr).toBe('?search=ada&maxFee=2'));
  expect(new Set(requested())).toEqual(new Set(['?maxFee=2&search=ada']));
});

// Specification 2.47-2.52
it('the directory offers nine sort options, with average return as the default', async () => {
  open();
  const select = await screen.findByLabelText<HTMLSelectElement>('Sort by');
  expect(select.value).toBe('avgReturn');
  const values = [...select.options].map(({ value }) => value);
  expect(values.toSorted().join(' ')).toBe(
    'afterFee avgReturn fee followerReturn lastCall proven subscribers totalCalls winRate',
  );
  expect(hrefOf('How we count', screen.getByText(/Every call from entry to end/))).toBe(
    '/how-we-count#ranked',
  );
});

it.each([
  ['afterFee', /: The gain beyond holding SOL with \$1,000 per call, minus the fee/, 'after-fee'],
  ['proven', /: How much more SOL a follower made per call than by holding SOL/, 'proven'],
  ['followerReturn', /: The mean result of followers who bought and sold a minute later/, 'follower-return'],
])('the directory explains the order by %s and links to How We Count', async (sort, text, hash) => {
  const { search, requested } = open();
  await findCaller();
  expect(screen.queryByText(text)).toBeNull();
  sortBy(sort);
  await waitFor(() => expect(search()).toEqual({ sort }));
  expect(hrefOf('How we count', await screen.findByText(text))).toBe(`/how-we-count#${hash}`);
  await waitFor(() => expect(requested()).toContain(`?sort=${sort}`));
});

it.each([
  ['', '50 calls, 47 ranked, 1,204 subscribers, last ended '],
  ['?sort=lastCall', '1,204 subscribers, last ranked '],
  ['?sort=followerReturn', 'Follower Return +21.7%, 50 calls'],
  ['?sort=afterFee', '+2.1% a month in this order, 50 calls'],
])('a caller card at /%s shows the figure that the order compares', async (path, facts) => {
  open([adaListed], `/${path}`);
  expect((await entryOf('Ada Byron')).textContent).toContain(facts);
});

it('the amount per call changes “After the fee” of all callers, and is remembered', async () => {
  open([adaListed, { ...few, afterFee: { ...adaListed.afterFee, feeUsd: 0 } }]);
  await findCaller();
  expect((await entryOf('Ada Byron')).textContent).toContain('+$43 a month after the feewith $100 per call.');
  fireEvent.click(screen.getByRole('radio', { name: '$1k' }));
  const [ada, free] = [await entryOf('Ada Byron'), await entryOf('Few Byron')];
  expect(ada.textContent).toMatch(/ a month after the feewith \$1,000 per call\. Holding SOL: -\$190\. /);
  expect(free.textContent).not.toContain('Pays for itself');
  cleanup();
  open([adaListed]);
  expect((await entryOf('Ada Byron')).textContent).toContain('with $1,000 per call.');
});

it('ticked callers are compared, and no more than five can be ticked', async () => {
  open(
    [1, 2, 3, 4, 5, 6].map((n) => ({
      ...adaListed,
      id: `caller-${n}`,
      twitterHandle: `ada${n}`,
      firstName: `Ada${n}`,
    })),
  );
  await findCaller('Ada1 Byron');
  const tick = (n: number) =>
    screen.getByRole<HTMLInputElement>('checkbox', { name: `Compare Ada${n} Byron` });
  for (const n of [1, 2, 3, 4, 5]) fireEvent.click(tick(n));
  expect(tick(6).disabled).toBe(true);
  fireEvent.click(tick(2));
  expect(hrefOf('Compare', screen.getByRole('region', { name: 'Comparison' }))).toBe(
    '/compare?callers=ada1+ada3+ada4+ada5',
  );
  click('Clear');
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Comparison' })).toBeNull());
  expect(tick(1).checked).toBe(false);
});

it('the micro-caps filter has its own order, and another order ends it', async () => {
  const { search, requested } = open();
  await findCaller();
  fireEvent.click(screen.getByRole('switch', { name: 'Micro-caps' }));
  await waitFor(() => expect(search()).toEqual({ microCaps: 'true' }));
  await waitFor(() => expect(requested()).toContain('?microCaps=true'));
  await screen.findByText(/record on tokens too small for the rankings/);
  sortBy('fee');
  await waitFor(() => expect(search()).toEqual({ sort: 'fee' }));
});

it('a caller card has three figures, and each group of callers an explanation of Proven', async () => {
  const unranked = { winRate: null, avgReturn: null, endedCalls: 0, rankedCalls: 0 };
  const unproven = { proven: null, isLeading: false, provenTokens: 4 };
  open([adaListed, { ...adaListed, id: 'caller-2', firstName: 'New', ...unranked, ...unproven }]);
  const figuresOf = async (name: string) => (await entryOf(name)).querySelector('dl')?.textContent;
  expect(await figuresOf('Ada Byron')).toBe('Avg Return+34.2%Win Rate62.5%Proven+8.4%');
  expect(await figuresOf('New Byron')).toBe('Avg Return–Win Rate–Proven4 of 10 tokens');
  expect(sectionTitles()).toBe('Proven, Ada Byron, Not proven yet, New Byron');
  const popover = screen.getByRole('note', { name: 'Proven' });
  for (const button of screen.getAllByRole('button', { name: 'What Proven means' })) {
    expect(button.getAttribute('popovertarget')).toBe(popover.id);
  }
  expect(popover.textContent).toContain('the average is at least this, with 95% confidence');
  expect(within(popover).getByRole('link').getAttribute('href')).toBe('/how-we-count#proven');
});

it.each([
  ['/', 'a heading'],
  ['/?sort=proven', 'a heading'],
  ['/?sort=fee', 'no heading'],
  ['/?view=table', 'a heading'],
  ['/?view=table&sort=followerReturn&order=asc', 'a heading'],
  ['/?view=table&sort=fee', 'no heading'],
])('the directory at %s has %s above callers who are not proven yet', async (path, heading) => {
  const isGrouped = heading === 'a heading';
  open([adaListed, { ...adaListed, id: 'caller-2', firstName: 'Few', isLeading: false }], path);
  const unknown = await entryOf('Few Byron');
  expect(screen.queryAllByText('Not proven yet')).toHaveLength(isGrouped ? 1 : 0);
  if (path.includes('table')) expect(unknown.textContent?.startsWith('–')).toBe(isGrouped);
});

// Specification 2.7, 2.45
it('the directory’s table has linked rows, a sticky column of callers and sortable columns', async () => {
  const { search } = open(
    [adaListed, { ...few, proven: null, provenResults: 0 }],
    '/?view=table&sort=totalCalls',
  );
  const table = await screen.findByRole('table', { name: 'Callers' });
  expect(columnsOf(table).replace(/ [↑↓]/, '')).toBe(
    'Caller, After the fee, Monthly Fee, Avg Return, Win Rate, Proven, Follower Return, Total Calls, ' +
      'Subscribers, Last Call, Last calls, Subscribe',
  );
  const header = (name: string | RegExp) => within(table).getByRole('columnheader', { name });
  expect(header('Caller').className).toContain('sticky');
  expect(header(/Total Calls/).getAttribute('aria-sort')).toBe('descending');
  const rows = await findRows('Callers');
  expect(rows.map((row) => cellsOf(row)[4])).toEqual(['+8.4%', '–0 of 20 results']);
  expect(within(table).getAllByRole('rowheader')).toHaveLength(2);
  const links = [...(rows[0]?.querySelectorAll('a') ?? [])].map((link) => link.getAttribute('href'));
  expect(links).toEqual(['/caller/caller-1', '/caller/caller-1']);
  // For screen readers, a row has one link.
  expect(within(table).getAllByRole('link')).toHaveLength(2);
  const explanation = screen.getByRole('note', { name: 'Proven' }).id;
  expect(screen.getByRole('button', { name: 'What Proven means' }).getAttribute('popovertarget')).toBe(
    explanation,
  );
  fireEvent.click(within(table).getByRole('button', { name: 'Proven' }));
  await waitFor(() => expect(search()).toEqual({ sort: 'proven', view: 'table' }));
});

it.each([
  ['a page with callers', '', [adaListed]],
  ['a page without matches, which may not be the last one', '?search=few', []],
])('the directory loads the next page after %s', async (_what, query, firstPage) => {
  open(inPages(firstPage, [few]), `/${query}`);
  const more = await screen.findByRole('button', { name: 'Show more callers' });
  expect(screen.queryByText('No Callers Found')).toBeNull();
  fireEvent.click(more);
  await findCaller('Few Byron');
  expect(screen.queryByRole('button', { name: 'Show more callers' })).toBeNull();
});

describe('the maximum fee', () => {
  beforeEach(() => void vi.useFakeTimers());

  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
  const maxFee = () => screen.getByLabelText<HTMLInputElement>('Max fee');
  const openList = async (path = '/') => {
    const opened = open([adaListed], path);
    await pass(1_000);
    return { ...opened, box: maxFee() };
  };
  /** Types into the focused element and waits after each key until the value is applied. */
  const type = async (keys: string) => {
    for (const key of keys) {
      const focused = document.activeElement as HTMLInputElement;
      fireEvent.input(focused, { target: { value: `${focused.value ?? ''}${key}` } });
      await pass(300);
    }
  };

  // Specification 2.42
  it('the maximum fee field stays focused while the user types unfinished numbers', async () => {
    const { search, box } = await openList();
    expect([box.type, box.inputMode]).toEqual(['text', 'decimal']);
    box.focus();
    await type('2');
    expect(search()).toEqual({ maxFee: '2' });
    await type('5.5');
    expect(search()).toEqual({ maxFee: '25.5' });
    expect(document.activeElement).toBe(box);
    expect([box.isConnected, box.value]).toEqual([true, '25.5']);
  });

  // Specification 2.53
  it('the maximum fee has steps of 0.1, and the field shows the number that filters', async () => {
    const { search, box } = await openList();
    box.focus();
    await type('0,15');
    expect([search(), box.value]).toEqual([{ maxFee: '0.1' }, '0.1']);
    await type('.');
    fireEvent.blur(box);
    expect([search(), box.value]).toEqual([{ maxFee: '0.1' }, '0.1']);
  });

  // Specification 2.46
  it('the maximum fee is cleared with the other filters, even while the user types', async () => {
    const { search, box } = await openList('/?maxFee=2&search=ada');
    fireEvent.input(box, { target: { value: '25' } });
    click('Clear filters');
    await pass(400);
    expect(search()).toEqual({});
    expect([maxFee().value, screen.getByLabelText<HTMLInputElement>('Search').value]).toEqual(['', '']);
  });

  it('the maximum fee is updated from the URL after a navigation', async () => {
    const { router } = await openList('/?maxFee=2');
    await act(() => router.navigate({ to: '/', search: { maxFee: '3' } }));
    expect(maxFee().value).toBe('3');
  });
});

describe('subscribing from the directory', () => {
  const asVisitor = (rows: unknown[] = []) => ({
    'GET /api/auth/user': signedInUser,
    'GET /api/subscriptions/my': rows,
  });

  // Specification 5.29
  it('subscribing from the directory asks anonymous visitors to sign in', async () => {
    open();
    await findAndClick('Subscribe: Ada Byron');
    await expectToast('Please Sign In', 'You need to sign in to subscribe to callers.');
  });

  // Specification 2.37, 2.57
  it('subscribing from the directory opens the Subscribe dialog for signed-in users', async () => {
    open([adaListed], '/', asVisitor());
    await findAndClick('Subscribe: Ada Byron');
    await screen.findByRole('dialog', { name: 'Subscribe to Ada Byron' });
  });

  // Specification 2.57
  it('the directory has no active Subscribe button for oneself, followed callers and unpayable callers', async () => {
    const callers = [
      { ...adaListed, id: signedInUser.id, firstName: 'Me' },
      { ...adaListed, id: 'followed' },
      { ...adaListed, id: 'closed', canBeSubscribed: false },
      { ...adaListed, id: 'free', monthlyFee: '0' },
    ];
    open(callers, '/', asVisitor([{ callerId: 'followed', isCurrentlyActive: true }]));
    await screen.findByText('Subscribed');
    screen.getByText('Your Profile');
    expect(buttonOf('Not open yet').disabled).toBe(true);
    buttonOf('Free Access: Ada Byron');
  });
});
