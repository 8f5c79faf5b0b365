import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { CallDetail, PriceMark } from '#schema/contracts/calls.ts';
import { callQuery } from '#web/api/calls.queries.ts';
import { refuse, stubApi, type FakeRoutes } from '#web/testing/fake-api.ts';
import { narrowWindow } from '#web/testing/narrow-window.ts';
import { renderApp } from '#web/testing/render-app.tsx';
import { activeCall, ada, adaProfile, endedCall, visitor } from '#web/testing/samples.ts';

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
  marks: [],
  logEntries: [61, 75, 1102],
  holdings: null,
};
const active: CallDetail = {
  ...activeCall,
  updates: [],
  levelHits: [],
  quotes: [],
  marks: [],
  logEntries: [],
  holdings: null,
};
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
    [`GET /api/token-calls/${id}`]: call,
    [`GET /api/token-calls/${id}/chart`]: { points },
    'GET /api/callers/caller-1': adaProfile,
    ...routes,
  });
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

describe('the follower return on the page of a call', () => {
  const mark = (side: 'open' | 'end', price: string, delayMinutes = 1): PriceMark => ({
    side,
    delayMinutes,
    price,
    liquidityUsd: 100_000,
    source: 'jupiter',
    ageMs: 2_000,
    seenAt: '2026-11-18T10:01:20.000Z',
  });
  const rowsOf = () =>
    within(section('Follower Return'))
      .getAllByRole('row')
      .map((row) => [...row.children].map((cell) => cell.textContent));

  it('is shown beside the caller’s, for each delay and stake', async () => {
    open({ ...ended, marks: [mark('open', '2'), mark('end', '3'), mark('open', '2', 5)] });
    await heading();
    expect(section('Follower Return').textContent).toContain(
      'Caller +50.0% · follower +42.0% (1 min later, $1,000).',
    );
    expect(rowsOf()).toEqual([
      ['Bought and sold', '$100', '$1,000', '$10,000'],
      ['1 min later', '+48.4%', '+42.0%', '-0.4%'],
      ['5 min later', '–', '–', '–'],
      ['15 min later', '–', '–', '–'],
      ['60 min later', '–', '–', '–'],
    ]);
  });

  it('says that there is no figure if a mark or its liquidity is missing', async () => {
    open({ ...ended, marks: [mark('open', '2'), { ...mark('end', '3'), liquidityUsd: null }] });
    await heading();
    expect(section('Follower Return').textContent).toContain(
      'No figure: we have no price with known liquidity',
    );
    expect(within(section('Follower Return')).queryByRole('table')).toBeNull();
  });

  it('says that the first figure is still to come right after the end', async () => {
    open({ ...ended, endTimestamp: new Date(Date.now() - 30_000).toISOString() });
    await heading();
    expect(section('Follower Return').textContent).toContain('appears about two minutes after the end');
  });

  it('lists the marks as evidence, also those of an active call', async () => {
    open({ ...active, quotes: ended.quotes, marks: [mark('open', '2', 15)] });
    await heading();
    expect(screen.queryByRole('heading', { name: 'Follower Return' })).toBeNull();
    expect(section('Evidence').textContent).toMatch(/Entry \+ 15 min:? ?Jupiter\$?2/);
  });
});

describe('the log on the page of a call', () => {
  const receipt = {
    callId: 'call-1',
    event: 'Opened',
    note: 'localhost/receipt\nentry 61\ncaller caller-1\ncontent abc=\ntime 1763460000000\n\n— localhost x\n',
  };
  const owner = { 'GET /api/auth/user': { ...visitor, id: 'caller-1' } };

  beforeEach(() => localStorage.setItem('solcallers.receipts', JSON.stringify([receipt])));

  it('shows the places of an ended call’s entries to everybody', async () => {
    open();
    await heading();
    expect(section('Log').textContent).toBe(
      'LogEntries 61, 75 and 1,102 of the public log.How sealed calls work',
    );
  });

  it('shows its caller the receipts that this browser has kept', async () => {
    open(ended, owner);
    const receipts = await screen.findByRole('list', { name: 'Receipts' });
    expect(receipts.textContent).toMatch(
      /^Receipt: OpenedOur signed promise of Nov 18, 2025, .* that entry 61 of the log is this one, within two minutes\./,
    );
    for (const action of ['Download', 'Verify']) {
      expect(screen.getByRole('button', { name: `${action} receipt of entry 61` })).toBeTruthy();
    }
  });

  it('is absent from an active call without receipts', async () => {
    open(active);
    await heading();
    expect(screen.queryByRole('heading', { name: 'Log' })).toBeNull();
  });
});

