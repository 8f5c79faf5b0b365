import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { WALLET_PREFIX_LENGTH } from '#schema/constants/money.ts';
import {
  sampleActiveCalls,
  sampleStats,
  sampleTransactions,
} from '#web/features/test-dashboard/sample-data.ts';
import { click, sectionOf, sectionTitles } from '#web/testing/find-in-page.ts';
import { openApp } from '#web/testing/render-app.tsx';

const alert = vi.fn();

/** Opens the page as a signed-out visitor. */
async function open(title = 'Caller Dashboard') {
  const { calls } = openApp('/test-dashboard');
  await screen.findByRole('heading', { level: 1, name: title }, { timeout: 5_000 });
  return calls;
}

const buttonsOf = (list: string) =>
  rows(list).map((row) => {
    const button = within(row).getByRole('button');
    return [button.getAttribute('aria-label'), button.textContent];
  });
const rows = (list: string) => within(screen.getByRole('list', { name: list })).getAllByRole('listitem');

beforeEach(() => {
  vi.stubGlobal('alert', alert);
});

afterEach(() => {
  alert.mockClear();
});

// Specification 2.11-2.13, 2.177-2.179, 2.181-2.185, 2.187, 2.191-2.194, 6.30, 9.25
it('the test dashboard shows every card outside production without an API request', async () => {
  const calls = await open();
  screen.getByText('Development Test Mode');
  screen.getByText('Manage your calls and track your performance as a caller.');
  const requests = ['GET /api/auth/user', 'POST /api/events/page-view'];
  await waitFor(() => expect(new Set(calls.map(({ route }) => route))).toEqual(new Set(requests)));
  expect(document.querySelector('a[href^="/test-dashboard"]')).toBeNull();
  expect(sectionTitles()).toBe('Active Calls, Your Recent Buys, Call History, Your Caller Profile');
  const labels = ['Total Calls', 'Win Rate', 'Subscribers', 'Total Earnings (SOL)', 'Monthly Fee'];
  const figures = labels.map((label) => screen.getByText(label).nextSibling?.textContent);
  expect(figures).toEqual(['42', '64.3%', '128', '28.8000', '0.25 SOL']);
  const durations = rows('Call History').map((row) =>
    /Duration (.+?[mhd])(?=Entry)/.exec(row.textContent ?? ''),
  );
  expect(durations.map((found) => found?.[1])).toEqual(['3h 20m', '48m', '2d 4h', '1d']);
  const card = within(sectionOf('Your Caller Profile'));
  const wallet = sampleStats.walletAddress;
  for (const text of ['Sample Caller', '@sample_caller', wallet.slice(0, WALLET_PREFIX_LENGTH)]) {
    card.getByText(text);
  }
  expect(WALLET_PREFIX_LENGTH).toBe(8);
  expect(card.queryByText(wallet)).toBeNull();
});

// Specification 2.185, 2.186, 2.190
it('ending a call and calling a token on the test dashboard only shows an alert', async () => {
  await open();
  expect(buttonsOf('Active Calls')).toEqual(
    sampleActiveCalls.map(({ tokenSymbol }) => [`End ${tokenSymbol}`, 'End']),
  );
  click(`End ${sampleActiveCalls[0]?.tokenSymbol}`);
  click('Call HNY');
  expect(alert.mock.calls).toEqual([
    ['Call ended successfully! Performance has been recorded.'],
    ['Token called successfully! Your subscribers will be notified.'],
  ]);
  expect(rows('Active Calls')).toHaveLength(sampleActiveCalls.length);
});

// Specification 2.11
it('the test dashboard does not exist in the production deploy', async () => {
  vi.stubEnv('MODE', 'deploy');
  await open('Page Not Found');
  expect(screen.queryByText('Development Test Mode')).toBeNull();
});

// Specification 2.180
it('the test dashboard has a view toggle that changes nothing but its own style', async () => {
  await open();
  const toggle = screen.getByRole('radiogroup', { name: 'View' });
  const pageAround = () => {
    const page = screen.getByRole('main').cloneNode(true) as HTMLElement;
    within(page).getByRole('radiogroup', { name: 'View' }).remove();
    return page.innerHTML;
  };
  const before = pageAround();
  const subscriber = within(toggle).getByRole<HTMLInputElement>('radio', { name: 'Subscriber View' });
  expect(within(toggle).getByRole<HTMLInputElement>('radio', { name: 'Caller View' }).checked).toBe(true);
  fireEvent.click(subscriber);
  expect(subscriber.checked).toBe(true);
  expect(pageAround()).toBe(before);
});

// Specification 2.187-2.189, 9.24
it('the test dashboard lists the first ten buy transactions', async () => {
  await open();
  const buys = sampleTransactions.filter(({ transactionType }) => transactionType === 'buy');
  expect(buys.length).toBeGreaterThan(10);
  expect(sampleTransactions.slice(0, 10).some(({ transactionType }) => transactionType !== 'buy')).toBe(true);
  expect(buttonsOf('Your Recent Buys')).toEqual(
    buys.slice(0, 10).map(({ tokenSymbol }) => [`Call ${tokenSymbol}`, 'Call']),
  );
});

// Specification 2.195
it('the test dashboard’s dialog to submit a caller only logs the input and sends no request', async () => {
  const calls = await open();
  const info = vi.spyOn(console, 'info').mockImplementation(() => undefined);
  fireEvent.click(screen.getByRole('button', { name: 'Submit Caller' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Submit Caller' }));
  fireEvent.click(dialog.getByRole('button', { name: 'Submit Caller' }));
  expect(dialog.getByText('Please enter a Twitter handle')).toBeTruthy();
  expect(info).not.toHaveBeenCalled();
  fireEvent.change(dialog.getByRole('textbox', { name: 'Twitter handle' }), { target: { value: '@ada' } });
  fireEvent.change(dialog.getByRole('spinbutton', { name: 'Monthly price' }), { target: { value: '0.5' } });
  const requestsBefore = calls.length;
  fireEvent.click(dialog.getByRole('button', { name: 'Submit Caller' }));
  expect(info.mock.calls).toEqual([
    ['Caller submitted', { twitterHandle: '@ada', subscriptionPrice: '0.5' }],
  ]);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(calls).toHaveLength(requestsBefore);
  info.mockRestore();
});
