import { fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { TokenCall } from '#schema/contracts/calls.ts';
import type { SavedWallet, WalletTransaction } from '#schema/contracts/wallets.ts';
import { type FakeRoutes } from '#web/testing/fake-api.ts';
import { buttonOf, findHref, findItems } from '#web/testing/find-in-page.ts';
import { renderScreen } from '#web/testing/render-screen.tsx';
import { CallerView } from './caller-view.tsx';
import {
  activeCall,
  BONK,
  caller,
  dashboardApi,
  savedWallet as wallet,
  WIF,
  wif,
} from '#web/testing/dashboard-samples.ts';

const buyOfWif: WalletTransaction = {
  signature: 'signature-1',
  tokenMint: WIF,
  tokenSymbol: 'WIF',
  tokenName: 'dogwifhat',
  logoURI: null,
  amount: '1250.5',
  timestamp: new Date(Date.now() - 5 * 60_000).toISOString(),
  transactionType: 'buy',
};
const TRANSACTIONS = 'GET /api/wallet/transactions';

function show({
  wallets = [wallet],
  transactions = [buyOfWif],
  activeCalls = [],
  api = {},
}: {
  wallets?: readonly SavedWallet[];
  transactions?: unknown;
  activeCalls?: readonly TokenCall[];
  api?: FakeRoutes;
} = {}) {
  const responses = {
    ...dashboardApi,
    'GET /api/user/wallets': wallets,
    [TRANSACTIONS]: transactions,
    [`GET /api/token-calls/caller/${caller.id}/active`]: activeCalls,
    [`GET /api/tokens/${WIF}`]: wif,
    ...api,
  };
  const shown = renderScreen(<CallerView renderShare={() => null} user={caller} token={undefined} />, {
    api: responses,
  });
  fireEvent.click(screen.getByText('Your Recent Buys'));
  return shown;
}

const rows = () => findItems('Your Recent Buys');

const scrollIntoView = vi.fn();

beforeEach(() => {
  Element.prototype.scrollIntoView = scrollIntoView;
});

afterEach(() => {
  scrollIntoView.mockClear();
});

it('the list of recent buys shows token, amount and time of a buy', async () => {
  show();
  const [row] = await rows();
  expect(row?.textContent).toContain('dogwifhatWIF1,250.5 WIF5m ago');
});

// Specification 9.23
it('the list of recent buys requests the newest 100 transactions of type buy', async () => {
  const { calls } = show();
  await rows();
  const searches = calls.filter(({ route }) => route === TRANSACTIONS).map(({ search }) => search);
  expect(searches).toEqual(['?limit=100&type=buy']);
});

it('the list of recent buys fills in the token at every click on Call, even for the same token', async () => {
  const { routes } = show();
  const field = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Find a token' });
  const makeCall = await screen.findByRole('button', { name: 'Call WIF' });
  fireEvent.click(makeCall);
  expect(field().value).toBe(WIF);
  expect(await screen.findByRole('button', { name: 'Make Call' })).toBeDefined();
  expect(routes()).toContain(`GET /api/tokens/${WIF}`);
  expect(document.activeElement).toBe(screen.getByRole('group', { name: 'Make a Token Call' }));
  expect(scrollIntoView).toHaveBeenCalledOnce();
  fireEvent.change(field(), { target: { value: 'something else' } });
  fireEvent.click(makeCall);
  expect(field().value).toBe(WIF);
});

it('the list of recent buys disables Call for a token with an active call on the same symbol', async () => {
  show({ activeCalls: [{ ...activeCall, tokenMint: BONK, tokenSymbol: 'wif' }] });
  await screen.findByRole('button', { name: 'Already Called WIF' });
  const button = buttonOf('Already Called WIF');
  expect([button.disabled, button.textContent]).toEqual([true, 'Already Called']);
  expect(screen.queryByRole('button', { name: 'Call WIF' })).toBeNull();
});

it.each([
  ['no wallet', []],
  ['an unproven wallet', [{ ...wallet, isProven: false, isPayout: false }]],
])(
  'the list of recent buys asks a caller with %s to verify a wallet, and requests no transactions',
  async (_what, wallets) => {
    const { routes } = show({ wallets });
    expect(await findHref('Verify a wallet')).toBe('/settings/wallets');
    expect(routes().filter((route) => route.includes('/api/wallet/'))).toEqual([]);
  },
);

it('the list of recent buys shows an empty state without buys', async () => {
  show({ transactions: [] });
  expect(await screen.findByText('No recent buys')).toBeDefined();
});

it.each([
  [0, []],
  [1, ['1 transaction can’t be read yet. Buys among them are missing here.']],
  [2, ['2 transactions can’t be read yet. Buys among them are missing here.']],
])('the list of recent buys says that %i transactions can’t be read', async (count, notes) => {
  const unreadable = { signature: 'newer', transactionType: 'unreadable' };
  show({ transactions: [buyOfWif, ...Array.from({ length: count }, () => unreadable)] });
  expect(await rows()).toHaveLength(1);
  expect(screen.queryAllByText(/can’t be read yet/).map(({ textContent }) => textContent)).toEqual(notes);
});
