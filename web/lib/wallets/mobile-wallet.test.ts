import bs58 from 'bs58';
import { describe, expect, it, vi } from 'vitest';
import { toBase64 } from '#web/lib/browser/base64.ts';
import { fakeStorage } from '#web/testing/fake-storage.ts';
import { AUTHORIZATION_KEY, createMobileWallet, type MobileWalletOptions } from './mobile-wallet.ts';
import { assertReachable, canOpenWalletApps } from './register-mobile-wallet.ts';
import { canPay, createStandardAdapter } from './standard-adapter.ts';
import { ADDRESS_A, ADDRESS_B } from './wallet-test-doubles.ts';
import { WalletError } from './wallet-errors.ts';

const identity = { id: 'mobile', name: 'Wallet on this phone' };
const signature = new Uint8Array(64).fill(7);
const transaction = Uint8Array.of(1, 2, 3);
const failure = (code: string | number) => Object.assign(new Error('x'), { code });

interface Phone {
  readonly address?: string;
  readonly startFails?: Error;
  readonly authorizeFails?: Error;
  /** The app no longer knows this token. */
  readonly revoked?: string;
  readonly signFails?: Error;
  readonly storage?: ReturnType<typeof fakeStorage>;
}

/** A fake wallet app. `log` lists the requests that it gets. */
function phoneWallet({ address = ADDRESS_A, storage = fakeStorage(), ...fails }: Phone = {}) {
  const log: unknown[] = [];
  const app = {
    authorize: async (request: { auth_token?: string }) => {
      log.push({ authorize: request });
      const { auth_token: token } = request;
      if (token !== undefined && token === fails.revoked) throw failure(-1);
      if (fails.authorizeFails) throw fails.authorizeFails;
      return {
        accounts: [{ address: toBase64(bs58.decode(address)) }],
        auth_token: fails.revoked === undefined ? 'token-1' : 'token-2',
        wallet_uri_base: 'https://wallet.example/app',
      };
    },
    signAndSendTransactions: async (request: object) => {
      log.push({ send: request });
      if (fails.signFails) throw fails.signFails;
      return { signatures: [toBase64(signature)] };
    },
    signMessages: async ({ payloads: [message = ''] }: { payloads: string[] }) => ({
      signed_payloads: [btoa(`${atob(message)}${String.fromCharCode(...signature)}`)],
    }),
  };
  const transact = vi.fn(async (act: (wallet: typeof app) => unknown) => {
    if (fails.startFails) throw fails.startFails;
    return act(app);
  });
  const wallet = createMobileWallet({
    transact: transact as unknown as MobileWalletOptions['transact'],
    storage,
    origin: 'https://solcallers.example',
    icon: 'data:image/svg+xml;base64,PHN2Zy8+',
    assertReachable: async () => {},
  });
  return { wallet, log, transact, storage, adapter: createStandardAdapter(wallet, identity) };
}

it('an Android phone’s wallet pays in a second session with the token of the first session', async () => {
  const { wallet, adapter, log, transact } = phoneWallet();
  expect(canPay(wallet)).toBe(true);
  expect(await adapter.connect({ silent: false })).toBe(ADDRESS_A);
  await adapter.signAndSendTransaction?.(transaction);
  const site = {
    identity: { name: 'SolCallers', uri: 'https://solcallers.example', icon: 'favicon.svg' },
    chain: 'solana:mainnet',
  };
  expect(log).toEqual([
    { authorize: site },
    { authorize: { ...site, auth_token: 'token-1' } },
    { send: { payloads: [toBase64(transaction)] } },
  ]);
  expect(transact.mock.calls.map((call) => (call as unknown[])[1])).toEqual([
    undefined,
    { baseUri: 'https://wallet.example/app' },
  ]);
});

it('an Android phone’s wallet reconnects after a reload without opening its app, but not after a disconnect', async () => {
  const { adapter, storage } = phoneWallet();
  await adapter.connect({ silent: false });
  const later = phoneWallet({ storage });
  expect(await later.adapter.connect({ silent: true })).toBe(ADDRESS_A);
  expect(later.transact).not.toHaveBeenCalled();
  await later.adapter.disconnect();
  expect(storage.getItem(AUTHORIZATION_KEY)).toBeNull();
  await expect(phoneWallet({ storage }).adapter.connect({ silent: true })).rejects.toThrow();
});

it('an Android phone’s wallet returns the signature that the app appends to a message', async () => {
  const { adapter } = phoneWallet();
  await adapter.connect({ silent: false });
  const message = Uint8Array.of(4, 5);
  expect(await adapter.signMessage?.(message)).toEqual({ signedMessage: message, signature });
});