describe('what the caller held, on the page of a call', () => {
  const found = {
    heldBefore: '1000000',
    firstBoughtAt: '2026-11-10T10:00:00.000Z',
    averagePriceSol: '0.0000001234',
    acquired: '0',
    soldPercent: 80,
    firstSoldAt: '2026-11-18T10:04:10.000Z',
    movedPercent: 0.004,
  };
  const complete = { covers: 'end', state: 'complete', found } as const;
  const read = async (holdings: CallDetail['holdings']) => {
    open({ ...ended, holdings });
    await heading();
    return section('Skin in the game').textContent ?? '';
  };

  it('says what was held, at which price it was bought, and when it was sold', async () => {
    expect(await read(complete)).toBe(
      "Skin in the gameWhat the caller's verified wallets held and sold" +
        'Held 1,000,000 BONK before the call, worth $20 at the entry price. ' +
        'First bought Nov 10, 2026, at 0.0000001234 SOL on average.' +
        'Sold 80.0% before the end, first 4m after calling.' +
        "Moved under 0.1% elsewhere before the end. That isn't a sale." +
        "Wallets that the caller hasn't verified with us can't be seen. How we count",
    );
  });

  it.each([
    [{ soldPercent: 0, firstSoldAt: null, movedPercent: 0 }, 'Held all of it to the end.'],
    [{ heldBefore: '0', firstBoughtAt: null }, 'Held none of it before the call.'],
    [{ firstBoughtAt: null, averagePriceSol: null }, 'These wallets got it without a purchase.'],
    [{ acquired: '12.5' }, 'Got 12.5 BONK after the call.'],
  ])('with %j, says: %s', async (parts, text) => {
    expect(await read({ ...complete, found: { ...found, ...parts } })).toContain(text);
  });

  it('claims nothing about sales before the end is read', async () => {
    const text = await read({ ...complete, covers: 'opening' });
    expect(text).toContain('Sales are read when the call has ended.');
    expect(text).not.toContain('Sold');
  });

  it.each([
    [null, 'Not read from the chain yet.'],
    ['no_wallet', 'No declared wallet'],
    ['too_many', 'Incomplete: more than 200 transactions or 40 token accounts. We show no figures.'],
    ['unclear', 'Incomplete: the chain'],
  ] as const)('in the state %s, says: %s', async (state, text) => {
    expect(await read({ covers: state && 'end', state, found: null })).toContain(text);
  });

  it('is absent from calls that we never read the chain for', async () => {
    open(ended);
    await heading();
    expect(screen.queryByRole('heading', { name: 'Skin in the game' })).toBeNull();
  });
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
    narrowWindow();
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

describe('the updates of a call', () => {
  const userAs = (user: object) => ({
    'GET /api/auth/user': user,
    'POST /api/reports': { message: 'Thanks.' },
  });

  it('can be reported one by one', async () => {
    const { calls } = open(ended, userAs(visitor));
    fireEvent.click(await screen.findByRole('button', { name: 'Report this update' }));
    const dialog = within(await screen.findByRole('dialog', {}, { timeout: 5_000 }));
    fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: 'other' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Send report' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(calls.find(({ route }) => route === 'POST /api/reports')?.body).toEqual({
      kind: 'update',
      id: 'u1',
      reason: 'other',
    });
  });

  it.each([
    ['their caller', { ...visitor, id: ended.callerId }],
    ['operators, who have the console', { ...visitor, isOperator: true }],
  ])('have no report button for %s', async (_who, user) => {
    open(ended, userAs(user));
    await screen.findByText('Still holding.');
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Report this update' })).toBeNull());
  });
});
