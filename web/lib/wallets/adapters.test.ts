import { Keypair, MessageV0, SystemProgram, Transaction, VersionedTransaction } from '@solana/web3.js';
import { describe, expect, it, vi } from 'vitest';
import { createInjectedAdapter, type InjectedProvider } from './injected-adapter.ts';
import { createStandardAdapter } from './standard-adapter.ts';
import {
  ADDRESS_A,
  ADDRESS_B,
  fakeAccount,
  fakeProvider,
  fakeStandardWallet,
  keyOf,
  signInRequest,
} from './wallet-test-doubles.ts';

const identity = { id: 'phantom', name: 'Phantom', installUrl: 'https://phantom.com/download' };
const injected = (overrides: Record<string, unknown> = {}) => {
  const provider = fakeProvider({ isPhantom: true }, overrides);
  return { provider, adapter: createInjectedAdapter(identity, provider as unknown as InjectedProvider) };
};

it('an injected wallet is connected with onlyIfTrusted if no prompt may be shown', async () => {
  const { adapter, provider } = injected();
  await adapter.connect({ silent: true });
  await adapter.connect({ silent: false });
  expect(provider.calls.connect).toEqual([{ onlyIfTrusted: true }, undefined]);
});

it('an injected wallet’s key is read from the provider when connect returns nothing', async () => {
  const { adapter } = injected({ connect: async () => true, publicKey: keyOf(ADDRESS_B) });
  expect(await adapter.connect({ silent: false })).toBe(ADDRESS_B);
});

it('connecting an injected wallet fails if the wallet returns no key', async () => {
  const { adapter } = injected({ connect: async () => undefined, publicKey: null });
  await expect(adapter.connect({ silent: false })).rejects.toThrow(
    'Failed to connect to wallet. Please try again.',
  );
});

it.each(['legacy', 'v0'] as const)(
  'an injected wallet signs a %s transaction as a web3.js object',
  async (version) => {
    const payer = Keypair.generate();
    const { publicKey: payerKey } = payer;
    const { publicKey: toPubkey } = Keypair.generate();
    const blockhash = Keypair.generate().publicKey.toBase58();
    const transfer = SystemProgram.transfer({ fromPubkey: payerKey, toPubkey, lamports: 5n });
    const unsigned =
      version === 'legacy'
        ? new Transaction({ feePayer: payerKey, blockhash, lastValidBlockHeight: 1 })
            .add(transfer)
            .serialize({ requireAllSignatures: false, verifySignatures: false })
        : new VersionedTransaction(
            MessageV0.compile({ payerKey, recentBlockhash: blockhash, instructions: [transfer] }),
          ).serialize();
    const { adapter } = injected({
      signTransaction: async (transaction: Transaction | VersionedTransaction) => {
        if (transaction instanceof VersionedTransaction) transaction.sign([payer]);
        else transaction.partialSign(payer);
        return transaction;
      },
    });
    const signed = VersionedTransaction.deserialize(await adapter.signTransaction(new Uint8Array(unsigned)));
    expect(signed.signatures[0]?.some((byte) => byte !== 0)).toBe(true);
    expect(signed.version).toBe(version === 'legacy' ? 'legacy' : 0);
  },
);

it('an injected wallet may return the signature of a text as bytes or as an object', async () => {
  const signature = new Uint8Array(64).fill(3);
  for (const response of [signature, { signature }]) {
    const { adapter } = injected({ signMessage: async () => response });
    expect(await adapter.signMessage?.(Uint8Array.of(1))).toEqual({
      signedMessage: Uint8Array.of(1),
      signature,
    });
  }
  const { adapter } = injected({ signMessage: async () => null });
  await expect(adapter.signMessage?.(Uint8Array.of(1))).rejects.toThrow(TypeError);
  expect(injected({ signMessage: undefined }).adapter.signMessage).toBeUndefined();
});

it('a listener is called when an injected wallet switches its account or disconnects, until the listener is removed', () => {
  const { adapter, provider } = injected();
  const addresses: (string | null)[] = [];
  const stop = adapter.onAccountChange((address) => addresses.push(address));
  provider.emit('accountChanged', keyOf(ADDRESS_B));
  provider.emit('accountChanged', null);
  provider.emit('disconnect');
  stop();
  expect(addresses).toEqual([ADDRESS_B, null, null]);
  expect(provider.listenerCount()).toBe(0);
});

type FakeOptions = Omit<Parameters<typeof fakeStandardWallet>[0], 'name'>;

function glow(options: FakeOptions = {}) {
  const fake = fakeStandardWallet({ name: 'Glow', accounts: [fakeAccount(ADDRESS_A)], ...options });
  return { ...fake, adapter: createStandardAdapter(fake.wallet, { id: 'glow', name: 'Glow' }) };
}

async function connectGlow(options: FakeOptions = {}) {
  const made = glow(options);
  await made.adapter.connect({ silent: false });
  return made;
}

