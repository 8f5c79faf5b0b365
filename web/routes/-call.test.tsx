import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { MINUTE_MS } from '#schema/constants/time.ts';
import type { CallDetail, PriceMark } from '#schema/contracts/calls.ts';
import type { FoundHoldings } from '#schema/rules/calls/call-holdings.ts';
import { callQuery } from '#web/api/calls.queries.ts';
import { CallHoldingsCard } from '#web/features/call/call-view.tsx';
import { refuse, signedOut, type FakeRoutes } from '#web/testing/fake-api.ts';
import { buttonOf, findHref, findRows, hrefOf, sectionOf, textsOf } from '#web/testing/find-in-page.ts';
import { openApp } from '#web/testing/render-app.tsx';
import { seeEverything } from '#web/testing/seeing-observer.ts';
import { renderScreen } from '#web/testing/render-screen.tsx';
import {
  activeCallDetail as active,
  ada,
  adaProfile,
  callDetail,
  endedCall,
  quote,
  signedInUser,
} from '#web/testing/samples.ts';

const ended: CallDetail = {
  ...callDetail,
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
    quote,
    {
      ...quote,
      source: 'dexscreener',
      price: null,
      failure: 'unavailable',
      isRecorded: false,
      blockId: null,
      liquidityUsd: null,
    },
  ],
  logEntries: [61, 75, 1102],
};
const points = [
  { at: '2026-11-18T10:00:00.000Z', price: '0.00002' },
  { at: '2026-11-18T16:00:00.000Z', price: '0.000025' },
  { at: '2026-11-19T10:00:00.000Z', price: '0.00003' },
];
const missing = () => refuse(404, 'calls.not_found', 'No such call.');

function open(call: unknown = ended, routes: FakeRoutes = {}) {
  const id = (call as CallDetail).id ?? 'call-1';
  return openApp(`/call/${id}`, {
    [`GET /api/token-calls/${id}`]: call,
    [`GET /api/token-calls/${id}/chart`]: { points },
    'GET /api/callers/caller-1': adaProfile,
    ...routes,
  });
}

const heading = () => screen.findByRole('heading', { level: 1 });
const change = () => screen.getByRole('region', { name: 'Change' }).querySelector('p')?.textContent;
const figure = (label: string) => {
  const figures = screen.getByRole('region', { name: 'Figures' });
  return [...figures.querySelectorAll('dt')]
    .find((term) => term.textContent === label)
    ?.parentElement?.textContent?.slice(label.length);
};

async function openEvidence(): Promise<HTMLElement[]> {
  fireEvent.click(await screen.findByText('Evidence and log'));
  return findRows('Evidence');
}

it('the call page shows the operators’ note', async () => {
  open({ ...ended, note: { text: 'The price was wrong for a minute.', at: '2026-11-22T10:00:00.000Z' } });
  await heading();
  screen.getByText('The price was wrong for a minute.');
  screen.getByText('Note by SolCallers:');
});

describe('the follower result on the page of a call', () => {
  const mark = (side: 'open' | 'end', price: string | null): PriceMark => ({
    side,
    price,
    liquidityUsd: price === null ? null : 100_000,
    solPriceUsd: '150',
    source: price === null ? null : 'jupiter',
    seenAt: '2026-11-18T10:01:20.000Z',
  });
  const openMarked = async (call: CallDetail) => {
    open(call);
    await heading();
    return sectionOf('Follower Result');
  };

  it('the call page shows what followers made with each stake', async () => {
    const card = await openMarked({
      ...ended,
      marks: [mark('open', '2'), mark('end', '3')],
      follower: { rule: 'marks', percent: 42 },
    });
    expect(card.textContent).toContain('With $100+48.4%With $1,000+42.0%With $10,000-0.4%');
    expect(card.textContent).toContain('who bought and sold one minute later');
  });

  it.each([
    ['is still to come', null, 'The result appears about 2 minutes after the end.'],
    ['is missing without a price', { rule: 'gain_without_mark', percent: null }, 'No result: no source'],
    ['is the call’s loss', { rule: 'loss_without_mark', percent: -5 }, "the call's own loss counts"],
  ] as const)(
    'the card about followers on the call page says that the result %s',
    async (_what, follower, text) => {
      const card = await openMarked({ ...ended, follower });
      expect(card.textContent).toContain(text);
    },
  );

  it('the evidence of a call shows the prices one minute after its open and end, or says that there was none', async () => {
    open({ ...ended, marks: [mark('open', '2'), mark('end', null)] });
    const rows = textsOf(await openEvidence());
    expect(rows.some((row) => /Entry \+ 1 min.*Jupiter.*2/.test(row))).toBe(true);
    expect(rows.some((row) => /End \+ 1 min.*All sources.*no price/.test(row))).toBe(true);
  });
});

