import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { inPages, refuse } from '#web/testing/fake-api.ts';
import { cellsOf, columnsOf, expectNewTab, findRows, hrefOf, textsOf } from '#web/testing/find-in-page.ts';
import { openApp } from '#web/testing/render-app.tsx';
import { endedCall } from '#web/testing/samples.ts';

const ROUTE = 'GET /api/token-calls/ended';

function open(response: unknown) {
  const { calls } = openApp('/recent-calls', { [ROUTE]: response });
  return { requested: () => calls.filter(({ route }) => route === ROUTE).map(({ search }) => search) };
}

const rows = () => findRows('Recent Calls');

// Specification 2.3, 2.148-2.151, 8.47, 9.46
it('Recent Calls shows its heading while the calls load, and shows a failed request as an error without repeating it', async () => {
  const failure = Promise.withResolvers<Response>();
  const { requested } = open(() => failure.promise);
  await screen.findByText('Loading recent calls...');
  screen.getByRole('heading', { name: 'Recent Calls' });
  screen.getByText('Latest token calls from verified traders');
  failure.resolve(refuse(502, 'server.failed', 'Down.'));
  await screen.findByText('Failed to load recent calls');
  expect(requested()).toHaveLength(1);
});

// Specification 2.152
it.each([[[]], [{ calls: 'no list' }]])(
  'Recent Calls shows the empty state for the response %j',
  async (response) => {
    open(response);
    await screen.findByText('No recent calls available');
  },
);

// Specification 2.7, 2.153-2.158, 2.162-2.165, 2.168, 2.169, 2.173-2.176, 6.2, 9.33
it('Recent Calls shows a table with six columns, and links people, tokens and X accounts', async () => {
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
  const caller = { ...endedCall.caller, isVerified: false };
  open([
    { ...endedCall, callTimestamp: hoursAgo(5), endTimestamp: hoursAgo(3), entryMarketCapUsd: 1_760_000_000 },
    { ...endedCall, id: 'x', caller, entryPrice: '2', endPrice: '1.5', endTimestamp: undefined },
  ]);
  const [first, second] = (await rows()) as [HTMLElement, HTMLElement];
  expect(columnsOf(screen.getByRole('table'))).toBe('Caller, Token, Call Price, End Price, Change, Ended');
  expect(cellsOf(first).slice(-4)).toEqual([
    '0.00002000MC $1.8B',
    '0.00003000MC $2.6B',
    '+50.0%',
    '3h ago held 2h',
  ]);
  expect(cellsOf(second).slice(-4)).toEqual(['2.00', '1.50', '-25.0%', 'Unknown']);
  expect(hrefOf('Ada Byron', first)).toBe('/caller/caller-1');
  const image = first.querySelector('img[src="https://img.example/ada.png"]') as HTMLElement;
  expect(image.closest('a')?.getAttribute('href')).toBe('/caller/caller-1');
  expectNewTab('@ada', 'https://x.com/ada', first);
  const isVerified = (row: HTMLElement) => within(row).queryByRole('img', { name: 'Verified' }) !== null;
  expect([first, second].map(isVerified)).toEqual([true, false]);
});

// Specification 2.170
it('Recent Calls shows the change in green with + above zero and in red otherwise', async () => {
  const endingAt = (endPrice: string) => ({ ...endedCall, id: endPrice, entryPrice: '2', endPrice });
  open(['2.5', '2', '1.5'].map(endingAt));
  await rows();
  const toneOf = (text: string) => /text-(?:gain|loss)/.exec(screen.getByText(text).className ?? '')?.[0];
  expect(['+25.0%', '0.0%', '-25.0%'].map(toneOf)).toEqual(['text-gain', 'text-loss', 'text-loss']);
});

// Specification 2.171, 2.172
it('Recent Calls shows N/A for a missing price', async () => {
  const { endPrice: _endPrice, ...call } = endedCall;
  open([{ ...call, entryPrice: '0' }]);
  expect(await screen.findAllByText('N/A')).toHaveLength(2);
});

// Specification 2.166, 2.167
it('Recent Calls shows the first letter of the first name, or a U, if an avatar does not load', async () => {
  open([endedCall, { ...endedCall, id: 'x', caller: { ...endedCall.caller, firstName: '' } }]);
  const links = (await rows()).map((row) => {
    const image = row.querySelector('img[src*="ada"]') as Element;
    const link = image.closest('a') as Element;
    fireEvent.error(image);
    return link;
  });
  await waitFor(() => expect(textsOf(links)).toEqual(['A', 'U']));
});

it('Recent Calls shows older calls, page by page', async () => {
  const older = { ...endedCall, id: 'older', tokenSymbol: 'OLD' };
  const { requested } = open(inPages([endedCall], [older]));
  const button = await screen.findByRole('button', { name: 'Show older calls' });
  button.focus();
  fireEvent.click(button);
  await screen.findByText('OLD');
  expect(screen.getAllByText('BONK')).toHaveLength(1);
  expect(requested()).toEqual([undefined, '?cursor=page%2F2']);
  expect(screen.queryByRole('button', { name: 'Show older calls' })).toBeNull();
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 })));
});

it('Recent Calls filters by the chip and by a token’s symbol, and the address says so', async () => {
  const { requested } = open([{ ...endedCall, tokenName: 'Bonk', tokenSymbol: 'BONK' }]);
  await rows();
  const chip = (name: string) => screen.getByRole('link', { name });
  expect(chip('All').getAttribute('aria-current')).toBe('page');
  expect(screen.getAllByText(/^bonk$/i)).toHaveLength(1);
  screen.getByText(/and all other callers/);
  fireEvent.click(chip('Verified callers'));
  await waitFor(() => expect(chip('Verified callers').getAttribute('aria-current')).toBe('page'));
  expect(chip('All').getAttribute('aria-current')).toBeNull();
  expect(screen.queryByText(/and all other callers/)).toBeNull();
  const field = screen.getByRole('searchbox', { name: 'Token symbol or address' });
  fireEvent.change(field, { target: { value: ' wif ' } });
  fireEvent.submit(field);
  await waitFor(() => expect(requested()).toEqual([undefined, '?only=verified', '?symbol=WIF']));
});

it('an address in the field of Recent Calls opens the token’s page', async () => {
  const { address } = openApp('/recent-calls', { [ROUTE]: [endedCall] });
  await rows();
  const field = screen.getByRole('searchbox', { name: 'Token symbol or address' });
  fireEvent.change(field, { target: { value: ` ${endedCall.tokenMint} ` } });
  fireEvent.submit(field);
  await waitFor(() => expect(address()).toBe(`/token/${endedCall.tokenMint}`));
});

// Specification 2.159-2.161
it('Recent Calls labels the figures of its cards on narrow screens', async () => {
  open([{ ...endedCall, entryMarketCapUsd: 1_760_000_000 }]);
  const [row] = await rows();
  const labelled = [...(row?.querySelectorAll<HTMLElement>('[data-label]') ?? [])];
  expect(labelled.map(({ dataset, textContent }) => `${dataset['label']} ${textContent}`)).toEqual([
    'Call 0.00002000MC $1.8B',
    'End 0.00003000MC $2.6B',
  ]);
});
