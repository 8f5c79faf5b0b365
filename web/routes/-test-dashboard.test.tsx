import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WALLET_PREFIX_LENGTH } from '#schema/constants.ts';
import {
  sampleActiveCalls,
  sampleStats,
  sampleTransactions,
} from '#web/features/test-dashboard/sample-data.ts';
import { refuse, stubApi } from '#web/testing/fake-api.ts';
import { renderApp } from '#web/testing/render-app.tsx';

const alert = vi.fn();

/** Opens the page as a signed-out visitor. */
async function open(title = 'Caller Dashboard') {
  const calls = stubApi({
    'GET /api/auth/user': () => refuse(401, 'auth.required', 'Please sign in.'),
  });
  renderApp('/test-dashboard');
  await screen.findByRole('heading', { level: 1, name: title }, { timeout: 5_000 });
  return calls;
}

const rows = (list: string) => within(screen.getByRole('list', { name: list })).getAllByRole('listitem');

beforeEach(() => {
  vi.stubGlobal('alert', alert);
});

afterEach(() => {
  alert.mockClear();
});

describe('the test dashboard', () => {
  // Specification 2.12, 2.13, 2.177-2.179, 6.30
  it('opens for everyone outside the production deploy, and sends no API requests', async () => {
    const calls = await open();
    expect(screen.getByText('Development Test Mode')).toBeTruthy();
    expect(screen.getByText('Manage your calls and track your performance as a caller.')).toBeTruthy();
    expect(new Set(calls.map(({ route }) => route))).toEqual(
      new Set(['GET /api/auth/user', 'POST /api/events/page-view']),
    );
  });

  // Specification 2.11
  it('does not exist in the production deploy', async () => {
    vi.stubEnv('MODE', 'deploy');
    await open('Page Not Found');
    expect(screen.queryByText('Development Test Mode')).toBeNull();
  });

  // Specification 2.11
  it('is not linked from the navigation, the footer or itself', async () => {
    await open();
    expect(
      screen.getAllByRole('link').filter((link) => link.getAttribute('href')?.includes('test-dashboard')),
    ).toEqual([]);
  });

  // Specification 2.13, 2.181-2.184
  it('shows four statistics', async () => {
    await open();
    for (const [label, value] of [
      ['Total Calls', '42'],
      ['Win Rate', '64.3%'],
      ['Subscribers', '128'],
      ['Total Earnings (SOL)', '28.8000'],
    ]) {
      expect(screen.getByText(label as string).nextSibling?.textContent).toBe(value);
    }
  });

  // Specification 2.180
  it('has a view toggle that changes nothing but its own style', async () => {
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

  // Specification 2.185, 2.187, 2.191, 2.192
  it('has every card with its texts', async () => {
    await open();
    expect(screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual([
      'Active Calls',
      'Your Recent Buys',
      'Call History',
      'Your Caller Profile',
    ]);
  });

  // Specification 2.185
  it('offers to end each active call', async () => {
    await open();
    const buttons = rows('Active Calls').map((row) => within(row).getByRole('button'));
    expect(buttons.map((button) => [button.getAttribute('aria-label'), button.textContent])).toEqual(
      sampleActiveCalls.map(({ tokenSymbol }) => [`End ${tokenSymbol}`, 'End']),
    );
  });

  // Specification 2.186
  it('shows an alert on End and ends no call', async () => {
    await open();
    const count = rows('Active Calls').length;
    fireEvent.click(within(rows('Active Calls')[0] as HTMLElement).getByRole('button', { name: /^End / }));
    expect(alert.mock.calls).toEqual([['Call ended successfully! Performance has been recorded.']]);
    expect(rows('Active Calls')).toHaveLength(count);
  });

  // Specification 2.187-2.189, 9.24
  it('lists the first ten buy transactions', async () => {
    await open();
    const buys = sampleTransactions.filter(({ transactionType }) => transactionType === 'buy');
    expect(buys.length).toBeGreaterThan(10);
    expect(sampleTransactions.slice(0, 10).some(({ transactionType }) => transactionType !== 'buy')).toBe(
      true,
    );
    const shown = rows('Your Recent Buys').map((row) => within(row).getByRole('button'));
    expect(shown.map((button) => [button.getAttribute('aria-label'), button.textContent])).toEqual(
      buys.slice(0, 10).map(({ tokenSymbol }) => [`Call ${tokenSymbol}`, 'Call']),
    );
  });

  // Specification 2.190
  it('shows an alert after a click on Call', async () => {
    await open();
    fireEvent.click(screen.getByRole('button', { name: 'Call HNY' }));
    expect(alert.mock.calls).toEqual([['Token called successfully! Your subscribers will be notified.']]);
  });

  // Specification 2.191
  it('shows how long each ended call was open', async () => {
    await open();
    expect(
      rows('Call History').map((row) => /Duration (.+?[mhd])(?=Entry)/.exec(row.textContent ?? '')?.[1]),
    ).toEqual(['3h 20m', '48m', '2d 4h', '1d']);
  });

  // Specification 2.192-2.194, 9.25
  it('has a side card with the profile, the fee and the first 8 characters of the wallet', async () => {
    await open();
    const card = within(
      screen
        .getByRole('heading', { level: 2, name: 'Your Caller Profile' })
        .closest('section') as HTMLElement,
    );
    for (const text of [
      'Sample Caller',
      '@sample_caller',
      '0.25 SOL',
      sampleStats.walletAddress.slice(0, 8),
    ]) {
      expect(card.getByText(text)).toBeTruthy();
    }
    expect(card.getByText('Monthly Fee').nextSibling?.textContent).toBe('0.25 SOL');
    expect(WALLET_PREFIX_LENGTH).toBe(8);
    expect(card.queryByText(sampleStats.walletAddress)).toBeNull();
  });

  // Specification 2.195
  it('has a submit-caller dialog that only logs', async () => {
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
});
