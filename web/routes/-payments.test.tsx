import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import type { Receipt } from '#schema/contracts/payments.ts';
import { dashboardApi } from '#web/testing/dashboard-samples.ts';
import { inPages, refuse, signedOut, type FakeRoutes } from '#web/testing/fake-api.ts';
import {
  click,
  columnsOf,
  expectNewTab,
  findAndClick,
  findHref,
  findRows,
  findSection,
  hrefOf,
  textsOf,
} from '#web/testing/find-in-page.ts';
import { openApp } from '#web/testing/render-app.tsx';
import { adaProfile, earning, receipt, solPrice, signedInUser } from '#web/testing/samples.ts';

const caller = { ...signedInUser, isCaller: true };
const RECEIPT = `/payments/${receipt.signature}`;

function open(path: string, routes: FakeRoutes = {}) {
  return openApp(path, {
    'GET /api/auth/user': signedInUser,
    'GET /api/callers': [],
    'GET /api/subscriptions/my': [],
    'GET /api/payments': [receipt],
    [`GET /api${RECEIPT}`]: receipt,
    'GET /api/payments/earnings': [earning],
    [`GET /api/callers/${signedInUser.id}`]: { ...adaProfile, earnings: '12.45' },
    ...routes,
  });
}

const heading = (name: string) => screen.findByRole('heading', { level: 1, name });
const cellsOf = (row: HTMLElement | undefined) => textsOf((row as HTMLTableRowElement).cells);
/** Returns the labels and values of a `<dl>`. */
const entriesOf = (name: string) =>
  within(screen.getByLabelText(name))
    .getAllByRole('term')
    .map((term) => [term.textContent, ...details(term)]);
const details = (term: HTMLElement) =>
  [...(term.parentElement?.querySelectorAll('dd') ?? [])].map((detail) => detail.textContent?.trim());

const manyReceipts = (count: number, from: number): Receipt[] =>
  Array.from({ length: count }, (_, index) => ({
    ...receipt,
    id: `payment-${from + index}`,
    signature: `signature-${from + index}`,
  }));

it.each(['/payments', '/payments/earnings', RECEIPT])(
  'signed-out visitors are redirected from %s to the directory without a request',
  async (path) => {
    const { calls, address } = open(path, {
      'GET /api/auth/user': signedOut,
    });
    await heading('Find SolCallers');
    expect(address()).toBe('/');
    expect(calls.filter(({ route }) => route.startsWith('GET /api/payments'))).toEqual([]);
  },
);

it.each(['/payments', '/payments/earnings', RECEIPT])(
  'the page %s asks to sign in again if the session has ended, without a redirect',
  async (path) => {
    const { address } = open(path, {
      'GET /api/auth/user': caller,
      'GET /api/payments': signedOut,
      'GET /api/payments/earnings': signedOut,
      [`GET /api${RECEIPT}`]: signedOut,
    });
    expect(await screen.findByRole('link', { name: 'Sign in again' })).toBeTruthy();
    expect(address()).toBe(path);
  },
);

it('only callers have links between the payments page and the earnings page', async () => {
  const tabs = () => screen.queryByRole('navigation', { name: 'Payments and earnings' });
  const current = () => tabs()?.querySelector('[aria-current=page]')?.textContent;
  open('/payments');
  await heading('Payments');
  expect(tabs()).toBeNull();
  cleanup();
  open('/payments', { 'GET /api/auth/user': caller });
  const earnings = await screen.findByRole('link', { name: 'Earnings' });
  expect(current()).toBe('Payments');
  fireEvent.click(earnings);
  const title = await heading('Earnings');
  await waitFor(() => expect(document.activeElement).toBe(title));
  expect(document.title).toBe('Earnings · SolCallers');
  expect(current()).toBe('Earnings');
});

it("the payment pages are linked from the dashboard's subscriptions and earnings", async () => {
  open('/dashboard?view=subscriber', dashboardApi);
  expect(hrefOf('Payments', await findSection('Your Subscriptions'))).toBe('/payments');
  cleanup();
  open('/dashboard', dashboardApi);
  await screen.findByRole('link', { name: '1.8000 SOL, view payments' });
  expect(hrefOf('1.8000 SOL, view payments')).toBe('/payments/earnings');
});

