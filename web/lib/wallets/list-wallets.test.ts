import { expect, it } from 'vitest';
import { isInstalled, listWallets } from './list-wallets.ts';
import { ADDRESS_B, fakeProvider, fakeStandardWallet } from './wallet-test-doubles.ts';

const namesOf = (page: unknown, standard: Parameters<typeof listWallets>[0]['standard'] = []) =>
  listWallets({ page, standard })
    .filter(isInstalled)
    .map(({ name }) => name);

// Specification 5.33
it.each([
  ['Phantom', { solana: fakeProvider({ isPhantom: true }) }],
  ['Phantom', { phantom: { solana: fakeProvider({ isPhantom: true }) } }],
  ['Magic Eden', { magicEden: { solana: fakeProvider({ isMagicEden: true }) } }],
  ['Solflare', { solflare: fakeProvider({ isSolflare: true }) }],
  ['Backpack', { backpack: fakeProvider({ isBackpack: true }) }],
  ['Coinbase Wallet', { coinbaseSolana: fakeProvider({ isCoinbaseWallet: true }) }],
  ['Coinbase Wallet', { solana: fakeProvider({ isCoinbaseWallet: true }) }],
  ['Backpack', { solana: fakeProvider({ isPhantom: true, isBackpack: true }) }],
])('the wallet list includes an injected %s, recognized by its own flag', (name, page) => {
  expect(namesOf(page)).toEqual([name]);
});

// Specification 5.33
it.each([
  ['an object without the flag', { solana: fakeProvider({}) }],
  ['a false flag', { solflare: fakeProvider({ isSolflare: false }) }],
  ['a flag on something that cannot sign', { solana: { isPhantom: true, connect: async () => {} } }],
  ['a Magic Eden flag outside the magicEden object', { solana: fakeProvider({ isMagicEden: true }) }],
  ['a wallet that is not installed', {}],
])('the wallet list shows no wallet as installed for %s', (_what, page) => {
  expect(namesOf(page)).toEqual([]);
});

it('the wallet list starts with installed wallets, and each wallet that is still offered has an install link', () => {
  const choices = listWallets({ page: { solflare: fakeProvider({ isSolflare: true }) }, standard: [] });
  const names = choices.map(({ name }) => name);
  expect(names).toEqual(['Solflare', 'Phantom', 'Magic Eden', 'Backpack', 'Coinbase Wallet']);
  const withoutLink = choices.filter(({ installUrl }) => !installUrl?.startsWith('https://'));
  expect(withoutLink.map(({ name }) => name)).toEqual(['Magic Eden']);
  for (const { id, icon } of choices) expect(icon).toContain(`/logos/${id}.svg`);
});

const { wallet: glow } = fakeStandardWallet({ name: 'Glow' });
const sender = { 'standard:connect': {}, 'solana:signAndSendTransaction': {} };
it.each([
  ['can sign a Solana transaction', [glow]],
  ['can only sign and send in one step', [{ ...glow, features: sender }]],
  ['is registered twice', [glow, fakeStandardWallet({ name: 'Glow' }).wallet]],
])('the wallet list has one entry for a registered wallet that %s', (_what, standard) => {
  expect(namesOf({}, standard)).toEqual(['Glow']);
});

it('the wallet list explains why a Solana wallet can’t be used, and omits wallets of other chains', () => {
  const ethereum = fakeStandardWallet({ name: 'Ether', chains: ['eip155:1'] }).wallet;
  const features = { 'standard:connect': {}, 'solana:signMessage': {} };
  const writer = { ...ethereum, name: 'Writer', chains: ['solana:mainnet'] as const, features };
  const choices = listWallets({ page: {}, standard: [ethereum, writer] });
  expect(choices.map(({ name }) => name)).not.toContain('Ether');
  const problem = "Can't sign Solana transactions.";
  expect(choices.at(-1)).toMatchObject({ name: 'Writer', adapter: null, problem });
});

it('the wallet list has one entry for a wallet that is both registered and injected', async () => {
  const page = { phantom: { solana: fakeProvider({ isPhantom: true }) } };
  const choices = listWallets({ page, standard: [fakeStandardWallet({ name: 'Phantom' }).wallet] });
  const phantoms = choices.filter(({ name }) => name === 'Phantom');
  expect(phantoms).toHaveLength(1);
  expect(await phantoms[0]?.adapter?.connect({ silent: false })).toBe(ADDRESS_B);
  expect(phantoms[0]?.icon).toMatch(/^data:image/);
});

it.each([
  'https://wallet.example/icon.png',
  'javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  undefined,
])('the wallet list shows only icons that are data URLs of images, not %s', (icon) => {
  const unfit = { ...glow, name: 'Sender', features: { 'standard:connect': {} } };
  const standard = [glow, unfit].map((each) => ({ ...each, icon }) as typeof glow);
  const choices = listWallets({ page: {}, standard });
  const iconOf = (wanted: string) => choices.find(({ name }) => name === wanted)?.icon;
  expect([iconOf('Glow'), iconOf('Sender')]).toEqual([null, null]);
});