it('the call page shows the numbers of an ended call’s log entries', async () => {
  open();
  await openEvidence();
  expect(screen.getByText(/^Entries 61/).textContent).toBe(
    'Entries 61, 75 and 1,102 of the public log. How sealed calls work',
  );
});

it('the page of an active call shows no log entries', async () => {
  open(active);
  await heading();
  expect(screen.queryByText(/of the public log/)).toBeNull();
});

describe('the “Skin in the game” card of a call', () => {
  const at = (after: number) => new Date(Date.parse(ended.callTimestamp) + after).toISOString();
  const found: FoundHoldings = {
    heldBefore: '0',
    movements: [
      { at: at(-3 * MINUTE_MS), kind: 'bought', amount: '1000000', usd: 1_200 },
      { at: at(MINUTE_MS), kind: 'sold', amount: '600000', usd: null },
    ],
  };
  const complete = { readUntil: at(2 * MINUTE_MS), state: 'complete', found } as const;
  const quiet = { ...found, movements: [] };
  const nothing = { ...complete, found: null };
  const read = async (holdings: CallDetail['holdings']) => {
    seeEverything();
    renderScreen(<CallHoldingsCard call={{ ...ended, holdings }} />);
    const section = sectionOf('Skin in the game');
    // The card's description and its note are the first two paragraphs.
    await waitFor(() => expect(section.querySelectorAll('p').length).toBeGreaterThan(2));
    return section.textContent;
  };

  it('the “Skin in the game” card sums up what the caller bought and sold, and lists every movement', async () => {
    const text = await read(complete);
    expect(text).toContain('Bought $1,200 three minutes before the call. Sold 60% during it');
    expect(text).not.toContain('may be missing');
    const list = within(screen.getByRole('list', { hidden: true }));
    const movements = list.getAllByRole('listitem', { hidden: true });
    expect(textsOf(movements)).toEqual([
      expect.stringMatching(/M: bought 1,000,000 BONK, \$1,200$/),
      expect.stringMatching(/M: sold 600,000 BONK, value unknown$/),
    ]);
  });

  it.each([
    ['without movements', { ...complete, found: quiet }, 'No purchase, sale or transfer of $20 or more.'],
    ['with missing transactions', { ...complete, state: 'partial' }, 'some may be missing'],
    ['with the time of the last reading', complete, 'Read up to '],
    ['before any reading', { ...nothing, readUntil: null, state: null }, 'Not read from the chain yet.'],
    ['without a wallet', { ...nothing, state: 'no_wallet' }, 'No declared wallet'],
    ['after a failed reading', { ...nothing, state: 'unread' }, 'could not be read'],
  ] as const)('the “Skin in the game” card $0 has the note “$2”', async (_what, holdings, text) => {
    expect(await read(holdings)).toContain(text);
  });
});

it('the page of an ended call shows token, caller and result without a request for the current price', async () => {
  const { calls } = open();
  expect((await heading()).textContent).toBe('Bonk BONK');
  expect(document.title).toBe('BONK +50.0% by Ada Byron · SolCallers');
  expect(screen.getByTitle(ended.tokenMint).textContent).toBe(ended.tokenMint);
  buttonOf('Copy token address of BONK');
  for (const link of [/^Ada Byron/, 'All calls by Ada Byron']) expect(hrefOf(link)).toBe('/caller/caller-1');
  expect(change()).toBe('+50.0%');
  expect(['Entry', 'End', 'Peak', 'Target', 'Stop'].map(figure)).toEqual([
    '0.00002000Market cap not recorded',
    '0.00003000',
    '0.00005000+150.0%',
    '0.00004000+100.0%',
    '0.00001000-50.0%',
  ]);
  screen.getByText('from entry to end, held 1d');
  expect(screen.getByText(/^Dogs are back\./).textContent).toBe('Dogs are back.\nSo are hats.');
  expect(calls.map(({ route }) => route)).not.toContain('GET /api/prices');
});

it('the page of an ended call has a chart with entry, peak and end, and lists its events in order', async () => {
  open();
  const chart = await screen.findByRole('figure', { name: 'Price of BONK since the call' });
  expect(chart.querySelector('figcaption')?.textContent).toMatch(
    /^From \$0\.00002 on .+ to \$0\.00003 on .+\. Lowest \$0\.00002, highest \$0\.00005\. Entry: \$0\.00002 on .+ Peak: \$0\.00005 on .+ End: \$0\.00003 on .+ Target: \$0\.00004\. Stop: \$0\.00001\.$/,
  );
  const events = textsOf(within(sectionOf('Timeline')).getAllByRole('listitem'));
  expect(events.map((text) => text?.replace(/Nov.*?[AP]M/, ' | '))).toEqual([
    'Call made | at 0.00002000Dogs are back.\nSo are hats.',
    'Target hit | at 0.00004100, +105.0%',
    'Update | Still holding.',
    'Stop hit | at 0.00000900, -55.0%',
    'Call ended | at 0.00003000, +50.0%',
  ]);
});

