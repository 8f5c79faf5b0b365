import { useEffect } from 'react';
import { act, cleanup, render, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { fakeStorage } from '#web/testing/fake-storage.ts';
import { useWallet, type WalletApi } from './use-wallet.ts';
import { WalletProvider } from './wallet-context.tsx';
import { createWalletStore } from './wallet-store.ts';
import {
  ADDRESS_A,
  ADDRESS_B,
  fakeAccount,
  fakeRegistry,
  fakeStandardWallet,
  signInRequest,
} from './wallet-test-doubles.ts';

const challenge = { message: 'Prove it', input: signInRequest };
const signedBy = (byte: number) => ({
  account: fakeAccount(ADDRESS_B),
  signedMessage: Uint8Array.of(byte),
  signature: Uint8Array.of(byte),
});
const signIn = { version: '1.0.0', signIn: async () => [signedBy(1)] };
const signMessage = {
  version: '1.1.0',
  signMessage: async ({ message }: { message: Uint8Array }) => [{ ...signedBy(2), signedMessage: message }],
};

/** Renders the wallet's state and returns its API. */
function renderWallet(features: Record<`${string}:${string}`, unknown> = {}) {
  const store = createWalletStore({
    page: {},
    standard: fakeRegistry(fakeStandardWallet({ name: 'Glow', features }).wallet),
    storage: fakeStorage(),
  });
  const latest: { api: WalletApi | null } = { api: null };
  function Probe() {
    const api = useWallet();
    useEffect(() => {
      latest.api = api;
    });
    return <output>{api.connected ? api.address : 'nothing'}</output>;
  }
  render(
    <WalletProvider store={store}>
      <Probe />
    </WalletProvider>,
  );
  return () => latest.api as WalletApi;
}

async function renderConnected(features?: Parameters<typeof renderWallet>[0]) {
  const wallet = renderWallet(features);
  await act(() => wallet().connect('glow'));
  return wallet();
}

describe('useWallet', () => {
  // Specification 4.20, 4.21
  it('useWallet returns the connected wallet', async () => {
    const wallet = renderWallet();
    expect(screen.getByRole('status').textContent).toBe('nothing');
    await act(() => wallet().connect('glow'));
    expect(screen.getByRole('status').textContent).toBe(ADDRESS_B);
    await act(() => wallet().disconnect());
    expect(screen.getByRole('status').textContent).toBe('nothing');
  });

  // Specification 8.9
  it('useWallet refuses to sign before a wallet is connected', async () => {
    const wallet = renderWallet();
    await expect(wallet().signTransaction(Uint8Array.of(1))).rejects.toThrow('Wallet not connected');
    await expect(wallet().signText(challenge)).rejects.toThrow('Wallet not connected');
  });

  it('useWallet signs a challenge by sign-in, or else as text, and throws if the wallet supports neither', async () => {
    for (const [features, signedMessage] of [
      [{ 'solana:signIn': signIn, 'solana:signMessage': signMessage }, Uint8Array.of(1)],
      [{ 'solana:signMessage': signMessage }, new TextEncoder().encode('Prove it')],
    ] as const) {
      const wallet = await renderConnected(features);
      expect((await wallet.signText(challenge)).signedMessage).toEqual(signedMessage);
      cleanup();
    }
    const wallet = await renderConnected();
    await expect(wallet.signText(challenge)).rejects.toThrow('Glow cannot sign messages.');
  });

  const failing = (error: unknown) => ({
    version: '1.0.0',
    signIn: async () => {
      throw error;
    },
  });
  const withText = (error: unknown) => ({
    'solana:signIn': failing(error),
    'solana:signMessage': signMessage,
  });

  it.each([
    ['JSON-RPC’s code', Object.assign(new Error('x'), { code: -32_601 })],
    ['EIP-1193’s code', { code: 4200, message: 'x' }],
    ['a “not supported” message', new Error('Signing in with Ledger is not yet supported.')],
    ['a “not implemented” message', new Error('Method not implemented')],
  ])('useWallet signs a challenge as text when the wallet refuses sign-in with %s', async (_what, error) => {
    const wallet = await renderConnected(withText(error));
    expect((await wallet.signText(challenge)).signedMessage).toEqual(new TextEncoder().encode('Prove it'));
  });

  it('useWallet throws when the wallet refuses both sign-in and text as unsupported', async () => {
    const error = new Error('Signing off chain messages with Ledger is not yet supported');
    const wallet = await renderConnected({
      'solana:signIn': failing(error),
      'solana:signMessage': { version: '1.1.0', signMessage: failing(error).signIn },
    });
    await expect(wallet.signText(challenge)).rejects.toThrow(
      'Glow cannot sign messages. Choose another account or wallet.',
    );
  });

  it.each([
    ['declined', Object.assign(new Error('User rejected: not supported'), { code: 4001 })],
    ['failed', new Error('Invalid input')],
  ])('useWallet does not fall back to text after the sign-in request was %s', async (_what, error) => {
    const wallet = await renderConnected(withText(error));
    await expect(wallet.signText(challenge)).rejects.toBe(error);
  });

  it('useWallet refuses a challenge for a different address', async () => {
    const wallet = await renderConnected({ 'solana:signMessage': signMessage });
    const other = { ...challenge, input: { ...challenge.input, address: ADDRESS_A } };
    await expect(wallet.signText(other)).rejects.toThrow('Glow is using a different account');
  });
});
