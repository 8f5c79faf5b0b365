import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CallDetail } from '#schema/contracts/calls.ts';
import { callQuery } from '#web/api/calls.queries.ts';
import { refuse, stubApi, type FakeRoutes } from '#web/testing/fake-api.ts';
import { renderApp } from '#web/testing/render-app.tsx';
import { activeCall, ada, adaProfile, endedCall, visitor } from '#web/testing/samples.ts';
import { stubIntersection } from '#web/testing/intersection.ts';

const ended: CallDetail = {
  ...endedCall,
  id: 'call-1',
  thesis: 'Dogs are back.\nSo are hats.',
  targetPrice: '0.00004',
  stopPrice: '0.00001',
  peak: { price: '0.00005', at: '2026-11-18T22:00:00.000Z' },
  updates: [{ id: 'u1', message: 'Still holding.', at: '2026-11-18T20:00:00.000Z' }],
  levelHits: [
    { level: 'target', price: '0.000041', at: '2026-11-18T19:00:00.000Z' },
    { level: 'stop', price: '0.000009', at: '2026-11-18T21:00:00.000Z' },
  ],
  quotes: [
    {
      side: 'open',
      source: 'jupiter',
      price: '0.00002',
      failure: null,
      isRecorded: true,
      quotedAt: '2026-11-18T10:00:00.000Z',
      blockId: 312_456_789,
      liquidityUsd: 1_234_567.8,
    },
    {
      side: 'open',
      source: 'dexscreener',
      price: null,
      failure: 'unavailable',
      isRecorded: false,
      quotedAt: '2026-11-18T10:00:00.000Z',
      blockId: null,
      liquidityUsd: null,
    },
  ],
};
const active: CallDetail = { ...activeCall, updates: [], levelHits: [], quotes: [] };
const points = [
  { at: '2026-11-18T10:00:00.000Z', price: '0.00002' },
  { at: '2026-11-18T16:00:00.000Z', price: '0.000025' },
  { at: '2026-11-19T10:00:00.000Z', price: '0.00003' },
];
const signedOut = () => refuse(401, 'auth.required', 'Please sign in.');
const missing = () => refuse(404, 'calls.not_found', 'No such call.');

function open(call: unknown = ended, routes: FakeRoutes = {}) {
  const id = (call as CallDetail).id ?? 'call-1';
  const calls = stubApi({
    'GET /api/auth/user': signedOut,
    'POST /api/events/page-view': {},
    [`GET /api/token-calls/${id}`]: call,
    [`GET /api/token-calls/${id}/chart`]: { points },
    'GET /api/callers/caller-1': adaProfile,
    ...routes,
  });
  stubIntersection();
  return { calls, ...renderApp(`/call/${id}`) };
}

