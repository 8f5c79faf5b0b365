import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import type { TokenCall } from '#schema/contracts/calls.ts';
import type { FoundToken } from '#schema/contracts/prices.ts';
import { failures, type FakeRoutes, refuse } from '#web/testing/fake-api.ts';
import { findAndClick } from '#web/testing/find-in-page.ts';
import { expectToast, renderScreen } from '#web/testing/render-screen.tsx';
import { activeCall, BONK, caller, WIF, wif } from '#web/testing/dashboard-samples.ts';
import { MakeCallCard } from './make-call-card.tsx';

const LOOKUP = `GET /api/tokens/${WIF}`;
const SEARCH = 'GET /api/tokens/search';
const CREATE = 'POST /api/token-calls';

function show({ api = {}, activeCalls = [] }: { api?: FakeRoutes; activeCalls?: readonly TokenCall[] } = {}) {
  const { bodies, calls } = renderScreen(
    <MakeCallCard callerId={caller.id} token={undefined} activeCalls={activeCalls} />,
    { api: { [LOOKUP]: wif, [CREATE]: { ...activeCall, tokenSymbol: 'WIF' }, ...api } },
  );
  return {
    bodies: () => bodies(CREATE),
    searches: () => calls.filter(({ route }) => route === SEARCH).map(({ search }) => search),
  };
}

const field = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Find a token' });

function lookUp(address: string) {
  fireEvent.change(field(), { target: { value: address } });
  fireEvent.click(screen.getByRole('button', { name: 'Look up' }));
}

// Specification 5.22-5.24
it.each<[string, string, FakeRoutes]>([
  ['Please enter a token address', '  ', {}],
  ['Token not found', 'not-an-address', { [SEARCH]: [] }],
  ['Token not found', WIF, { [LOOKUP]: () => refuse(404, 'tokens.not_found', 'x') }],
  ['Failed to lookup token', WIF, { [LOOKUP]: () => refuse(403, 'request.cross_site', 'x') }],
])('looking up a token shows the error "%s" for the address %o', async (words, address, api) => {
  show({ api });
  lookUp(address);
  expect(await screen.findByText(words)).toBeDefined();
  expect(field().getAttribute('aria-invalid')).toBe('true');
});

it('looking up a token shows the token, and its mint can be copied', async () => {
  show();
  lookUp(` ${WIF} `);
  await screen.findByText('dogwifhat');
  for (const text of ['WIF', '2.5000', '$1,234,568']) screen.getByText(text);
  screen.getByRole('button', { name: 'Copy token address' });
});

it('the looked-up token and the typed thesis survive a reload until the call is made', async () => {
  const thesis = () => screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Thesis' });
  show();
  lookUp(WIF);
  fireEvent.change(await thesis(), { target: { value: 'Hats are back.' } });
  cleanup();
  show();
  expect((await thesis()).value).toBe('Hats are back.');
  expect((await thesis()).closest('details')?.open).toBe(true);
  fireEvent.click(screen.getByRole('button', { name: 'Make Call' }));
  await expectToast('Token Call Created');
  cleanup();
  show();
  expect(field().value).toBe('');
  lookUp(WIF);
  expect((await thesis()).value).toBe('');
});

const FAKE = `StandinFakeWif${'X'.repeat(29)}`;
const foundWif: FoundToken = {
  mint: WIF,
  symbol: 'WIF',
  name: 'dogwifhat',
  logoURI: null,
  liquidityUsd: 7_900_000,
  marketCapUsd: 819_000_000,
  isVerified: true,
  lookAlike: null,
};
const foundFake: FoundToken = {
  ...foundWif,
  mint: FAKE,
  symbol: 'W1F',
  liquidityUsd: 2_300,
  marketCapUsd: null,
  isVerified: false,
  lookAlike: { mint: WIF, symbol: 'WIF', name: 'dogwifhat', liquidityUsd: 7_900_000, isVerified: true },
};