describe('a Wallet Standard wallet', () => {
  const transaction = Uint8Array.of(1, 2, 3);

  it.each([
    ['mainnet if the account supports it', ['solana:devnet', 'solana:mainnet'], 'solana:mainnet'],
    ['the account’s only chain', ['solana:localnet'], 'solana:localnet'],
    ['the account’s Solana chain of several', ['eip155:1', 'solana:localnet'], 'solana:localnet'],
  ] as const)('a Wallet Standard wallet signs a transaction for %s', async (_what, chains, chain) => {
    const account = fakeAccount(ADDRESS_A, chains);
    const { adapter, requests } = await connectGlow({ accounts: [account] });
    expect(await adapter.signTransaction(transaction)).toEqual(Uint8Array.of(1, 2, 3, 99));
    expect(requests.signTransaction).toEqual([{ account, transaction, chain }]);
  });

  it('a Wallet Standard wallet that can only sign and send in one step gets the transaction for mainnet', async () => {
    const account = { ...fakeAccount(ADDRESS_A), features: ['solana:signAndSendTransaction'] as const };
    const signAndSendTransaction = vi.fn(async () => []);
    const { wallet } = fakeStandardWallet({ name: 'Mobile', accounts: [account] });
    const { 'standard:connect': connect } = wallet.features;
    const features = {
      'standard:connect': connect,
      'solana:signAndSendTransaction': { version: '1.0.0', signAndSendTransaction },
    };
    const adapter = createStandardAdapter({ ...wallet, features }, { id: 'mobile', name: 'Mobile' });
    expect(await adapter.connect({ silent: false })).toBe(ADDRESS_A);
    await adapter.signAndSendTransaction?.(transaction);
    expect(signAndSendTransaction).toHaveBeenCalledWith({ account, transaction, chain: 'solana:mainnet' });
    await expect(adapter.signTransaction(transaction)).rejects.toThrow(
      "Mobile can't sign a transaction without sending it.",
    );
  });

  it('a Wallet Standard wallet that can sign without sending is never asked to send', () => {
    const features = { 'solana:signAndSendTransaction': { version: '1.0.0' } };
    expect(glow({ features }).adapter.signAndSendTransaction).toBeUndefined();
  });

  it('connecting a Wallet Standard wallet that is set to devnet fails with an error that says so', async () => {
    const { adapter } = glow({ accounts: [fakeAccount(ADDRESS_A, ['solana:devnet'])] });
    await expect(adapter.connect({ silent: false })).rejects.toThrow(
      "Glow is set to Solana's devnet. Choose Mainnet in its settings, then try again.",
    );
    await expect(adapter.signTransaction(transaction)).rejects.toThrow('Wallet not connected');
  });

  it('a Wallet Standard wallet’s accounts of other chains are skipped', async () => {
    const accounts = [fakeAccount('0xabc', ['eip155:1']), fakeAccount(ADDRESS_A)];
    expect(await glow({ accounts }).adapter.connect({ silent: true })).toBe(ADDRESS_A);
  });

  it('connecting a Wallet Standard wallet without an account fails', async () => {
    const { adapter } = glow({ accounts: [] });
    await expect(adapter.connect({ silent: false })).rejects.toThrow(
      'Failed to connect to wallet. Please try again.',
    );
    await expect(adapter.signTransaction(transaction)).rejects.toThrow('Wallet not connected');
  });

  it('a Wallet Standard wallet signs with the account to which the user switched', async () => {
    const { adapter, requests, emit } = await connectGlow();
    const addresses: (string | null)[] = [];
    adapter.onAccountChange((address) => addresses.push(address));
    emit({});
    emit({ accounts: [fakeAccount(ADDRESS_B)] });
    await adapter.signTransaction(transaction);
    emit({ accounts: [] });
    expect(addresses).toEqual([ADDRESS_B, null]);
    expect(requests.signTransaction).toMatchObject([{ account: { address: ADDRESS_B } }]);
  });

  const outputFor = (address: string) => ({
    account: fakeAccount(address),
    signedMessage: Uint8Array.of(1),
    signature: Uint8Array.of(2),
  });
  const signIn = (address: string) => ({
    'solana:signIn': { version: '1.0.0', signIn: async () => [outputFor(address)] },
  });

  it('a Wallet Standard wallet offers sign-in and text signing only if it supports them', async () => {
    const { account: _account, ...expected } = outputFor(ADDRESS_A);
    const signMessage = { version: '1.1.0', signMessage: async () => [outputFor(ADDRESS_A)] };
    const { adapter: able } = await connectGlow({
      features: { ...signIn(ADDRESS_A), 'solana:signMessage': signMessage },
    });
    expect(await able.signMessage?.(Uint8Array.of(1))).toEqual(expected);
    expect(await able.signIn?.({ ...signInRequest, address: ADDRESS_A })).toEqual(expected);
    const { adapter: unable } = await connectGlow();
    expect(unable.signIn ?? unable.signMessage).toBeUndefined();
  });

  it('a Wallet Standard wallet’s sign-in with a different account is rejected', async () => {
    const { adapter } = await connectGlow({ features: signIn(ADDRESS_B) });
    await expect(adapter.signIn?.({ ...signInRequest, address: ADDRESS_A })).rejects.toThrow(
      'Glow is using a different account.',
    );
  });

  it('signing text fails if the account of a Wallet Standard wallet cannot sign messages', async () => {
    const signMessage = vi.fn();
    const account = { ...fakeAccount(ADDRESS_A), features: ['solana:signTransaction'] as const };
    const features = { 'solana:signMessage': { version: '1.1.0', signMessage } };
    const { adapter } = await connectGlow({ accounts: [account], features });
    await expect(adapter.signMessage?.(Uint8Array.of(1))).rejects.toThrow(
      'Glow cannot sign messages. Choose another account or wallet.',
    );
    expect(signMessage).not.toHaveBeenCalled();
  });
});
