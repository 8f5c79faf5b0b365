import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { type FakeRoutes, refuse, stubApi } from '#web/testing/fake-api.ts';
import { expectToast, renderScreen } from '#web/testing/render-screen.tsx';
import { activeCall, BONK, caller, WIF, wif } from './dashboard-test-data.ts';
import { MakeCallCard } from './make-call-card.tsx';

const LOOKUP = `GET /api/tokens/${WIF}`;
const CREATE = 'POST /api/token-calls';

function show({ api = {}, activeCalls = [] }: { api?: FakeRoutes; activeCalls?: readonly TokenCall[] } = {}) {
  const calls = stubApi({ [LOOKUP]: wif, [CREATE]: { ...activeCall, tokenSymbol: 'WIF' }, ...api });
  renderScreen(<MakeCallCard callerId={caller.id} token={undefined} activeCalls={activeCalls} />);
  return { bodies: () => calls.filter(({ route }) => route === CREATE).map(({ body }) => body) };
}

const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Token address' });

function lookUp(address: string) {
  fireEvent.change(field(), { target: { value: address } });
  fireEvent.click(screen.getByRole('button', { name: 'Look up' }));
}

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe('looking up a token', () => {
  it.each<[string, string, FakeRoutes]>([
    ['Please enter a token address', '  ', {}],
    [
      'Token not found',
      'not-an-address',
      { 'GET /api/tokens/not-an-address': () => refuse(400, 'request.invalid', 'x') },
    ],
    ['Token not found', WIF, { [LOOKUP]: () => refuse(404, 'tokens.not_found', 'x') }],
    ['Failed to lookup token', WIF, { [LOOKUP]: () => refuse(403, 'request.cross_site', 'x') }],
  ])('[5.22-5.24] shows the error "%s" for the address %o', async (words, address, api) => {
    show({ api });
    lookUp(address);
    expect(await screen.findByText(words)).toBeDefined();
    expect(field().getAttribute('aria-invalid')).toBe('true');
  });

  it('shows the found token with its mint to copy', async () => {
    show();
    lookUp(` ${WIF} `);
    expect(await screen.findByText('dogwifhat')).toBeDefined();
    expect(screen.getByText('WIF')).toBeDefined();
    expect(screen.getByText('2.5000')).toBeDefined();
    expect(screen.getByText('$1,234,568')).toBeDefined();
    expect(screen.getByRole('button', { name: 'Copy mint' })).toBeDefined();
  });

  it('continues with the token and its terms after the page was loaded again, until the call is made', async () => {
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

  it('hides the found token when the address changes', async () => {
    show();
    lookUp(WIF);
    await screen.findByText('dogwifhat');
    fireEvent.change(field(), { target: { value: BONK } });
    expect(screen.queryByText('dogwifhat')).toBeNull();
  });
});

describe('the Make Call button', () => {
  it('[2.74, 8.37] posts the shown token and price, then clears the form', async () => {
    const { bodies } = show();
    lookUp(WIF);
    fireEvent.click(await screen.findByRole('button', { name: 'Make Call' }));
    await expectToast('Token Call Created');
    expect(bodies()).toEqual([
      {
        tokenSymbol: 'WIF',
        tokenName: 'dogwifhat',
        tokenMint: WIF,
        entryPrice: '2.5',
        callerId: caller.id,
        logoURI: 'https://example.com/wif.png',
      },
    ]);
    expect(field().value).toBe('');
  });

  it.each([
    [
      'a token with an active call on the same mint',
      { ...activeCall, tokenMint: WIF, tokenSymbol: 'OTHER' },
      false,
    ],
    [
      'a token with an active call on the same symbol, and shows that call’s mint',
      { ...activeCall, tokenSymbol: 'wif' },
      true,
    ],
  ])('[5.25, 5.26] is replaced by Already Called for %s', async (_what, active, namesMint) => {
    show({ activeCalls: [active] });
    lookUp(WIF);
    expect((await screen.findByRole<HTMLButtonElement>('button', { name: 'Already Called' })).disabled).toBe(
      true,
    );
    expect(screen.queryByRole('button', { name: 'Make Call' })).toBeNull();
    expect(screen.queryByTitle(BONK) !== null).toBe(namesMint);
  });

  it('[8.33] shows an error for a token without a price and posts nothing', async () => {
    const { bodies } = show({ api: { [LOOKUP]: { ...wif, price: null } } });
    lookUp(WIF);
    fireEvent.click(await screen.findByRole('button', { name: 'Make Call' }));
    await expectToast('Error', 'Failed to fetch current price for token call');
    expect(bodies()).toEqual([]);
  });

  it('asks to confirm the new price when the price has changed', async () => {
    let attempts = 0;
    const { bodies } = show({
      api: {
        [CREATE]: () =>
          attempts++ === 0
            ? refuse(409, 'calls.price_moved', 'Moved.', { currentPrice: '3.1' })
            : { ...activeCall, tokenSymbol: 'WIF' },
      },
    });
    lookUp(WIF);
    fireEvent.click(await screen.findByRole('button', { name: 'Make Call' }));
    const again = await screen.findByRole('button', { name: 'Make Call at the new price' });
    expect(screen.getByText(/The price changed to/).textContent).toContain('3.1000');
    fireEvent.click(again);
    await expectToast('Token Call Created');
    expect(bodies()).toMatchObject([{ entryPrice: '2.5' }, { entryPrice: '3.1' }]);
  });

  it.each([
    [
      'the server’s reason',
      () => refuse(409, 'calls.already_called', 'Already Called: end it first.'),
      'Already Called: end it first.',
    ],
    ['the fallback text', () => new Response('', { status: 500 }), 'Failed to create token call'],
  ])('[8.23, 8.26] shows %s when the call fails', async (_what, answer, words) => {
    show({ api: { [CREATE]: answer } });
    lookUp(WIF);
    fireEvent.click(await screen.findByRole('button', { name: 'Make Call' }));
    await expectToast('Error', words);
    expect(screen.getByText('dogwifhat')).toBeDefined();
  });
});