describe('searching for a token', () => {
  const type = (text: string) => fireEvent.change(field(), { target: { value: text } });
  const options = () => screen.findAllByRole('option');
  const search = async (text = 'wif') => {
    type(text);
    return options();
  };
  const bothFound = { [SEARCH]: [foundWif, foundFake], [`GET /api/tokens/${FAKE}`]: { ...wif, mint: FAKE } };

  it('the token search sends one request when typing pauses, and lists each token’s details', async () => {
    const { searches } = show({ api: bothFound });
    type('w');
    expect(screen.getByText('Type at least 2 characters, or paste a token address.')).toBeDefined();
    type('wi');
    const [real, fake] = await search(' wif ');
    expect(searches()).toEqual(['?q=wif']);
    expect(screen.getByRole('listbox', { name: 'Tokens' })).toBeDefined();
    expect(field().getAttribute('aria-expanded')).toBe('true');
    expect(real?.textContent).toContain(`dogwifhatWIF${WIF}Liquidity $7.9M, market cap $819.0M`);
    expect(within(real as HTMLElement).getByRole('img', { name: 'Verified' })).toBeDefined();
    expect(fake?.textContent).toContain(`W1F${FAKE}Liquidity $2.3K, not verified`);
    expect(fake?.textContent).toContain('Looks like dogwifhat (WIF), verified, address EKpQ…zcjm');
  });

  it('a clicked search result is shown with its look-alike warning until the text changes', async () => {
    show({ api: bothFound });
    fireEvent.click((await search())[1] as HTMLElement);
    expect(field().value).toBe(FAKE);
    await screen.findByText('A better-known token looks like this one');
    screen.getByTitle(WIF);
    screen.getByRole('button', { name: 'Make Call' });
    expect(screen.queryByRole('listbox')).toBeNull();
    type(BONK);
    expect(screen.queryByText('dogwifhat')).toBeNull();
  });

  it('the token search works with the keyboard alone', async () => {
    show({ api: bothFound });
    const [real, fake] = await search();
    const press = (key: string) => fireEvent.keyDown(field(), { key });
    const active = () => field().getAttribute('aria-activedescendant');
    expect(active()).toBeNull();
    press('ArrowDown');
    expect([active(), real?.getAttribute('aria-selected')]).toEqual([real?.id, 'true']);
    press('ArrowUp');
    expect([active(), fake?.getAttribute('aria-selected')]).toEqual([fake?.id, 'true']);
    press('ArrowDown');
    press('Enter');
    expect(field().value).toBe(WIF);
    await screen.findByText('2.5000');
  });

  it('the token search hides its list after Escape, until the text changes', async () => {
    show({ api: { ...bothFound } });
    await search();
    fireEvent.keyDown(field(), { key: 'Escape' });
    expect(screen.queryByRole('listbox')).toBeNull();
    expect(field().getAttribute('aria-expanded')).toBe('false');
    await search('wif2');
  });

  it('submitting the form starts the token search at once and shows that it is running', async () => {
    let response: (found: FoundToken[]) => void = () => undefined;
    show({ api: { [SEARCH]: () => new Promise((resolve) => (response = resolve)) } });
    lookUp('wif');
    expect(await screen.findByText('Searching tokens…')).toBeDefined();
    response([foundWif]);
    await options();
    expect(screen.queryByText('Searching tokens…')).toBeNull();
    expect(screen.getByText('1 token found')).toBeDefined();
  });

  it('the token search sends no request for a mint, a single character or 61 characters', async () => {
    const { searches } = show();
    for (const text of ['w', 'x'.repeat(61), WIF]) lookUp(text);
    await screen.findByText('dogwifhat');
    expect(searches()).toEqual([]);
    lookUp('w');
    expect(screen.getByText('Type at least 2 characters.')).toBeDefined();
    lookUp('x'.repeat(61));
    expect(screen.getByText('Token not found')).toBeDefined();
  });

  const offline = "You're offline. Check your connection and try again.";
  it.each<readonly [string, () => unknown, string]>([
    ...failures('tokens.too_many_searches', 'Failed to lookup token'),
    ['that there is no connection', () => Promise.reject(new TypeError('Failed to fetch')), offline],
  ])('the token search shows %s when it fails, and can be repeated', async (_what, fail, words) => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(words !== offline);
    const responses = [fail, () => [foundWif]];
    show({ api: { [SEARCH]: () => responses.shift()?.() } });
    lookUp('wif');
    await screen.findByText(words);
    expect(field().getAttribute('aria-invalid')).toBe('true');
    fireEvent.click(screen.getByRole('button', { name: 'Look up' }));
    await options();
    expect(screen.queryByText(words)).toBeNull();
  });
});

// Specification 5.25, 5.26
it.each([
  ['mint', { tokenMint: WIF, tokenSymbol: 'OTHER' }],
  ['symbol', { tokenSymbol: 'wif' }],
])(
  'the Make Call button is replaced by Already Called if a call on the same %s is active',
  async (what, active) => {
    show({ activeCalls: [{ ...activeCall, ...active }] });
    lookUp(WIF);
    const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'Already Called' });
    expect(button.disabled).toBe(true);
    expect(screen.queryByRole('button', { name: 'Make Call' })).toBeNull();
    expect(screen.queryByTitle(BONK) !== null).toBe(what === 'symbol');
  },
);

// Specification 8.33
it('the Make Call button shows an error for a token without a price, and posts nothing', async () => {
  const { bodies } = show({ api: { [LOOKUP]: { ...wif, price: null } } });
  lookUp(WIF);
  await findAndClick('Make Call');
  await expectToast('Error', 'Failed to fetch current price for token call');
  expect(bodies()).toEqual([]);
});

// Specification 8.23, 8.26
it.each(failures('calls.already_called', 'Failed to create token call'))(
  'the Make Call button shows %s when the call fails',
  async (_what, response, words) => {
    show({ api: { [CREATE]: response } });
    lookUp(WIF);
    await findAndClick('Make Call');
    await expectToast('Error', words);
    screen.getByText('dogwifhat');
  },
);
