import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { refuse, stubApi, type FakeRoutes } from '#web/testing/fake-api.ts';
import { renderApp } from '#web/testing/render-app.tsx';
import { expectToast } from '#web/testing/render-screen.tsx';
import { adaListed, solPrice, visitor } from '#web/testing/samples.ts';

const signedOut = refuse(401, 'auth.required', 'Please sign in.');
const never = () => new Promise(() => undefined);

function open(routes: FakeRoutes, path = '/') {
  const calls = stubApi({
    'GET /api/auth/user': () => signedOut.clone(),
    ...routes,
  });
  return { calls, ...renderApp(path) };
}

describe('the directory', () => {
  // Specification 2.1, 2.2, 2.54, 9.40
  it('shows six skeletons while it loads', async () => {
    open({ 'GET /api/callers': never });
    expect(await screen.findByRole('heading', { level: 1, name: 'Find SolCallers' })).toBeTruthy();
    expect(screen.getAllByTestId('caller-skeleton')).toHaveLength(6);
    expect(document.title).toBe('Find SolCallers');
  });

  // Specification 2.46, 2.55
  it('shows that no caller matches, and clears the filters', async () => {
    const { router } = open({ 'GET /api/callers': [] }, '/?search=nobody&paid=true');
    await screen.findByText('No Callers Found');
    fireEvent.click(screen.getAllByRole('button', { name: 'Clear filters' })[0] as Element);
    await waitFor(() => expect(router.state.location.searchStr).toBe(''));
    expect(document.activeElement).toBe(screen.getByRole('searchbox', { name: 'Search' }));
  });

  // Specification 2.56, 8.46, 9.45
  it('shows an error after three retries and loads when the user tries again', async () => {
    let isDown = true;
    const { calls } = open({
      'GET /api/callers': () => (isDown ? refuse(500, 'server.failed', 'The server failed.') : [adaListed]),
    });
    await screen.findByText('Failed to load callers');
    expect(screen.getByText('The server failed.')).toBeTruthy();
    expect(calls.filter(({ route }) => route === 'GET /api/callers')).toHaveLength(4);
    isDown = false;
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByRole('link', { name: 'Ada Byron' });
  });

  // Specification 2.7, 6.1, 9.39
  it("shows each caller's record, sample size and price", async () => {
    open({ 'GET /api/callers': [adaListed] });
    const card = (await screen.findByRole('link', { name: 'Ada Byron' })).closest(
      '[role=listitem]',
    ) as HTMLElement;
    expect(within(card).getByRole('link').getAttribute('href')).toBe('/caller/caller-1');
    expect(card.textContent).toContain('+34.2%');
    expect(card.textContent).toContain('62.5%of 47 ranked');
    expect(card.textContent).toContain('0.5 SOL');
    expect(within(card).getByRole('img', { name: 'Last 2 ended calls: +50.0%, -50.0%' })).toBeTruthy();
    expect(within(card).getByRole('img', { name: 'Verified' })).toBeTruthy();
  });

  it.each(['/', '/?view=table'])('shows at %s what a fee is worth in dollars', async (path) => {
    open(
      {
        'GET /api/callers': [adaListed, { ...adaListed, id: 'caller-2', monthlyFee: null }],
        'GET /api/prices/sol': solPrice('150'),
      },
      path,
    );
    expect((await screen.findByText('≈ $75.00')).parentElement?.textContent).toContain('0.5 SOL');
    expect(screen.getAllByText(/≈/)).toHaveLength(1);
  });

  it('focuses the search when the slash key is pressed, but not in text fields or with Ctrl', async () => {
    open({ 'GET /api/callers': [adaListed] });
    const box = await screen.findByRole('searchbox', { name: 'Search' });
    // The page may listen only after it has shown the box.
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

  // Specification 2.43
  it('reads its filters from the URL and writes them back', async () => {
    const urls: string[] = [];
    const { router } = open({ 'GET /api/callers': [adaListed] }, '/?sort=fee&maxFee=0.5');
    const fetch = globalThis.fetch;
    vi.stubGlobal('fetch', (url: string, init?: RequestInit) => {
      urls.push(url);
      return fetch(url, init);
    });
    fireEvent.click(await screen.findByRole('switch', { name: 'Verified only' }));
    await waitFor(() =>
      expect(router.state.location.search).toEqual({ sort: 'fee', maxFee: '0.5', verified: 'true' }),
    );
    await waitFor(() => expect(urls).toContain('/api/callers?maxFee=0.5&sort=fee&verified=true'));
  });

  // Specification 2.40, 2.41, 2.44, 2.45
  it('keeps the value of each control in the URL', async () => {
    const { router } = open({ 'GET /api/callers': [adaListed] });
    await screen.findByRole('link', { name: 'Ada Byron' });
    const search = () => router.state.location.search;
    fireEvent.click(screen.getByRole('switch', { name: 'Paid only' }));
    await waitFor(() => expect(search()).toEqual({ paid: 'true' }));
    fireEvent.change(screen.getByLabelText('Sort by'), { target: { value: 'winRate' } });
    await waitFor(() => expect(search()).toEqual({ paid: 'true', sort: 'winRate' }));
    fireEvent.change(screen.getByLabelText('Search'), { target: { value: 'ada' } });
    await waitFor(() => expect(search()).toEqual({ paid: 'true', sort: 'winRate', search: 'ada' }));
    fireEvent.click(screen.getByRole('radio', { name: 'Table' }));
    await screen.findByRole('table', { name: 'Callers' });
    fireEvent.click(screen.getByRole('radio', { name: 'Cards' }));
    await waitFor(() => expect(screen.queryByRole('table')).toBeNull());
    fireEvent.click(screen.getByRole('button', { name: 'Clear filters' }));
    await waitFor(() => expect(search()).toEqual({}));
  });

  // Specification 2.47-2.52
  it('offers the six specified sort options, Proven and Follower Return, with average return as the default', async () => {
    open({ 'GET /api/callers': [adaListed] });
    const select = (await screen.findByLabelText('Sort by')) as HTMLSelectElement;
    expect(select.value).toBe('avgReturn');
    expect([...select.options].map(({ value }) => value).sort()).toEqual([
      'avgReturn',
      'fee',
      'followerReturn',
      'lastCall',
      'proven',
      'subscribers',
      'totalCalls',
      'winRate',
    ]);
  });

  // Specification 2.45
  it('switches to a table with sortable columns', async () => {
    const { router } = open({ 'GET /api/callers': [adaListed] }, '/?view=table');
    const table = await screen.findByRole('table', { name: 'Callers' });
    expect(
      within(table)
        .getByRole('columnheader', { name: /Avg Return/ })
        .getAttribute('aria-sort'),
    ).toBe('descending');
    fireEvent.click(within(table).getByRole('button', { name: 'Win Rate' }));
    await waitFor(() =>
      expect(router.state.location.search).toMatchObject({ sort: 'winRate', view: 'table' }),
    );
  });

  it('shows the follower return of callers with at least five such calls, and sorts by it', async () => {
    const few = { ...adaListed, id: 'caller-9', firstName: 'Few', followerReturn: 90, followerCalls: 4 };
    const { router } = open({ 'GET /api/callers': [adaListed, few] });
    await screen.findByRole('link', { name: 'Ada Byron' });
    expect(screen.getAllByText(/Follower Return/).map((shown) => shown.textContent)).toContain(
      'Follower Return +21.7%',
    );
    expect(screen.queryByText('+90.0%')).toBeNull();
    fireEvent.change(screen.getByLabelText('Sort by'), { target: { value: 'followerReturn' } });
    await waitFor(() => expect(router.state.location.search).toEqual({ sort: 'followerReturn' }));
    const hint = await screen.findByText(/The median return of followers who bought and sold a minute later/);
    expect(within(hint).getByRole('link', { name: 'How we count' }).getAttribute('href')).toBe(
      '/how-we-count#follower-return',
    );
  });

  it('lists callers with few follower returns without a rank in the order by follower return', async () => {
    const few = { ...adaListed, id: 'caller-9', firstName: 'Few', followerReturn: 90, followerCalls: 4 };
    open({ 'GET /api/callers': [adaListed, few] }, '/?view=table&sort=followerReturn');
    const rows = within(await screen.findByRole('table', { name: 'Callers' })).getAllByRole('row');
    expect(rows.slice(1).map((row) => row.textContent?.slice(0, 1))).toEqual(['1', '–']);
    expect(rows[2]?.textContent).toContain('+90.0%of 4');
  });

  it('sorts by Proven, explains it and links to How We Count', async () => {
    const { router, calls } = open({ 'GET /api/callers': [adaListed] });
    await screen.findByRole('link', { name: 'Ada Byron' });
    const main = within(screen.getByRole('main'));
    expect(main.getByRole('link', { name: 'How we count' }).getAttribute('href')).toBe(
      '/how-we-count#ranked',
    );
    expect(screen.queryByText(/callers with few calls rank lower/)).toBeNull();
    fireEvent.change(screen.getByLabelText('Sort by'), { target: { value: 'proven' } });
    await waitFor(() => expect(router.state.location.search).toEqual({ sort: 'proven' }));
    const hint = await screen.findByText(
      /The minimum win rate at 95% confidence, so callers with few calls rank lower/,
    );
    expect(within(hint).getByRole('link', { name: 'How we count' }).getAttribute('href')).toBe(
      '/how-we-count#proven',
    );
    await waitFor(() =>
      expect(calls.filter(({ route }) => route === 'GET /api/callers').length).toBeGreaterThan(1),
    );
  });

  it('shows the proven rate on a card, with sample and explanation', async () => {
    const newcomer = {
      ...adaListed,
      id: 'caller-2',
      firstName: 'New',
      winRate: null,
      avgReturn: null,
      provenRate: null,
      endedCalls: 0,
      rankedCalls: 0,
    };
    open({ 'GET /api/callers': [adaListed, newcomer] });
    const figuresOf = async (name: string) =>
      [
        ...(
          (await screen.findByRole('link', { name })).closest('[role=listitem]') as HTMLElement
        ).querySelectorAll('dl > div'),
      ].map((figure) => figure.textContent);
    expect(await figuresOf('Ada Byron')).toEqual([
      'Avg Return+34.2%of 47 ranked',
      'Win Rate62.5%of 47 ranked',
      'Proven48.4%from 49 calls',
    ]);
    expect(await figuresOf('New Byron')).toEqual([
      'Avg Return–of 0 ranked',
      'Win Rate–of 0 ranked',
      'Proven–none ranked',
    ]);
    expect(screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual([
      'Ada Byron',
      'New Byron',
    ]);
  });

  it('explains Proven on a card at the press of a button', async () => {
    open({ 'GET /api/callers': [adaListed] });
    fireEvent.click(await screen.findByRole('button', { name: 'Proven' }));
    const popover = await screen.findByRole('dialog', { name: 'Proven' });
    expect(popover.textContent).toContain('The minimum win rate at 95% confidence');
    expect(within(popover).getByRole('link').getAttribute('href')).toBe('/how-we-count#proven');
    fireEvent.keyDown(popover, { key: 'Escape' });
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('disables Clear filters, instead of hiding it, while no filter is set', async () => {
    open({ 'GET /api/callers': [adaListed] });
    const clear = await screen.findByRole<HTMLButtonElement>('button', { name: 'Clear filters' });
    expect(clear.disabled).toBe(true);
    fireEvent.click(screen.getByRole('switch', { name: 'Paid only' }));
    await waitFor(() => expect(clear.disabled).toBe(false));
  });

  it.each(['/', '/?view=table', '/?view=table&sort=fee'])(
    'at %s shows callers with too few ranked calls in grey, with a count such as 3 of 5',
    async (path) => {
      const few = { ...adaListed, id: 'caller-2', firstName: 'Few', rankedCalls: 3 };
      open({ 'GET /api/callers': [adaListed, few] }, path);
      const elementOf = async (name: string) =>
        (await screen.findByRole('link', { name })).closest('[role=listitem], tr') as HTMLElement;
      const [known, unknown] = [await elementOf('Ada Byron'), await elementOf('Few Byron')];
      expect(known.textContent).not.toContain('of 5 ranked calls');
      expect(unknown.textContent).toContain('3 of 5 ranked calls');
      for (const [element, isGrey] of [
        [known, false],
        [unknown, true],
      ] as const) {
        const change = within(element).getByText('+34.2%').parentElement?.className ?? '';
        expect([change.includes('text-text-muted'), change.includes('text-gain')]).toEqual([isGrey, !isGrey]);
      }
      if (path.includes('table')) {
        expect(unknown.textContent?.startsWith('–')).toBe(!path.includes('fee'));
      }
    },
  );

  it('shows the proven rate in the table and sorts by it', async () => {
    const { router } = open(
      {
        'GET /api/callers': [
          adaListed,
          { ...adaListed, id: 'caller-2', firstName: 'Thin', provenRate: null },
        ],
      },
      '/?view=table',
    );
    const table = await screen.findByRole('table', { name: 'Callers' });
    expect(
      within(table)
        .getAllByRole('columnheader')
        .map((cell) => cell.textContent?.replace(/ [↑↓]$/, '')),
    ).toEqual([
      'Caller',
      'Avg Return',
      'Win Rate',
      'Proven',
      'Follower Return',
      'Total Calls',
      'Subscribers',
      'Last Call',
      'Monthly Fee',
      'Last calls',
      'Subscribe',
    ]);
    const rows = within(table).getAllByRole('row').slice(1);
    expect(rows.map((row) => within(row).getAllByRole('cell')[2]?.textContent)).toEqual([
      '48.4%from 49 calls',
      '–none ranked',
    ]);
    expect(within(table).getAllByRole('rowheader')).toHaveLength(2);
    fireEvent.click(within(table).getByRole('button', { name: 'What Proven means' }));
    await screen.findByRole('dialog', { name: 'Proven' });
    fireEvent.click(within(table).getByRole('button', { name: 'Proven' }));
    await waitFor(() => expect(router.state.location.search).toEqual({ sort: 'proven', view: 'table' }));
  });

  // Specification 2.7
  it('keeps the caller column visible and links the whole row', async () => {
    open({ 'GET /api/callers': [adaListed] }, '/?view=table');
    const table = await screen.findByRole('table', { name: 'Callers' });
    expect(within(table).getByRole('columnheader', { name: 'Caller' }).className).toContain('sticky');
    const links = table.querySelectorAll('tbody a');
    expect([...links].map((link) => link.getAttribute('href'))).toEqual([
      '/caller/caller-1',
      '/caller/caller-1',
    ]);
    expect(within(table).getAllByRole('link')).toHaveLength(1);
  });

  it('loads the next page', async () => {
    const bob = { ...adaListed, id: 'caller-2', firstName: 'Bob' };
    let page = 0;
    open({
      'GET /api/callers': () =>
        page++ === 0
          ? Response.json([adaListed], { headers: { Link: '</api/callers?cursor=c2>; rel="next"' } })
          : [bob],
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Show more callers' }));
    await screen.findByRole('link', { name: 'Bob Byron' });
    expect(screen.queryByRole('button', { name: 'Show more callers' })).toBeNull();
  });

  it('goes on after a page without matches that is not the last one', async () => {
    const next = { headers: { Link: '</api/callers?search=ada&cursor=c2>; rel="next"' } };
    let page = 0;
    open(
      { 'GET /api/callers': () => (page++ === 0 ? Response.json([], next) : [adaListed]) },
      '/?search=ada',
    );
    const more = await screen.findByRole('button', { name: 'Show more callers' });
    expect(screen.queryByText('No Callers Found')).toBeNull();
    fireEvent.click(more);
    await screen.findByRole('link', { name: /Ada/ });
  });
});

describe('the maximum fee', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });

  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
  const openList = async (path = '/') => {
    const { router } = open({ 'GET /api/callers': [adaListed] }, path);
    await pass(1_000);
    return { router, box: screen.getByLabelText<HTMLInputElement>('Max fee') };
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
  it('keeps the focus while the user types unfinished numbers', async () => {
    const { router, box } = await openList();
    box.focus();
    await type('2');
    expect(router.state.location.search).toEqual({ maxFee: '2' });
    await type('5.5');
    expect(router.state.location.search).toEqual({ maxFee: '25.5' });
    expect(document.activeElement).toBe(box);
    expect(box.isConnected).toBe(true);
    expect(box.value).toBe('25.5');
  });

  // Specification 2.53
  it('is rounded to steps of 0.1 on blur', async () => {
    const { router, box } = await openList();
    box.focus();
    await type('0,15');
    expect(router.state.location.search).toEqual({ maxFee: '0.2' });
    expect(box.value).toBe('0.15');
    fireEvent.blur(box);
    expect(box.value).toBe('0.2');
  });

  it('is a text input with a decimal keyboard', async () => {
    const { box } = await openList();
    expect([box.type, box.inputMode]).toEqual(['text', 'decimal']);
  });

  // Specification 2.46
  it('is cleared with the other filters, even while the user types', async () => {
    const { router, box } = await openList('/?maxFee=2&search=ada');
    fireEvent.input(box, { target: { value: '25' } });
    fireEvent.click(screen.getByRole('button', { name: 'Clear filters' }));
    await pass(400);
    expect(router.state.location.searchStr).toBe('');
    expect(screen.getByLabelText<HTMLInputElement>('Max fee').value).toBe('');
    expect(screen.getByLabelText<HTMLInputElement>('Search').value).toBe('');
  });

  it('is updated from the URL after a navigation', async () => {
    const { router } = await openList('/?maxFee=2');
    await act(() => router.navigate({ to: '/', search: { maxFee: '3' } }));
    expect(screen.getByLabelText<HTMLInputElement>('Max fee').value).toBe('3');
  });
});

describe('URL parameters of the directory', () => {
  it('are removed and not sent to the API if they are invalid', async () => {
    const urls: string[] = [];
    stubApi({});
    vi.stubGlobal('fetch', async (url: string) => {
      urls.push(url);
      return url.startsWith('/api/auth') ? signedOut.clone() : Response.json([adaListed]);
    });
    const { router } = renderApp('/?maxFee=abc&sort=bogus&foo=1&verified=true&limit=02');
    await screen.findByRole('link', { name: 'Ada Byron' });
    await waitFor(() => expect(router.state.location.searchStr).toBe('?verified=true'));
    expect([...new Set(urls.filter((url) => url.startsWith('/api/callers')))]).toEqual([
      '/api/callers?verified=true',
    ]);
  });

  it("are normalized to the API's format", async () => {
    const { router } = open(
      { 'GET /api/callers': [adaListed] },
      '/?maxFee=02.0&search=%20ada%20&sort=avgReturn',
    );
    await screen.findByRole('link', { name: 'Ada Byron' });
    await waitFor(() => expect(router.state.location.searchStr).toBe('?search=ada&maxFee=2'));
  });
});

describe('subscribing from the directory', () => {
  // Specification 5.29
  it('asks anonymous visitors to sign in', async () => {
    open({ 'GET /api/callers': [adaListed] });
    fireEvent.click(await screen.findByRole('button', { name: 'Subscribe: Ada Byron' }));
    await expectToast('Please Sign In', 'You need to sign in to subscribe to callers.');
  });

  // Specification 2.37, 2.57
  it('opens the Subscribe dialog for signed-in users', async () => {
    open({ 'GET /api/auth/user': visitor, 'GET /api/subscriptions/my': [], 'GET /api/callers': [adaListed] });
    fireEvent.click(await screen.findByRole('button', { name: 'Subscribe: Ada Byron' }));
    await screen.findByRole('dialog', { name: 'Subscribe to Ada Byron' });
  });

  // Specification 2.57
  it("is not offered for the viewer's own profile, subscribed callers and callers without a payout wallet", async () => {
    const callers = [
      { ...adaListed, id: visitor.id, firstName: 'Me' },
      { ...adaListed, id: 'followed' },
      { ...adaListed, id: 'closed', canBeSubscribed: false },
      { ...adaListed, id: 'free', monthlyFee: '0' },
    ];
    open({
      'GET /api/auth/user': visitor,
      'GET /api/subscriptions/my': [{ callerId: 'followed', isCurrentlyActive: true }],
      'GET /api/callers': callers,
    });
    await screen.findByText('Subscribed');
    expect(screen.getByText('Your Profile')).toBeTruthy();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Not open yet' }).disabled).toBe(true);
    expect(screen.getByRole('button', { name: 'Free Access: Ada Byron' })).toBeTruthy();
  });
});
