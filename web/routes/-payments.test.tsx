import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import type { Receipt } from '#schema/contracts/payments.ts';
import { dashboardApi } from '#web/features/dashboard/dashboard-test-data.ts';
import { refuse, stubApi, type FakeRoutes } from '#web/testing/fake-api.ts';
import { narrowWindow } from '#web/testing/narrow-window.ts';
import { renderApp } from '#web/testing/render-app.tsx';
import { adaProfile, earning, receipt, solPrice, visitor } from '#web/testing/samples.ts';

const caller = { ...visitor, isCaller: true };
const RECEIPT = `/payments/${receipt.signature}`;

function open(path: string, routes: FakeRoutes = {}) {
  const calls = stubApi({
    'GET /api/auth/user': visitor,
    'GET /api/callers': [],
    'GET /api/subscriptions/my': [],
    'GET /api/payments': [receipt],
    [`GET /api${RECEIPT}`]: receipt,
    'GET /api/payments/earnings': [earning],
    [`GET /api/callers/${visitor.id}`]: { ...adaProfile, earnings: '12.45' },
    ...routes,
  });
  const { router } = renderApp(path);
  return { calls, router, address: () => router.history.location.href };
}

const heading = (name: string) => screen.findByRole('heading', { level: 1, name });
/** Replaces non-breaking spaces by plain ones. */
const textOf = (element: HTMLElement) => element.textContent.replace(/\s/g, ' ');
const cellsOf = (row: HTMLElement | undefined) =>
  [...((row as HTMLTableRowElement | undefined)?.cells ?? [])].map(textOf);
/** Returns the labels and values of a `<dl>`. */
const entriesOf = (name: string) =>
  within(screen.getByLabelText(name))
    .getAllByRole('term')
    .map((term) => [term.textContent, ...details(term)]);
const details = (term: HTMLElement) =>
  [...(term.parentElement?.querySelectorAll('dd') ?? [])].map((detail) => detail.textContent?.trim());

/** Serves these payments page by page, with a link to the next page. */
function servePages(pages: readonly (readonly Receipt[] | Response)[]) {
  const answer = globalThis.fetch;
  vi.stubGlobal('fetch', async (input: string, init?: RequestInit) => {
    const url = new URL(String(input), 'http://localhost');
    if (url.pathname !== '/api/payments') return answer(input, init);
    const index = Number(url.searchParams.get('cursor') ?? 0);
    const page = pages[index];
    if (page instanceof Response) return page.clone();
    const isLast = index === pages.length - 1;
    return Response.json(
      page,
      isLast ? {} : { headers: { Link: `</api/payments?cursor=${index + 1}>; rel="next"` } },
    );
  });
}

const manyReceipts = (count: number, from: number): Receipt[] =>
  Array.from({ length: count }, (_, index) => ({
    ...receipt,
    id: `payment-${from + index}`,
    signature: `signature-${from + index}`,
  }));

describe('the payment pages', () => {
  it.each(['/payments', '/payments/earnings', RECEIPT])(
    'redirect signed-out visitors from %s to the directory without a request',
    async (path) => {
      const { calls, address } = open(path, {
        'GET /api/auth/user': () => refuse(401, 'auth.required', 'Please sign in.'),
      });
      await heading('Find SolCallers');
      expect(address()).toBe('/');
      expect(calls.filter(({ route }) => route.startsWith('GET /api/payments'))).toEqual([]);
    },
  );

  it.each(['/payments', '/payments/earnings', RECEIPT])(
    'stay on %s once the session ends, and ask to sign in again',
    async (path) => {
      const gone = () => refuse(401, 'auth.required', 'Please sign in.');
      const { address } = open(path, {
        'GET /api/auth/user': caller,
        'GET /api/payments': gone,
        'GET /api/payments/earnings': gone,
        [`GET /api${RECEIPT}`]: gone,
      });
      expect(await screen.findByRole('link', { name: 'Sign in again' })).toBeTruthy();
      expect(address()).toBe(path);
    },
  );

  it('have links between payments and earnings for callers only', async () => {
    open('/payments');
    await heading('Payments');
    expect(screen.queryByRole('navigation', { name: 'Payments and earnings' })).toBeNull();
    cleanup();
    open('/payments', { 'GET /api/auth/user': caller });
    const tabs = within(await screen.findByRole('navigation', { name: 'Payments and earnings' }));
    const current = () =>
      tabs
        .getAllByRole('link')
        .filter((link) => link.getAttribute('aria-current') === 'page')
        .map((link) => link.textContent);
    expect(current()).toEqual(['Payments']);
    fireEvent.click(tabs.getByRole('link', { name: 'Earnings' }));
    const title = await heading('Earnings');
    await waitFor(() => expect(document.activeElement).toBe(title));
    expect(document.title).toBe('Earnings · SolCallers');
    expect(
      within(screen.getByRole('navigation', { name: 'Payments and earnings' }))
        .getByRole('link', { name: 'Earnings' })
        .getAttribute('aria-current'),
    ).toBe('page');
  });

  it("are linked from the dashboard's subscriptions and earnings", async () => {
    open('/dashboard?view=subscriber', dashboardApi);
    const subscriptions = within(
      (await screen.findByRole('heading', { name: 'Your Subscriptions' })).closest('section') as HTMLElement,
    );
    expect(subscriptions.getByRole('link', { name: 'Payments' }).getAttribute('href')).toBe('/payments');
    cleanup();
    open('/dashboard', dashboardApi);
    expect(
      (await screen.findByRole('link', { name: '1.8000 SOL, view payments' })).getAttribute('href'),
    ).toBe('/payments/earnings');
  });
});

