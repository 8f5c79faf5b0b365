import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { refuse, stubApi } from '#web/testing/fake-api.ts';
import { renderApp } from '#web/testing/render-app.tsx';
import { endedCall } from '#web/testing/samples.ts';

function open(answer: unknown) {
  stubApi({
    'GET /api/auth/user': () => refuse(401, 'auth.required', 'Please sign in.'),
    'POST /api/events/page-view': {},
    'GET /api/token-calls/ended': answer,
  });
  renderApp('/recent-calls');
}

/** A narrow window: what asks whether it is wide is told no. */
const narrow = () =>
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => undefined, removeEventListener: () => undefined }));

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe('recent calls', () => {
  it('loads in words', async () => {
    open(() => new Promise(() => undefined));
    expect(await screen.findByText('Loading recent calls...')).toBeTruthy();
    expect(screen.getByRole('heading', { name: 'Recent Calls' })).toBeTruthy();
    expect(screen.getByText('Latest token calls from verified traders')).toBeTruthy();
  });

  it.each([[[]], [{ calls: 'no list' }]])('is empty for %j', async (answer) => {
    open(answer);
    expect(await screen.findByText('No recent calls available')).toBeTruthy();
  });

  it('fails in words', async () => {
    open(() => refuse(502, 'server.failed', 'Down.'));
    expect(await screen.findByText('Failed to load recent calls')).toBeTruthy();
  });

  it('is a table with the six columns', async () => {
    open([endedCall, { ...endedCall, id: 'x', entryPrice: '2', endPrice: '1.5', endTimestamp: undefined }]);
    const table = await screen.findByRole('table', { name: 'Recent Calls' });
    expect(within(table).getAllByRole('columnheader').map((cell) => cell.textContent)).toEqual(['Caller', 'Token', 'Call Price', 'End Price', 'Change', 'Ended']);
    const [, first, second] = within(table).getAllByRole('row');
    expect(first?.textContent).toContain('0.000020000.00003000+50.0%');
    expect(second?.textContent).toContain('2.001.50-25.0%Unknown');
    expect(within(first as HTMLElement).getByRole('link', { name: 'Ada Byron' }).getAttribute('href')).toBe('/caller/caller-1');
    expect(within(first as HTMLElement).getByRole('link', { name: '@ada' }).getAttribute('href')).toBe('https://x.com/ada');
    expect(within(first as HTMLElement).getByRole('img', { name: 'Verified' })).toBeTruthy();
  });

  it('says N/A for a price that is missing', async () => {
    const { endPrice: _endPrice, ...call } = endedCall;
    open([{ ...call, entryPrice: '0' }]);
    expect(await screen.findAllByText('N/A')).toHaveLength(2);
  });

  it('shows a letter when the caller has no picture that loads', async () => {
    open([{ ...endedCall, caller: { ...endedCall.caller, firstName: '' } }]);
    const table = await screen.findByRole('table', { name: 'Recent Calls' });
    fireEvent.error(table.querySelector('img[src*="ada"]') as Element);
    expect(within(table).getByText('U')).toBeTruthy();
  });

  it('shows older calls, page by page', async () => {
    const asked: (string | null)[] = [];
    stubApi({ 'GET /api/auth/user': () => refuse(401, 'auth.required', 'Please sign in.'), 'POST /api/events/page-view': {} });
    const answer = globalThis.fetch;
    vi.stubGlobal('fetch', async (input: string, init?: RequestInit) => {
      const url = new URL(String(input), 'http://localhost');
      if (url.pathname !== '/api/token-calls/ended') return answer(input, init);
      const cursor = url.searchParams.get('cursor');
      asked.push(cursor);
      return cursor === null
        ? Response.json([endedCall], { headers: { Link: '</api/token-calls/ended?cursor=second>; rel="next"' } })
        : Response.json([{ ...endedCall, id: 'older', tokenSymbol: 'OLD' }]);
    });
    renderApp('/recent-calls');
    fireEvent.click(await screen.findByRole('button', { name: 'Show older calls' }));
    await screen.findByText('OLD');
    expect(screen.getAllByText('BONK')).toHaveLength(1);
    expect(asked).toEqual([null, 'second']);
    expect(screen.queryByRole('button', { name: 'Show older calls' })).toBeNull();
  });

  it('is cards on narrow screens', async () => {
    narrow();
    open([endedCall]);
    expect(await screen.findByText('Call')).toBeTruthy();
    expect(screen.getByText('End')).toBeTruthy();
    expect(screen.getByText('Change')).toBeTruthy();
    expect(screen.queryByRole('table')).toBeNull();
  });
});