it('the page of an ended call has a folded section with every source’s quote', async () => {
  open();
  await heading();
  expect(screen.getByText('Evidence and log').closest('details')?.open).toBe(false);
  expect(textsOf((await openEvidence()).slice(-2))).toEqual([
    expect.stringMatching(
      /^EntryJupiterRecordedNovember 18, 2026.+Slot 312,456,7890\.00002000Liquidity \$1,234,568$/,
    ),
    expect.stringMatching(/^EntryDexScreenerNovember 18, 2026.+no response$/),
  ]);
});

it('the call page shows why the call is unranked above the call’s change', async () => {
  open({ ...ended, unrankedReason: 'micro_cap' });
  await heading();
  const note = screen.getByText(/^The token is a micro-cap/);
  expect(note.compareDocumentPosition(screen.getByRole('region', { name: 'Change' }))).toBe(
    Node.DOCUMENT_POSITION_FOLLOWING,
  );
});

it.each([
  [{ isPaidPromotion: true }, /^Paid promotion\. Ada Byron disclosed being paid/],
  [{ unrankedReason: 'micro_cap' }, /^Micro-cap\. The token is a micro-cap/],
  [{ uncountedGainReason: 'short_hold' }, /^This gain counts as 0%\. .+ open for less than 10 minutes\./],
  [
    { automaticEnd: 'no_price', endPrice: '0' },
    /^Ended automatically\. No price source .+ so the call ended at 0\./,
  ],
] as const)('the page of an ended call shows a note for %j', async (change, words) => {
  open({ ...ended, ...change });
  await heading();
  expect(textsOf(screen.getAllByRole('note'))).toEqual([expect.stringMatching(words)]);
});

it('the page of an ended call shows no thesis, price levels or notes if there are none', async () => {
  open({ ...callDetail, logEntries: ended.logEntries });
  await heading();
  expect(screen.queryByRole('note')).toBeNull();
  expect(screen.queryByText(/Evidence/)).toBeNull();
  expect([figure('Target'), figure('Stop'), figure('Peak')]).toEqual([undefined, undefined, '–']);
});

it.each([
  ['can share an ended call', ended, 'button', 'Share BONK'],
  ['can update or end an active call', active, 'link', 'Update or end call'],
])('the call page shows an action only to the caller, who %s', async (_what, call, role, action) => {
  open(call, { 'GET /api/auth/user': { ...signedInUser, id: ada.id, isCaller: true } });
  await screen.findByRole(role, { name: action });
  cleanup();
  open(call, { 'GET /api/auth/user': signedInUser });
  await heading();
  await screen.findByRole('button', { name: 'Your account' });
  expect(screen.queryByRole(role, { name: action })).toBeNull();
});

it('the call page warns that the call’s caller looks like a better-known caller', async () => {
  const known = { ...ada, id: 'caller-9', twitterHandle: 'amara_calls' };
  open(ended, { 'GET /api/callers/caller-1': { ...adaProfile, lookAlike: known } });
  await screen.findByText('Not @amara_calls.');
  expect(hrefOf('Ada Byron (@amara_calls)')).toBe('/caller/caller-9');
});