const heading = () => screen.findByRole('heading', { level: 1 });
const figure = (label: string) => {
  const figures = screen.getByRole('region', { name: 'Figures' });
  return [...figures.querySelectorAll('dt')]
    .find((term) => term.textContent === label)
    ?.parentElement?.textContent?.slice(label.length);
};
const section = (title: string) =>
  screen.getByRole('heading', { level: 2, name: title }).closest('section') as HTMLElement;

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('the page of an ended call', () => {
  it('shows token, caller and result', async () => {
    open();
    expect((await heading()).textContent).toBe('Bonk BONK');
    expect(document.title).toBe('BONK +50.0% by Ada Byron · SolCallers');
    expect(screen.getByTitle(ended.tokenMint).textContent).toBe(ended.tokenMint);
    expect(screen.getByRole('button', { name: 'Copy mint of BONK' })).toBeTruthy();
    expect(screen.getByRole('link', { name: /^Ada Byron/ }).getAttribute('href')).toBe('/caller/caller-1');
    expect(screen.getByRole('link', { name: 'All calls by Ada Byron' }).getAttribute('href')).toBe(
      '/caller/caller-1',
    );
    const figures = screen.getByRole('region', { name: 'Figures' });
    expect(figures.querySelector('p')?.textContent).toBe('+50.0%');
    expect(figure('Entry')).toBe('0.00002000Market cap not recorded');
    expect(figure('End')).toBe('0.00003000');
    expect(figure('Peak')).toBe('0.00005000+150.0%');
    expect(figure('Target')).toBe('0.00004000+100.0%');
    expect(figure('Stop')).toBe('0.00001000-50.0%');
    expect(figure('Called')).toMatch(/^Nov 18, 2026/);
    expect(figure('Ended')).toMatch(/^Nov 19, 2026/);
    expect(figure('Held')).toBe('1d');
    expect(screen.getByText(/^Dogs are back\./).textContent).toBe('Dogs are back.\nSo are hats.');
  });

  it('shows the market cap at the entry and at the end, or that none was recorded', async () => {
    open({ ...ended, entryMarketCapUsd: 1_760_000_000 });
    const figures = await screen.findByRole('region', { name: 'Figures' });
    expect(within(figures).getByText('Entry').parentElement?.textContent).toContain('Market cap $1.8B');
    expect(within(figures).getByText('End').parentElement?.textContent).toContain('Market cap $2.6B');
    cleanup();
    open();
    expect((await screen.findByText('Market cap not recorded')).parentElement?.textContent).toContain(
      'Entry',
    );
    expect(screen.getAllByText(/market cap/i)).toHaveLength(1);
  });

  it('never requests the current price', async () => {
    const { calls } = open();
    await heading();
    expect(calls.map(({ route }) => route)).not.toContain('GET /api/prices');
  });

  it('has a chart with entry, peak and end', async () => {
    open();
    const chart = await screen.findByRole('figure', { name: 'Price of BONK since the call' });
    expect(chart.querySelector('figcaption')?.textContent).toMatch(
      /^From \$0\.00002 on .+ to \$0\.00003 on .+\. Lowest \$0\.00002, highest \$0\.00005\. Entry: \$0\.00002 on .+ Peak: \$0\.00005 on .+ End: \$0\.00003 on .+$/,
    );
  });

  it('lists its events in order', async () => {
    open();
    await heading();
    const moments = within(section('Timeline'))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent);
    expect(moments.map((text) => text?.replace(/Nov.*?[AP]M/, ' | '))).toEqual([
      'Call made | at 0.00002000',
      'Target hit | at 0.00004100, +105.0%',
      'Update | Still holding.',
      'Stop hit | at 0.00000900, -55.0%',
      'Call ended | at 0.00003000, +50.0%',
    ]);
  });

  it("shows every source's quote and which one was recorded", async () => {
    open();
    await heading();
    const [, recorded, silent] = within(screen.getByRole('table', { name: 'Evidence' })).getAllByRole('row');
    expect(recorded?.textContent).toMatch(
      /^EntryJupiterRecorded0\.00002000November 18, 2026.+312,456,789\$1,234,568$/,
    );
    expect(silent?.textContent).toMatch(/^EntryDexScreenerno responseNovember 18, 2026.+––$/);
  });

  it('shows the same quotes on a phone', async () => {
    vi.stubGlobal('matchMedia', () => ({
      matches: false,
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
    }));
    open();
    await heading();
    const [recorded] = within(screen.getByRole('list', { name: 'Evidence' })).getAllByRole('listitem');
    expect(recorded?.textContent).toMatch(
      /^Entry: JupiterRecorded0\.00002000As ofNovember 18, 2026.+Slot312,456,789Liquidity\$1,234,568$/,
    );
    expect(screen.queryByRole('table')).toBeNull();
  });

  it.each([
    [{ isPaidPromotion: true }, /^Paid promotion\. Ada Byron disclosed being paid/],
    [{ unrankedReason: 'thin_liquidity' }, /^Unranked\. The token has less than \$10,000 of liquidity/],
    [{ unrankedReason: 'unknown_liquidity' }, /^Unranked\. No source reports the token's liquidity/],
    [{ unrankedReason: 'one_source' }, /^Unranked\. Only one price source had a usable price/],
    [
      { unrankedReason: 'repeated_mint' },
      /^Unranked\. The caller had called the same token within the 24 hours/,
    ],
    [{ uncountedGainReason: 'short_hold' }, /^This gain counts as 0%\. .+ open for less than 10 minutes\./],
    [{ uncountedGainReason: 'one_source' }, /^This gain counts as 0%\. Only one price source/],
    [
      { automaticEnd: 'time_limit' },
      /^Ended automatically\. .+ after 90 days, so we ended it at the market price/,
    ],
    [
      { automaticEnd: 'no_price', endPrice: '0' },
      /^Ended automatically\. No price source .+ so the call ended at 0\./,
    ],
  ] as const)('shows a note for %j', async (change, words) => {
    open({ ...ended, ...change });
    await heading();
    expect(screen.getAllByRole('note').map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(words),
    ]);
  });

  it('shows no thesis, price levels or notes if the call has none', async () => {
    const { peak: _peak, ...bare } = ended;
    open({
      ...bare,
      thesis: null,
      targetPrice: null,
      stopPrice: null,
      updates: [],
      levelHits: [],
      quotes: [],
    });
    await heading();
    expect(screen.queryByRole('note')).toBeNull();
    expect(screen.queryByRole('heading', { name: 'Thesis' })).toBeNull();
    expect(screen.queryByRole('heading', { name: 'Evidence' })).toBeNull();
    expect([figure('Target'), figure('Stop'), figure('Peak')]).toEqual([undefined, undefined, '–']);
  });

  it('shows the share button to its caller only', async () => {
    open(ended, { 'GET /api/auth/user': { ...visitor, id: ada.id, isCaller: true } });
    expect(await screen.findByRole('button', { name: 'Share BONK' })).toBeTruthy();
    cleanup();
    open(ended, { 'GET /api/auth/user': visitor });
    await heading();
    expect(screen.queryByRole('button', { name: 'Share BONK' })).toBeNull();
  });
});