describe('the payments page', () => {
  it('shows its heading while loading', async () => {
    open('/payments', { 'GET /api/payments': () => new Promise(() => undefined) });
    await heading('Payments');
    expect(await screen.findByText('Loading payments')).toBeTruthy();
  });

  it('links to the directory if there are no payments', async () => {
    open('/payments', { 'GET /api/payments': [] });
    expect(await screen.findByText('No payments yet')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Find a caller' }).getAttribute('href')).toBe('/');
    expect(screen.queryByRole('table')).toBeNull();
  });

  it('shows an error and loads on retry', async () => {
    let isDown = true;
    open('/payments', {
      'GET /api/payments': () =>
        isDown ? refuse(500, 'server.failed', 'Something went wrong on our side.') : [receipt],
    });
    expect(await screen.findByText('Failed to load payments')).toBeTruthy();
    expect(screen.getByText('Something went wrong on our side.')).toBeTruthy();
    isDown = false;
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('table', { name: 'Payments' })).toBeTruthy();
  });

  it('shows a table with date, caller, period, status and exact amount', async () => {
    const states = ['settled', 'confirmed', 'revoked'] as const;
    open('/payments', {
      'GET /api/payments': states.map((state) => ({
        ...receipt,
        id: state,
        signature: state,
        state,
        period: state === 'revoked' ? null : receipt.period,
      })),
    });
    const table = within(await screen.findByRole('table', { name: 'Payments' }));
    expect(table.getAllByRole('columnheader').map((cell) => cell.textContent)).toEqual([
      'Paid',
      'Caller',
      'Period',
      'Status',
      'Amount',
    ]);
    const [, ...rows] = table.getAllByRole('row');
    const [first, second, third] = rows.map((row) => cellsOf(row).slice(1));
    expect(first).toEqual(['Ada Byron', 'Nov 12 – Dec 12, 2026', 'Settled', '0.500000001 SOL']);
    expect(second?.[2]).toBe('Confirmed');
    expect(third?.slice(1, 3)).toEqual(['none', 'Reversed']);
    expect(rows.map((row) => row.querySelector('s')?.textContent)).toEqual([
      undefined,
      undefined,
      '0.500000001 SOL',
    ]);
    expect(cellsOf(rows[0])[0]).toContain('Nov 12, 2026');
  });

  it('explains each status', async () => {
    open('/payments');
    const legend = within(
      (await screen.findByRole('heading', { name: 'What each status means' })).parentElement as HTMLElement,
    );
    expect(legend.getAllByRole('term').map((term) => term.textContent)).toEqual([
      'Confirmed',
      'Settled',
      'Reversed',
    ]);
    expect(legend.getByText(/No money moved, and the access period was removed/)).toBeTruthy();
  });

  it('shows what an amount is worth today, but not for a reversed payment', async () => {
    open('/payments', {
      'GET /api/prices/sol': solPrice('150'),
      'GET /api/payments': [receipt, { ...receipt, id: 'x', signature: 'x', state: 'revoked' }],
    });
    await screen.findByText('≈ $75.00 today');
    const [, paid, reversed] = within(screen.getByRole('table', { name: 'Payments' })).getAllByRole('row');
    expect(cellsOf(paid).at(-1)).toBe('0.500000001 SOL≈ $75.00 today');
    expect(cellsOf(reversed).at(-1)).toBe('0.500000001 SOL');
  });

  it('opens a receipt and focuses its heading', async () => {
    const { address } = open('/payments');
    const link = await screen.findByRole('link', {
      name: 'Nov 12, 2026 receipt: 0.500000001 SOL to Ada Byron',
    });
    // The link's pseudo-element covers the whole row.
    expect(link.className).toContain('after:inset-0');
    fireEvent.click(link);
    const title = await heading('Receipt');
    expect(address()).toBe(RECEIPT);
    await waitFor(() => expect(document.activeElement).toBe(title));
  });

  it('shows cards on narrow screens', async () => {
    narrowWindow();
    open('/payments');
    const list = within(await screen.findByRole('list', { name: 'Payments' }));
    const text = textOf(list.getByRole('listitem'));
    for (const part of ['Ada Byron', '0.500000001 SOL', 'Nov 12, 2026', 'Settled', 'Nov 12 – Dec 12, 2026']) {
      expect(text).toContain(part);
    }
    expect(list.getByRole('link').getAttribute('href')).toBe(RECEIPT);
    expect(screen.queryByRole('table')).toBeNull();
  });

  it('loads payments page by page and focuses the heading after the last page', async () => {
    open('/payments');
    servePages([manyReceipts(20, 0), manyReceipts(20, 20), manyReceipts(5, 40)]);
    const table = await screen.findByRole('table', { name: 'Payments' });
    const countRows = () => table.querySelectorAll('tbody tr').length;
    const older = () => screen.queryByRole('button', { name: 'Show older payments' });
    for (const shown of [20, 40]) {
      await waitFor(() => expect(countRows()).toBe(shown));
      older()?.focus();
      fireEvent.click(older() as HTMLElement);
    }
    await waitFor(() => expect(countRows()).toBe(45));
    const links = [...table.querySelectorAll('tbody a')].map((link) => link.getAttribute('href'));
    expect(new Set(links).size).toBe(45);
    expect(older()).toBeNull();
    await waitFor(() => expect(document.activeElement).toBe(document.querySelector('h1')));
  });

  it('keeps the loaded rows if the next page fails', async () => {
    open('/payments');
    servePages([manyReceipts(2, 0), refuse(500, 'server.failed', 'Something went wrong on our side.')]);
    fireEvent.click(await screen.findByRole('button', { name: 'Show older payments' }));
    expect((await screen.findByRole('alert')).textContent).toBe('Something went wrong on our side.');
    expect(screen.getByRole('table').querySelectorAll('tbody tr')).toHaveLength(2);
    expect(screen.getByRole('button', { name: 'Show older payments' })).toBeTruthy();
  });
});

