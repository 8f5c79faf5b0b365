import { expect, it } from 'vitest';
import { createPageStorage } from '#web/lib/browser/page-storage.ts';
import { blockedStorage, fakeStorage } from '#web/testing/fake-storage.ts';
import { createWalletStore, LAST_WALLET_KEY } from './wallet-store.ts';
import {
  ADDRESS_A,
  ADDRESS_B,
  fakeAccount,
  fakeProvider,
  fakeRegistry,
  fakeStandardWallet,
  keyOf,
} from './wallet-test-doubles.ts';

function setUp(page: unknown = {}, { standard = fakeRegistry(), last = '' } = {}) {
  const storage = fakeStorage(last === '' ? {} : { [LAST_WALLET_KEY]: last });
  return { store: createWalletStore({ page, standard, storage }), standard, storage };
}
const phantom = (overrides = {}) => ({ solana: fakeProvider({ isPhantom: true }, overrides) });
const glow = () => fakeRegistry(fakeStandardWallet({ name: 'Glow' }).wallet);

/** Waits until resolved promises have run their callbacks. */
const flushPromises = () =>
  new Promise<void>((resolve) =>
    queueMicrotask(() => queueMicrotask(() => queueMicrotask(() => queueMicrotask(resolve)))),
  );

const decline = async () => {
  throw Object.assign(new Error('User rejected the request.'), { code: 4001 });
};

// Specification 4.20, 4.22
it('connecting a wallet changes the state from connecting to connected and remembers the wallet', async () => {
  const { store, storage } = setUp(phantom());
  const states: unknown[] = [];
  store.subscribe(() => states.push([store.getState().connecting, store.getState().connected]));
  expect(await store.connect('phantom')).toBe(ADDRESS_A);
  expect(states.slice(-2)).toEqual([
    [true, false],
    [false, true],
  ]);
  expect(store.getState()).toMatchObject({ address: ADDRESS_A, walletId: 'phantom', connectingId: null });
  expect(storage.values.get(LAST_WALLET_KEY)).toBe('phantom');
});

// Specification 5.33, 8.4-8.6
it.each([
  ['phantom', 'Phantom wallet not found. Please install Phantom extension.'],
  ['magic-eden', 'Magic Eden wallet not found. Please install Magic Eden extension.'],
  ['coinbase-wallet', 'Coinbase Wallet wallet not found. Please install Coinbase Wallet extension.'],
  [undefined, 'No Solana wallet found. Please install a Solana wallet extension.'],
  ['never-heard-of', 'No Solana wallet found. Please install a Solana wallet extension.'],
])(
  'connecting a wallet fails for the wallet id %s if that wallet is not installed',
  async (walletId, message) => {
    await expect(setUp().store.connect(walletId)).rejects.toThrow(message);
  },
);

it('connecting a wallet uses the first installed wallet by default', async () => {
  const { store } = setUp({ backpack: fakeProvider({ isBackpack: true }) });
  await store.connect();
  expect(store.getState().walletId).toBe('backpack');
});

// Specification 8.7
it('the earlier wallet stays connected when connecting another wallet fails with a generic error', async () => {
  const { store } = setUp({
    ...phantom(),
    solflare: fakeProvider({ isSolflare: true }, { connect: decline }),
  });
  await store.connect('phantom');
  await expect(store.connect('solflare')).rejects.toThrow('Failed to connect to wallet. Please try again.');
  expect(store.getState()).toMatchObject({ connected: true, connecting: false, walletId: 'phantom' });
});

it('connecting a wallet ignores the late result of an earlier attempt', async () => {
  let respondLate = (_key: unknown) => {};
  const slow = phantom({ connect: () => new Promise((resolve) => (respondLate = resolve)) });
  const { store } = setUp(slow, { standard: glow() });
  const first = store.connect('phantom');
  await store.connect('glow');
  respondLate({ publicKey: keyOf(ADDRESS_A) });
  await first;
  expect(store.getState()).toMatchObject({ walletId: 'glow', address: ADDRESS_B });
});

// Specification 4.23
it('the last wallet is restored without a prompt', async () => {
  const provider = fakeProvider({ isSolflare: true });
  const { store } = setUp({ solflare: provider }, { last: 'solflare' });
  store.start();
  await flushPromises();
  expect(provider.calls.connect).toEqual([{ onlyIfTrusted: true }]);
  expect(store.getState()).toMatchObject({ connected: true, address: ADDRESS_A });
});

// Specification 4.23
it('the last wallet is restored even if it is registered after the page has loaded', async () => {
  const { store, standard } = setUp({}, { last: 'local-wallet' });
  store.start();
  expect(store.getState().connected).toBe(false);
  const { wallet, requests } = fakeStandardWallet({ name: 'Local Wallet' });
  standard.add(wallet);
  await flushPromises();
  expect(requests.connect).toEqual([{ silent: true }]);
  expect(store.getState()).toMatchObject({ connected: true, address: ADDRESS_B, walletId: 'local-wallet' });
});

it('no wallet is restored if none was used before', async () => {
  const provider = fakeProvider({ isPhantom: true });
  const { store } = setUp({ solana: provider });
  store.start();
  await flushPromises();
  expect(provider.calls.connect).toEqual([]);
});

it('the last wallet is asked only once to reconnect, and stays disconnected after a refusal', async () => {
  let attempts = 0;
  const connect = async () => {
    attempts += 1;
    return decline();
  };
  const { store } = setUp(phantom({ connect }), { last: 'phantom' });
  store.start();
  await flushPromises();
  store.refresh();
  await flushPromises();
  expect(attempts).toBe(1);
  const message = 'Phantom is locked or asks for your permission again. Choose it to continue.';
  const { connected, failure } = store.getState();
  expect({ connected, failure }).toEqual({ connected: false, failure: { walletId: 'phantom', message } });
});

it('a wallet can be connected and disconnected when storage throws', async () => {
  const storage = createPageStorage(blockedStorage);
  const store = createWalletStore({ page: {}, standard: glow(), storage });
  store.start();
  await store.connect('glow');
  await store.disconnect();
  expect(store.getState().connected).toBe(false);
});

// Specification 4.21
it('the wallet store updates its state when the connected wallet switches its account or disconnects', async () => {
  const { wallet, emit } = fakeStandardWallet({ name: 'Glow', accounts: [fakeAccount(ADDRESS_A)] });
  const { store } = setUp({}, { standard: fakeRegistry(wallet) });
  await store.connect('glow');
  emit({ accounts: [fakeAccount(ADDRESS_B)] });
  expect(store.getState().address).toBe(ADDRESS_B);
  emit({ accounts: [] });
  expect(store.getState()).toMatchObject({ connected: false, address: null, walletId: null });
});

it('the wallet store removes the stored wallet on disconnect, even if the wallet’s disconnect fails', async () => {
  const { store, storage } = setUp(phantom({ disconnect: decline }));
  await store.connect('phantom');
  await store.disconnect();
  expect(store.getState().connected).toBe(false);
  expect(storage.values.has(LAST_WALLET_KEY)).toBe(false);
});

// Specification 8.8, 8.9
it('the wallet store returns no adapter before connecting or after the wallet was removed', async () => {
  const { wallet } = fakeStandardWallet({ name: 'Glow' });
  const standard = fakeRegistry(wallet);
  const { store } = setUp({}, { standard });
  store.start();
  expect(() => store.connectedAdapter()).toThrow('Wallet not connected');
  await store.connect('glow');
  expect(store.connectedAdapter().id).toBe('glow');
  standard.remove(wallet);
  expect(() => store.connectedAdapter()).toThrow('No connected wallet found');
});