describe('the page of an active call', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: Date.parse('2026-11-20T12:00:00.000Z') });
  });
  const ROUTE = `GET /api/token-calls/${active.id}`;
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
  const priceNow = (price: string) => ({ price, at: new Date().toISOString(), source: 'jupiter' });

  it('the page of an active call polls price and market cap every ten seconds, and marks a stale price', async () => {
    let lastPrice = priceNow('2.5');
    const call = { ...active, entryMarketCapUsd: 2_000_000_000 };
    const { calls } = open(active, { [ROUTE]: () => ({ ...call, lastPrice }) });
    await pass(100);
    expect(figure('Entry')).toBe('2.0000Market cap $2.0B');
    expect([figure('Now'), change()]).toEqual(['2.5000Market cap $2.5B', '+25.0%']);
    lastPrice = priceNow('0.8');
    await pass(10_000);
    expect([figure('Now'), change()]).toEqual(['0.8000Market cap $800.0M', '-60.0%']);
    expect(calls.filter(({ route }) => route === ROUTE)).toHaveLength(2);
    await pass(150_000);
    expect([figure('Now'), change()]).toEqual(['0.8000 2m oldMarket cap $800.0M', '-60.0%']);
  });

  it('the page of an active call shows the end price once the call has ended', async () => {
    let call: CallDetail = active;
    open(active, { [ROUTE]: () => call });
    await pass(100);
    expect(screen.getByText('Active')).toBeTruthy();
    screen.getByText('from entry to current price, open for 2d 2h');
    const endTimestamp = '2026-11-20T12:00:00.000Z';
    call = { ...active, isActive: false, endPrice: '3', endTimestamp, changePercent: 50 };
    await pass(10_000);
    expect(screen.getByText('Ended', { selector: 'span' })).toBeTruthy();
    expect(figure('End')).toBe('3.0000');
  });

  it('the page of an active call hides the call when the viewer loses access', async () => {
    let isVisible = true;
    open(active, { [ROUTE]: () => (isVisible ? active : missing()) });
    await pass(100);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toContain('dogwifhat');
    isVisible = false;
    await pass(10_000);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Call Not Found');
    expect(document.body.textContent).not.toContain('dogwifhat');
  });
});

it.each([
  ['signed-out viewers a sign-in link that returns to the call', signedOut, true],
  ['signed-in viewers only Recent Calls', signedInUser, false],
])('the page of a call that does not exist offers %s', async (_what, user, needsSignIn) => {
  open(ended, { 'GET /api/token-calls/call-1': missing, 'GET /api/auth/user': user });
  expect((await heading()).textContent).toBe('Call Not Found');
  expect(document.title).toBe('Call Not Found · SolCallers');
  expect(await findHref('Back to Recent Calls')).toBe('/recent-calls');
  const hint = () => screen.queryByText(/If you subscribe to its caller, sign in to see it\./);
  await waitFor(() => expect(hint() !== null).toBe(needsSignIn));
  if (needsSignIn) {
    expect(hrefOf('Sign in with Twitter', screen.getByRole('main'))).toBe(
      '/api/auth/twitter?returnTo=%2Fcall%2Fcall-1',
    );
  }
});

it('the link from a list of calls to a call page focuses the heading of the call page', async () => {
  const { router, queryClient } = open(ended, { 'GET /api/token-calls/ended': [endedCall] });
  await act(() => router.navigate({ to: '/recent-calls' }));
  const link = await screen.findByRole('link', { name: 'BONK' });
  expect(link.getAttribute('href')).toBe('/call/call-1');
  queryClient.removeQueries(callQuery('call-1'));
  fireEvent.click(link);
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Bonk BONK'));
});

it('a list of calls marks promotions, unranked calls, automatic ends and gains that count as 0%', async () => {
  const flagged = { ...endedCall, isPaidPromotion: true, unrankedReason: 'micro_cap' };
  const ended0 = {
    ...endedCall,
    endPrice: '0',
    automaticEnd: 'no_price',
    uncountedGainReason: 'short_hold',
  };
  const { router } = open(ended, { 'GET /api/token-calls/ended': [flagged, ended0, endedCall] });
  await act(() => router.navigate({ to: '/recent-calls' }));
  const [first, second, plain] = textsOf(await findRows('Recent Calls'));
  expect(first).toContain('Paid promotionMicro-cap');
  expect(second).toMatch(/Gain counts as 0%Ended automatically.*-100\.0%/);
  expect(plain).not.toMatch(/Paid promotion|Unranked|counts as|automatically/);
  expect(screen.getByText('Micro-cap').title).toContain('below $25,000');
});

describe('the updates of a call', () => {
  const userAs = (user: object) => ({
    'GET /api/auth/user': user,
    'POST /api/reports': { message: 'Thanks.' },
  });

  it('the updates of a call can be reported one by one', async () => {
    const { calls } = open(ended, userAs(signedInUser));
    fireEvent.click(await screen.findByRole('button', { name: 'Report this update' }));
    const dialog = within(await screen.findByRole('dialog', {}, { timeout: 5_000 }));
    fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: 'other' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Send report' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    const report = { kind: 'update', id: 'u1', reason: 'other' };
    expect(calls.find(({ route }) => route === 'POST /api/reports')?.body).toEqual(report);
  });

  it.each([
    ['their caller', { ...signedInUser, id: ended.callerId }],
    ['an operator', { ...signedInUser, isOperator: true }],
  ])('the updates of a call have no report button for %s', async (_who, user) => {
    open(ended, userAs(user));
    await screen.findByText('Still holding.');
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Report this update' })).toBeNull());
  });
});