it('the call page of a caller who looks like a better-known one says so', async () => {
  const known = { ...ada, id: 'caller-9', twitterHandle: 'amara_calls' };
  open(ended, { 'GET /api/callers/caller-1': { ...adaProfile, lookAlike: known } });
  expect(await screen.findByText('Not @amara_calls.')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Ada Byron (@amara_calls)' }).getAttribute('href')).toBe(
    '/caller/caller-9',
  );
});

describe('the page of an active call', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: Date.parse('2026-11-20T12:00:00.000Z') });
  });
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
  const priceNow = (price: string) => ({ price, at: new Date().toISOString(), source: 'jupiter' });

  it('polls the price every ten seconds and marks a stale price', async () => {
    let lastPrice = priceNow('2.5');
    const { calls } = open(active, {
      [`GET /api/token-calls/${active.id}`]: () => ({ ...active, lastPrice }),
    });
    await pass(100);
    const percent = () => screen.getByRole('region', { name: 'Figures' }).querySelector('p')?.textContent;
    expect([figure('Now'), percent()]).toEqual(['2.5000', '+25.0%']);
    lastPrice = priceNow('0.8');
    await pass(10_000);
    expect([figure('Now'), percent()]).toEqual(['0.8000', '-60.0%']);
    expect(calls.filter(({ route }) => route === `GET /api/token-calls/${active.id}`)).toHaveLength(2);
    await pass(150_000);
    expect([figure('Now'), percent()]).toEqual(['0.8000 2m old', '-60.0%']);
  });

  it('shows the market cap at the entry and at the current price', async () => {
    open({ ...active, entryMarketCapUsd: 2_000_000_000, lastPrice: priceNow('2.5') });
    await pass(100);
    expect([figure('Entry'), figure('Now')]).toEqual(['2.0000Market cap $2.0B', '2.5000Market cap $2.5B']);
  });

  it('shows the end price once the call has ended', async () => {
    let call: CallDetail = active;
    open(active, { [`GET /api/token-calls/${active.id}`]: () => call });
    await pass(100);
    expect(screen.getByText('Active')).toBeTruthy();
    expect(figure('Open for')).toBe('2d 2h');
    call = {
      ...active,
      isActive: false,
      endPrice: '3',
      endTimestamp: '2026-11-20T12:00:00.000Z',
      changePercent: 50,
    };
    await pass(10_000);
    expect(screen.getByText('Ended', { selector: 'span' })).toBeTruthy();
    expect(figure('End')).toBe('3.0000');
  });

  it('hides the call once the viewer loses access', async () => {
    let isVisible = true;
    open(active, { [`GET /api/token-calls/${active.id}`]: () => (isVisible ? active : missing()) });
    await pass(100);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toContain('dogwifhat');
    isVisible = false;
    await pass(10_000);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Call Not Found');
    expect(document.body.textContent).not.toContain('dogwifhat');
  });

  it("shows the dashboard link only to the call's own caller", async () => {
    open(active, { 'GET /api/auth/user': { ...visitor, id: ada.id, isCaller: true } });
    await pass(100);
    expect(screen.getByRole('link', { name: 'Update or end call' }).getAttribute('href')).toBe('/dashboard');
    cleanup();
    open(active, { 'GET /api/auth/user': visitor });
    await pass(100);
    expect(screen.queryByRole('link', { name: 'Update or end call' })).toBeNull();
  });
});