it.each([
  ['no app is installed', { startFails: failure('ERROR_WALLET_NOT_FOUND') }, "couldn't find a wallet app"],
  ['the app does not respond', { startFails: failure('ERROR_SESSION_TIMEOUT') }, "didn't respond"],
  ['the user refuses the site in the app', { authorizeFails: failure(-1) }, "didn't let this site connect"],
])('an Android phone’s wallet fails with advice for the user if %s', async (_what, app, reason) => {
  const storage = fakeStorage();
  await phoneWallet({ storage }).adapter.connect({ silent: false });
  const { adapter } = phoneWallet({ ...app, storage });
  await adapter.connect({ silent: true });
  const refusal = await adapter.signAndSendTransaction?.(transaction).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(WalletError);
  expect(refusal).toHaveProperty('message', expect.stringContaining(reason));
});

it('an Android phone’s wallet asks for another token and pays, in one session, if the app has revoked the token', async () => {
  const storage = fakeStorage();
  await phoneWallet({ storage }).adapter.connect({ silent: false });
  const { adapter, log, transact } = phoneWallet({ storage, revoked: 'token-1' });
  await adapter.connect({ silent: true });
  const onChange = vi.fn();
  adapter.onAccountChange(onChange);
  await adapter.signAndSendTransaction?.(transaction);
  expect(log).toEqual([
    { authorize: expect.objectContaining({ auth_token: 'token-1' }) },
    { authorize: expect.not.objectContaining({ auth_token: expect.anything() }) },
    { send: { payloads: [toBase64(transaction)] } },
  ]);
  expect(transact).toHaveBeenCalledTimes(1);
  expect(onChange).not.toHaveBeenCalled();
  expect(storage.getItem(AUTHORIZATION_KEY)).toContain('token-2');
});

it.each([
  ['the user declines', failure(-1)],
  ['the session ends', failure('ERROR_SESSION_CLOSED')],
])(
  'an Android phone’s wallet forgets a revoked token and asks at the next connection if %s',
  async (_what, authorizeFails) => {
    const storage = fakeStorage();
    await phoneWallet({ storage }).adapter.connect({ silent: false });
    const { adapter, log } = phoneWallet({ storage, revoked: 'token-1', authorizeFails });
    await adapter.connect({ silent: true });
    await expect(adapter.signAndSendTransaction?.(transaction)).rejects.toThrow(WalletError);
    expect(storage.getItem(AUTHORIZATION_KEY)).toBeNull();
    await expect(adapter.connect({ silent: false })).rejects.toThrow(WalletError);
    expect(log).toHaveLength(3);
  },
);

it('an Android phone’s wallet reports a declined payment and a lost session by different errors', async () => {
  const pay = async (signFails: Error) => {
    const { adapter } = phoneWallet({ signFails });
    await adapter.connect({ silent: false });
    return adapter.signAndSendTransaction?.(transaction).catch((error: unknown) => error);
  };
  expect(await pay(failure(-3))).toMatchObject({ code: 4001 });
  const lost = failure('ERROR_SESSION_CLOSED');
  expect(await pay(lost)).toBe(lost);
});

it('an Android phone’s wallet sends no payment if the app has switched to another account', async () => {
  const storage = fakeStorage();
  await phoneWallet({ storage }).adapter.connect({ silent: false });
  const { adapter, log } = phoneWallet({ address: ADDRESS_B, storage });
  await adapter.connect({ silent: true });
  await expect(adapter.signAndSendTransaction?.(transaction)).rejects.toThrow('switched to another account');
  expect(log).not.toContainEqual({ send: expect.anything() });
});

describe('a browser that can open wallet apps', () => {
  const chrome =
    'Mozilla/5.0 (Linux; Android 16; Pixel 7) AppleWebKit/537.36 Chrome/142.0.0.0 Mobile Safari/537.36';
  const webView = 'Mozilla/5.0 (Linux; Android 16; Pixel 7; wv) Chrome/142.0.0.0 Mobile';
  const webShell = `${webView} Solana Mobile Web Shell`;
  it.each([
    ['Chrome on Android', chrome, true],
    ['a wallet’s own browser', webView, false],
    ['Solana Mobile’s Web Shell', webShell, true],
    ['a desktop with the Web Shell’s name', 'Mozilla/5.0 (X11; Linux x86_64) Solana Mobile Web Shell', false],
    ['Firefox on Android', 'Mozilla/5.0 (Android 16; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0', false],
    ['Chrome on a desktop', 'Mozilla/5.0 (X11; Linux x86_64) Chrome/142.0.0.0 Safari/537.36', false],
    ['Safari on iOS', 'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) Safari/604.1', false],
  ])('canOpenWalletApps for $0 is $2', (_what, userAgent, expected) => {
    expect(canOpenWalletApps(userAgent)).toBe(expected);
  });

  it('only the Web Shell connects to wallet apps without the permission', async () => {
    const permissions = { query: async () => ({ state: 'denied' as const }) };
    await expect(assertReachable({ userAgent: chrome, permissions })).rejects.toThrow(
      'allow "Apps on device"',
    );
    await expect(assertReachable({ userAgent: webShell, permissions })).resolves.toBeUndefined();
  });
});