it('the payments page links to the directory if there are no payments', async () => {
  open('/payments', { 'GET /api/payments': [] });
  await screen.findByText('No payments yet');
  expect(hrefOf('Find a caller')).toBe('/');
  expect(screen.queryByRole('table')).toBeNull();
});

it('the payments table shows exact amounts, and their value today unless the payment was reversed', async () => {
  const states = ['finalized', 'confirmed', 'revoked'] as const;
  open('/payments', {
    'GET /api/prices/sol': solPrice('150'),
    'GET /api/payments': states.map((state) => {
      const period = state === 'revoked' ? null : receipt.period;
      return { ...receipt, id: state, signature: state, state, period };
    }),
  });
  await screen.findAllByText('≈ $75.00 today');
  const rows = await findRows('Payments');
  expect(columnsOf(screen.getByRole('table'))).toBe('Paid, Caller, Period, Status, Amount');
  const worth = '0.500000001 SOL≈ $75.00 today';
  expect(rows.map((row) => cellsOf(row).slice(1))).toEqual([
    ['Ada Byron', 'Nov 12 – Dec 12, 2026', 'Settled', worth],
    ['Ada Byron', 'Nov 12 – Dec 12, 2026', 'Confirmed', worth],
    ['Ada Byron', 'none', 'Reversed', '0.500000001 SOL'],
  ]);
  expect(textsOf(document.querySelectorAll('s'))).toEqual(['0.500000001 SOL']);
  expect(cellsOf(rows[0])[0]).toContain('Nov 12, 2026');
});

it('the payments page explains each status', async () => {
  open('/payments');
  const title = await screen.findByRole('heading', { name: 'What each status means' });
  const legend = within(title.parentElement as HTMLElement);
  const statuses = textsOf(legend.getAllByRole('term'));
  expect(statuses).toEqual([
    'Confirmed',
    'Settled',
    'Reversed',
    'Refunded',
    'Partly refunded',
    'Refund asked for',
  ]);
  legend.getByText(/No money moved, and the access period was removed/);
});