describe('a call page that is loading or failing', () => {
  it('says that it is loading', async () => {
    open(ended, { 'GET /api/token-calls/call-1': () => new Promise(() => undefined) });
    expect((await screen.findByText('Loading call')).parentElement?.getAttribute('aria-busy')).toBe('true');
  });

  it('says that the call does not exist and links back to Recent Calls', async () => {
    open(ended, { 'GET /api/token-calls/call-1': missing });
    expect((await heading()).textContent).toBe('Call Not Found');
    expect(document.title).toBe('Call Not Found · SolCallers');
    expect(screen.getByRole('link', { name: 'Back to Recent Calls' }).getAttribute('href')).toBe(
      '/recent-calls',
    );
  });

  it('offers signed-out viewers a sign-in link that returns to the call', async () => {
    open(ended, { 'GET /api/token-calls/call-1': missing });
    expect((await screen.findByRole('link', { name: 'Sign in with Twitter' })).getAttribute('href')).toBe(
      '/api/auth/twitter?returnTo=%2Fcall%2Fcall-1',
    );
    expect(screen.getByText(/If you subscribe to its caller, sign in to see it\./)).toBeTruthy();
    cleanup();
    open(ended, { 'GET /api/token-calls/call-1': missing, 'GET /api/auth/user': visitor });
    await heading();
    await screen.findByRole('link', { name: 'Back to Recent Calls' });
    expect(screen.queryByText(/sign in to see it/)).toBeNull();
  });

  it('shows a failure and loads on retry', async () => {
    let isDown = true;
    open(ended, {
      'GET /api/token-calls/call-1': () =>
        isDown ? refuse(500, 'server.failed', 'The server failed.') : ended,
    });
    expect(await screen.findByText('Failed to load this call')).toBeTruthy();
    expect(screen.getByText('The server failed.')).toBeTruthy();
    isDown = false;
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect((await screen.findByRole('region', { name: 'Figures' })).textContent).toContain('+50.0%');
  });

  it('shows the call even if its chart fails to load', async () => {
    open(ended, { 'GET /api/token-calls/call-1/chart': refuse(500, 'server.failed', 'The server failed.') });
    expect(await screen.findByText('Failed to load the chart')).toBeTruthy();
    expect(figure('End')).toBe('0.00003000');
  });
});

describe('a list of calls', () => {
  const flagged = { ...endedCall, isPaidPromotion: true, unrankedReason: 'thin_liquidity' as const };

  it("links the token's name to the call page, whose heading gets focus after a click", async () => {
    const { router, queryClient } = open(ended, { 'GET /api/token-calls/ended': [flagged] });
    await act(() => router.navigate({ to: '/recent-calls' }));
    const link = await screen.findByRole('link', { name: 'BONK' });
    expect(link.getAttribute('href')).toBe('/call/call-1');
    queryClient.removeQueries(callQuery('call-1'));
    fireEvent.click(link);
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Bonk BONK'));
  });

  it('marks calls that ended automatically, and gains that count as 0%', async () => {
    const marked = {
      ...endedCall,
      endPrice: '0',
      automaticEnd: 'no_price' as const,
      uncountedGainReason: 'short_hold' as const,
    };
    const { router } = open(ended, { 'GET /api/token-calls/ended': [marked, endedCall] });
    await act(() => router.navigate({ to: '/recent-calls' }));
    const [, first, second] = within(await screen.findByRole('table', { name: 'Recent Calls' })).getAllByRole(
      'row',
    );
    expect(first?.textContent).toContain('Gain counts as 0%Ended automatically');
    expect(first?.textContent).toContain('-100.0%');
    expect(second?.textContent).not.toMatch(/counts as|automatically/);
  });

  it('marks paid promotions and unranked calls', async () => {
    const { router } = open(ended, { 'GET /api/token-calls/ended': [flagged, endedCall] });
    await act(() => router.navigate({ to: '/recent-calls' }));
    const [, first, second] = within(await screen.findByRole('table', { name: 'Recent Calls' })).getAllByRole(
      'row',
    );
    expect(first?.textContent).toContain('Paid promotionUnranked');
    expect(second?.textContent).not.toMatch(/Paid promotion|Unranked/);
    expect(screen.getByText('Unranked').title).toContain('less than $10,000');
  });
});