describe('the earnings page', () => {
  const openEarnings = (routes: FakeRoutes = {}) =>
    open('/payments/earnings', { 'GET /api/auth/user': caller, ...routes });

  it("redirects users who aren't callers", async () => {
    const { calls, address } = open('/payments/earnings');
    await heading('Payments');
    expect(address()).toBe('/payments');
    expect(calls.some(({ route }) => route === 'GET /api/payments/earnings')).toBe(false);
  });

  it('shows the total, a CSV link and a table with both amounts', async () => {
    openEarnings({
      'GET /api/payments/earnings': [
        earning,
        { ...earning, id: 'x', signature: 'x', subscriber: receipt.caller },
      ],
    });
    const table = within(await screen.findByRole('table', { name: 'Earnings' }));
    expect(await screen.findByText('12.4500 SOL')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Download CSV' }).getAttribute('href')).toBe(
      '/api/payments/earnings.csv',
    );
    expect(table.getAllByRole('columnheader').map((cell) => cell.textContent)).toEqual([
      'Paid',
      'Subscriber',
      'Period',
      'Status',
      'Total paid',
      'Your share',
    ]);
    const [, unnamed, named] = table.getAllByRole('row');
    expect(cellsOf(unnamed).slice(1)).toEqual([
      'SSubscriber 1f0c…beef',
      'Nov 12 – Dec 12, 2026',
      'Settled',
      '0.500000001 SOL',
      '0.450000001 SOL',
    ]);
    expect(cellsOf(named)[1]).toBe('Ada Byron');
    expect(
      within(unnamed as HTMLElement)
        .getByRole('link', { name: 'Nov 12, 2026 receipt: 0.450000001 SOL from subscriber 1f0c…beef' })
        .getAttribute('href'),
    ).toBe(RECEIPT);
  });

  it('shows what the total and each amount are worth today', async () => {
    openEarnings({ 'GET /api/prices/sol': solPrice('150') });
    await screen.findByText('≈ $1,867.50 today');
    const [, row] = within(screen.getByRole('table', { name: 'Earnings' })).getAllByRole('row');
    expect(cellsOf(row).slice(-2)).toEqual([
      '0.500000001 SOL≈ $75.00 today',
      '0.450000001 SOL≈ $67.50 today',
    ]);
  });

  it("shows cards with the caller's share first on narrow screens", async () => {
    narrowWindow();
    openEarnings();
    const text =
      within(await screen.findByRole('list', { name: 'Earnings' })).getByRole('listitem').textContent ?? '';
    expect(text.indexOf('0.450000001 SOL')).toBeLessThan(text.indexOf('Total paid0.500000001 SOL'));
    expect(text).toContain('Total paid0.500000001 SOL');
  });

  it('has no CSV link if there are no earnings', async () => {
    openEarnings({ 'GET /api/payments/earnings': [] });
    expect(await screen.findByText('No earnings yet')).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'Download CSV' })).toBeNull();
  });

  it('shows an error, and a dash for an unknown total', async () => {
    openEarnings({
      'GET /api/payments/earnings': () => refuse(500, 'server.failed', 'Down.'),
      [`GET /api/callers/${visitor.id}`]: () => refuse(500, 'server.failed', 'Down.'),
    });
    expect(await screen.findByText('Failed to load earnings')).toBeTruthy();
    await waitFor(() =>
      expect(screen.getByText('Your share of all payments').nextElementSibling?.textContent).toBe('–'),
    );
  });
});