it('the payments page links to a receipt, whose heading gets the focus', async () => {
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

it('the payments page labels the figures of its cards on narrow screens', async () => {
  open('/payments');
  const table = await screen.findByRole('table', { name: 'Payments' });
  const labels = [...table.querySelectorAll<HTMLElement>('[data-label]')].map(
    ({ dataset }) => dataset['label'],
  );
  expect(labels).toEqual(['Period', 'Status']);
});

it('the payments page loads older payments in pages, and focuses the heading after the last one', async () => {
  const pages = inPages(manyReceipts(20, 0), manyReceipts(20, 20), manyReceipts(5, 40));
  const { calls } = open('/payments', { 'GET /api/payments': pages });
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
  const searches = calls.filter(({ route }) => route === 'GET /api/payments').map(({ search }) => search);
  expect(searches).toEqual([undefined, '?cursor=page%2F2', '?cursor=page%2F3']);
  expect(older()).toBeNull();
  await waitFor(() => expect(document.activeElement).toBe(document.querySelector('h1')));
});

it('the payments page still shows the loaded rows if the next page fails', async () => {
  const failure = refuse(500, 'server.failed', 'Something went wrong on our side.');
  open('/payments', { 'GET /api/payments': inPages(manyReceipts(2, 0), failure) });
  fireEvent.click(await screen.findByRole('button', { name: 'Show older payments' }));
  expect((await screen.findByRole('alert')).textContent).toBe('Something went wrong on our side.');
  expect(screen.getByRole('table').querySelectorAll('tbody tr')).toHaveLength(2);
  expect(screen.getByRole('button', { name: 'Show older payments' })).toBeTruthy();
});

describe('the earnings page', () => {
  const openEarnings = (routes: FakeRoutes = {}) =>
    open('/payments/earnings', { 'GET /api/auth/user': caller, ...routes });

  it('the earnings page redirects users who aren’t callers', async () => {
    const { calls, address } = open('/payments/earnings');
    await heading('Payments');
    expect(address()).toBe('/payments');
    expect(calls.some(({ route }) => route === 'GET /api/payments/earnings')).toBe(false);
  });

  it('the earnings page shows the total, a CSV link, and each share with its value today', async () => {
    const named = { ...earning, id: 'x', signature: 'x', subscriber: receipt.caller };
    openEarnings({
      'GET /api/payments/earnings': [earning, named],
      'GET /api/prices/sol': solPrice('150'),
    });
    await screen.findByText('12.4500 SOL');
    await screen.findByText('≈ $1,867.50 today');
    expect(hrefOf('Download CSV')).toBe('/api/payments/earnings.csv');
    const [first, second] = await findRows('Earnings');
    const columns = 'Paid, Subscriber, Period, Status, Total paid, Your share';
    expect(columnsOf(screen.getByRole('table'))).toBe(columns);
    expect(cellsOf(first).slice(1)).toEqual([
      'SSubscriber 1f0c…beef',
      'Nov 12 – Dec 12, 2026',
      'Settled',
      '0.500000001 SOL',
      '0.450000001 SOL≈ $67.50 today',
    ]);
    expect(cellsOf(second)[1]).toBe('AAda Byron (@ada)');
    expect(hrefOf('Nov 12, 2026 receipt: 0.450000001 SOL from subscriber 1f0c…beef', first)).toBe(RECEIPT);
  });

  it('the earnings page without earnings has no CSV link, and shows a dash for an unknown total', async () => {
    openEarnings({
      'GET /api/payments/earnings': [],
      [`GET /api/callers/${signedInUser.id}`]: () => refuse(500, 'server.failed', 'Down.'),
    });
    await screen.findByText('No earnings yet');
    expect(screen.queryByRole('link', { name: 'Download CSV' })).toBeNull();
    await waitFor(() =>
      expect(screen.getByText('Your share after refunds').nextElementSibling?.textContent).toBe('–'),
    );
  });
});

it('a receipt shows both recipients, exact amounts, transaction, period and a renew link', async () => {
  open(RECEIPT);
  await heading('Receipt');
  await waitFor(() => expect(document.title).toBe('Receipt · SolCallers'));
  expect(entriesOf('Amounts')).toEqual([
    ['Ada Byron', '0.450000001 SOL', receipt.callerAddress],
    ['SolCallers', '0.0500 SOL', receipt.platformAddress],
    ['Total', '0.500000001 SOL'],
  ]);
  expect(entriesOf('Details')).toEqual([
    ['Paid', expect.stringMatching(/^November 12, 2026 at \d/)],
    ['Period', expect.stringMatching(/^November 12, 2026 at .+until December 12, 2026 at \d/)],
    ['Bought', '30 days'],
    ['Start', expect.stringMatching(/^Access begins at once/)],
    ['Paid from', receipt.payerAddress],
    ['Transaction', expect.stringContaining(receipt.signature)],
    ['Slot', '312,456,789'],
  ]);
  screen.getByText("The payment is final and can't be reversed.");
  expect(['Renew', 'Ada Byron', 'All payments'].map((name) => hrefOf(name))).toEqual([
    '/caller/caller-1#subscribe',
    '/caller/caller-1',
    '/payments',
  ]);
});

it('a receipt can be copied, opened in an explorer and printed', async () => {
  const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  const print = vi.fn();
  vi.stubGlobal('print', print);
  open(RECEIPT);
  await findAndClick('Copy transaction signature');
  expect(writeText).toHaveBeenCalledWith(receipt.signature);
  expectNewTab('Open in a Solana explorer', receipt.explorerUrl);
  click('Print');
  expect(print).toHaveBeenCalledOnce();
});

const refund = { ...receipt, amount: '0.1' };
const none = ['Period', 'none'];
const owed = ['Owed by the caller', '0.2250 SOL', "For the time in which the caller's account is deleted"];
const twice = ['Paid back twice', '0.1000 SOL', 'More than had to be paid back'];
const refundRequest = { askedAt: '2026-11-13T12:00:00.000Z', canTakeBack: false };
const askedFor = ['Refund', expect.stringMatching(/^Asked for on .* it can't be taken back\.$/)];
const wasAskedFor = ['Refund', expect.stringMatching(/^Asked for on [^.]*$/)];
const refunded = ['Refunded by the caller', '0.1000 SOL', expect.anything()];
it.each<[string, Partial<Receipt>, string, words: RegExp, entry: [list: string, at: number, string[]]]>([
  ['owed back in part', { owed: '0.225' }, 'Settled', /is final/, ['Amounts', -1, owed]],
  ['reversed', { state: 'revoked', period: null }, 'Reversed', /No money moved/, ['Details', 1, none]],
  [
    'partly refunded',
    { refunds: [refund], paidBack: '0.1' },
    'Partly refunded',
    /The caller paid a part of it back, and the access period stays/,
    ['Amounts', -1, refunded],
  ],
  [
    'paid back twice',
    { state: 'refunded', paidBackTwice: '0.1' },
    'Refunded',
    /ended the access period/,
    ['Amounts', -1, twice],
  ],
  [
    'asked back',
    { refundRequest },
    'Refund asked for',
    /asks for the caller’s share/,
    ['Details', 2, askedFor],
  ],
  [
    'refunded after it was asked for',
    { state: 'refunded', refundRequest },
    'Refunded',
    /ended the access period/,
    ['Details', 2, wasAskedFor],
  ],
])(
  'the receipt of a payment that is %s shows this status',
  async (_what, change, status, words, [list, at, entry]) => {
    open(RECEIPT, { [`GET /api${RECEIPT}`]: { ...receipt, ...change } });
    await screen.findByText(status);
    screen.getByText(words);
    expect(entriesOf(list).at(at)).toEqual(entry);
  },
);

it('a subscriber asks for a refund, sees which wallet gets it, and takes the request back', async () => {
  const path = `${RECEIPT}/refund-request`;
  let asked = false;
  const current = () => ({
    ...receipt,
    refundRequest: asked ? { ...refundRequest, canTakeBack: true } : null,
  });
  open(RECEIPT, {
    [`GET /api${RECEIPT}`]: current,
    [`PUT /api${path}`]: () => {
      asked = !asked;
      return current();
    },
  });
  await findAndClick('Ask for a refund');
  await screen.findByText(/It may belong to somebody else/);
  click('Cancel');
  await findAndClick('Ask for a refund');
  const dialog = await screen.findByRole('dialog');
  fireEvent.click(await within(dialog).findByRole('button', { name: 'Ask for a refund' }));
  await findAndClick('Take back the request');
  await screen.findByRole('button', { name: 'Ask for a refund' });
});

it('asking for a refund that was already paid says that it ends the period', async () => {
  open(RECEIPT, { [`GET /api${RECEIPT}`]: { ...receipt, earned: '0', paidBack: '0.450000001' } });
  await findAndClick('Ask for a refund');
  await screen.findByText('You have already been paid back; asking ends this period now.');
  screen.getByRole('button', { name: 'End this period' });
});

it('a former caller sees the earnings, but no total', async () => {
  open('/payments/earnings', { 'GET /api/auth/user': { ...caller, isCaller: false, wasCaller: true } });
  await heading('Earnings');
  expect(await findHref('Download CSV')).toBe('/api/payments/earnings.csv');
  expect(screen.queryByText('Your share after refunds')).toBeNull();
});

it('a receipt offers the paid caller no renewal and links back to earnings', async () => {
  open(RECEIPT, {
    'GET /api/auth/user': caller,
    [`GET /api${RECEIPT}`]: { ...receipt, caller: { ...receipt.caller, id: caller.id } },
  });
  await heading('Receipt');
  expect(await findHref('All earnings')).toBe('/payments/earnings');
  expect(screen.getByText('(you)', { exact: false })).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'Renew' })).toBeNull();
});

it('the receipt of a payment to a deleted account offers no renewal', async () => {
  const deleted = {
    ...receipt.caller,
    firstName: 'Deleted caller',
    lastName: '',
    twitterHandle: 'deleted-1',
  };
  open(RECEIPT, { [`GET /api${RECEIPT}`]: { ...receipt, caller: deleted } });
  await screen.findByRole('link', { name: 'Deleted caller' });
  expect(screen.queryByRole('link', { name: 'Renew' })).toBeNull();
});

it('a receipt is shown as not found if the API returns a 404', async () => {
  open(RECEIPT, {
    [`GET /api${RECEIPT}`]: () =>
      refuse(404, 'payments.not_found', 'You have no payment with this signature.'),
  });
  await heading('Receipt Not Found');
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
});
