import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { refuse, stubApi } from '#web/testing/fake-api.ts';
import { narrowWindow } from '#web/testing/narrow-window.ts';
import { renderApp } from '#web/testing/render-app.tsx';
import { endedCall } from '#web/testing/samples.ts';

function open(answer: unknown) {
  const calls = stubApi({
    'GET /api/auth/user': () => refuse(401, 'auth.required', 'Please sign in.'),
    'GET /api/token-calls/ended': answer,
  });
  renderApp('/recent-calls');
  return calls;
}

describe('the Recent Calls page', () => {
  // Specification 2.3, 2.148-2.150
  it('says that it is loading', async () => {
    open(() => new Promise(() => undefined));
    expect(await screen.findByText('Loading recent calls...')).toBeTruthy();
    expect(screen.getByRole('heading', { name: 'Recent Calls' })).toBeTruthy();
    expect(screen.getByText('Latest token calls from verified traders')).toBeTruthy();
  });

  // Specification 2.152
  it.each([[[]], [{ calls: 'no list' }]])('shows the empty state for the response %j', async (answer) => {
    open(answer);
    expect(await screen.findByText('No recent calls available')).toBeTruthy();
  });

  // Specification 2.151, 8.47, 9.46
  it('shows an error at once, without retrying', async () => {
    let fail: (answer: Response) => void = () => undefined;
    const calls = open(() => new Promise<Response>((resolve) => (fail = resolve)));
    await screen.findByText('Loading recent calls...');
    fail(refuse(502, 'server.failed', 'Down.'));
    expect(await screen.findByText('Failed to load recent calls')).toBeTruthy();
    expect(calls.filter(({ route }) => route === 'GET /api/token-calls/ended')).toHaveLength(1);
  });

  // Specification 2.7, 2.153-2.158, 2.163, 2.165, 2.168, 2.169, 2.173, 2.174, 2.176, 6.2, 9.33
  it('shows a table with six columns', async () => {
    open([endedCall, { ...endedCall, id: 'x', entryPrice: '2', endPrice: '1.5', endTimestamp: undefined }]);
    const table = await screen.findByRole('table', { name: 'Recent Calls' });
    expect(
      within(table)
        .getAllByRole('columnheader')
        .map((cell) => cell.textContent),
    ).toEqual(['Caller', 'Token', 'Call Price', 'End Price', 'Change', 'Ended']);
    const [, first, second] = within(table).getAllByRole('row');
    expect(first?.textContent).toContain('0.000020000.00003000+50.0%');
    expect(second?.textContent).toContain('2.001.50-25.0%Unknown');
    expect(
      within(first as HTMLElement)
        .getByRole('link', { name: 'Ada Byron' })
        .getAttribute('href'),
    ).toBe('/caller/caller-1');
    expect(
      within(first as HTMLElement)
        .getByRole('link', { name: '@ada' })
        .getAttribute('href'),
    ).toBe('https://x.com/ada');
    expect(within(first as HTMLElement).getByRole('img', { name: 'Verified' })).toBeTruthy();
  });

  it.each(['wide', 'narrow'])('shows market caps below the prices on %s screens, if known', async (width) => {
    if (width === 'narrow') narrowWindow();
    open([
      { ...endedCall, entryMarketCapUsd: 1_760_000_000 },
      { ...endedCall, id: 'old' },
    ]);
    expect((await screen.findAllByText('MC')).map((label) => label.parentElement?.textContent)).toEqual([
      'MC $1.8B',
      'MC $2.6B',
    ]);
  });

  // Specification 2.162, 2.164, 2.165
  it('links picture and name to the profile, and the handle to X', async () => {
    open([endedCall, { ...endedCall, id: 'x', caller: { ...endedCall.caller, isVerified: false } }]);
    const table = await screen.findByRole('table', { name: 'Recent Calls' });
    const [, row, unverified] = within(table).getAllByRole('row');
    expect(
      row?.querySelector('img[src="https://img.example/ada.png"]')?.closest('a')?.getAttribute('href'),
    ).toBe('/caller/caller-1');
    const handle = within(row as HTMLElement).getByRole('link', { name: '@ada' });
    expect([handle.getAttribute('target'), handle.getAttribute('rel')]).toEqual([
      '_blank',
      'noopener noreferrer',
    ]);
    expect(within(unverified as HTMLElement).queryByRole('img', { name: 'Verified' })).toBeNull();
  });

  // Specification 2.170
  it('shows the change in green with + above zero and in red otherwise', async () => {
    open(
      ['2.5', '2', '1.5'].map((endPrice, index) => ({
        ...endedCall,
        id: String(index),
        entryPrice: '2',
        endPrice,
      })),
    );
    const table = await screen.findByRole('table', { name: 'Recent Calls' });
    const changes = ['+25.0%', '0.0%', '-25.0%'].map(
      (text) => within(table).getByText(text).parentElement?.className,
    );
    expect(
      changes.map((classes) => ['text-gain', 'text-loss'].filter((colour) => classes?.includes(colour))),
    ).toEqual([['text-gain'], ['text-loss'], ['text-loss']]);
  });

  // Specification 2.175
  it('shows how long ago a call ended', async () => {
    open([{ ...endedCall, endTimestamp: new Date(Date.now() - 3 * 3_600_000).toISOString() }]);
    const table = await screen.findByRole('table', { name: 'Recent Calls' });
    expect(within(table).getByText('3h ago')).toBeTruthy();
  });

  // Specification 2.171, 2.172
  it('shows N/A for a missing price', async () => {
    const { endPrice: _endPrice, ...call } = endedCall;
    open([{ ...call, entryPrice: '0' }]);
    expect(await screen.findAllByText('N/A')).toHaveLength(2);
  });

  // Specification 2.167
  it('shows a U when the picture of a caller without a first name does not load', async () => {
    open([{ ...endedCall, caller: { ...endedCall.caller, firstName: '' } }]);
    const table = await screen.findByRole('table', { name: 'Recent Calls' });
    fireEvent.error(table.querySelector('img[src*="ada"]') as Element);
    expect(within(table).getByText('U')).toBeTruthy();
  });

  it('shows older calls, page by page', async () => {
    const cursors: (string | null)[] = [];
    stubApi({
      'GET /api/auth/user': () => refuse(401, 'auth.required', 'Please sign in.'),
    });
    const answer = globalThis.fetch;
    vi.stubGlobal('fetch', async (input: string, init?: RequestInit) => {
      const url = new URL(String(input), 'http://localhost');
      if (url.pathname !== '/api/token-calls/ended') return answer(input, init);
      const cursor = url.searchParams.get('cursor');
      cursors.push(cursor);
      return cursor === null
        ? Response.json([endedCall], {
            headers: { Link: '</api/token-calls/ended?cursor=second>; rel="next"' },
          })
        : Response.json([{ ...endedCall, id: 'older', tokenSymbol: 'OLD' }]);
    });
    renderApp('/recent-calls');
    const button = await screen.findByRole('button', { name: 'Show older calls' });
    button.focus();
    fireEvent.click(button);
    await screen.findByText('OLD');
    expect(screen.getAllByText('BONK')).toHaveLength(1);
    expect(cursors).toEqual([null, 'second']);
    expect(screen.queryByRole('button', { name: 'Show older calls' })).toBeNull();
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 })));
  });

  // Specification 2.166
  it('shows the first letter of the first name when the picture does not load', async () => {
    open([endedCall]);
    const table = await screen.findByRole('table', { name: 'Recent Calls' });
    const image = table.querySelector('img[src*="ada"]') as Element;
    const link = image.closest('a') as Element;
    fireEvent.error(image);
    expect(link.textContent).toBe('A');
  });

  // Specification 2.159-2.161
  it('shows cards on narrow screens', async () => {
    narrowWindow();
    open([endedCall]);
    const card = (await screen.findByText('Call')).closest('[role=listitem]') as HTMLElement;
    expect(
      within(card)
        .getAllByRole('term')
        .map((term) => `${term.textContent} ${term.nextElementSibling?.textContent}`),
    ).toEqual(['Call 0.00002000', 'End 0.00003000', 'Change +50.0%']);
    expect(
      within(card)
        .getByRole('link', { name: /Ada Byron/ })
        .getAttribute('href'),
    ).toBe('/caller/caller-1');
    expect(within(card).getByRole('link', { name: '@ada' }).getAttribute('href')).toBe('https://x.com/ada');
    expect(screen.queryByRole('table')).toBeNull();
  });
});