describe('a receipt', () => {
  it('shows both recipients, exact amounts, transaction, period and a renew link', async () => {
    open(RECEIPT);
    await heading('Receipt');
    await waitFor(() => expect(document.title).toBe('Receipt · SolCallers'));
    expect(entriesOf('Amounts')).toEqual([
      ['Ada Byron', '0.450000001 SOL', receipt.callerAddress],
      ['SolCallers', '0.0500 SOL', receipt.platformAddress],
      ['Total', '0.500000001 SOL'],
    ]);
    const shown = Object.fromEntries(entriesOf('Details'));
    expect(Object.keys(shown)).toEqual(['Paid', 'Period', 'Paid from', 'Transaction', 'Slot']);
    expect(shown['Paid']).toMatch(/^November 12, 2026 at \d/);
    expect(shown['Period']).toMatch(/^November 12, 2026 at .+until December 12, 2026 at \d/);
    expect(shown['Paid from']).toBe(receipt.payerAddress);
    expect(shown['Transaction']).toContain(receipt.signature);
    expect(shown['Slot']).toBe('312,456,789');
    expect(screen.getByText("The payment is final and can't be reversed.")).toBeTruthy();
    for (const name of ['Renew', 'Ada Byron']) {
      expect(screen.getByRole('link', { name }).getAttribute('href')).toBe('/caller/caller-1');
    }
    expect(screen.getByRole('link', { name: 'All payments' }).getAttribute('href')).toBe('/payments');
  });

  it('copies the signature and links to the explorer in a new tab', async () => {
    const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    open(RECEIPT);
    fireEvent.click(await screen.findByRole('button', { name: 'Copy transaction signature' }));
    expect(writeText).toHaveBeenCalledWith(receipt.signature);
    const link = screen.getByRole('link', { name: 'Open in a Solana explorer' });
    expect(['href', 'target', 'rel'].map((name) => link.getAttribute(name))).toEqual([
      receipt.explorerUrl,
      '_blank',
      'noopener noreferrer',
    ]);
  });

  it('is printed when the user clicks Print', async () => {
    const print = vi.fn();
    vi.stubGlobal('print', print);
    open(RECEIPT);
    fireEvent.click(await screen.findByRole('button', { name: 'Print' }));
    expect(print).toHaveBeenCalledOnce();
  });

  it('says that no money moved in a reversed payment', async () => {
    open(RECEIPT, { [`GET /api${RECEIPT}`]: { ...receipt, state: 'revoked', period: null } });
    expect(await screen.findByText('Reversed')).toBeTruthy();
    expect(screen.getByText(/No money moved/)).toBeTruthy();
    expect(Object.fromEntries(entriesOf('Details'))['Period']).toBe('none');
  });

  it('offers the paid caller no renewal and links back to earnings', async () => {
    open(RECEIPT, {
      'GET /api/auth/user': caller,
      [`GET /api${RECEIPT}`]: { ...receipt, caller: { ...receipt.caller, id: caller.id } },
    });
    await heading('Receipt');
    expect((await screen.findByRole('link', { name: 'All earnings' })).getAttribute('href')).toBe(
      '/payments/earnings',
    );
    expect(screen.getByText('(you)', { exact: false })).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'Renew' })).toBeNull();
  });

  it('says that it is loading', async () => {
    open(RECEIPT, { [`GET /api${RECEIPT}`]: () => new Promise(() => undefined) });
    expect(await screen.findByText('Loading receipt')).toBeTruthy();
  });

  it('is shown as not found if the API returns a 404', async () => {
    open(RECEIPT, {
      [`GET /api${RECEIPT}`]: () =>
        refuse(404, 'payments.not_found', 'You have no payment with this signature.'),
    });
    await heading('Receipt Not Found');
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  });

  it('shows an error and loads on retry', async () => {
    let isDown = true;
    open(RECEIPT, {
      [`GET /api${RECEIPT}`]: () => (isDown ? refuse(500, 'server.failed', 'Down.') : receipt),
    });
    expect(await screen.findByText('Failed to load this receipt')).toBeTruthy();
    isDown = false;
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('Total')).toBeTruthy();
  });
});
