import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { walletsQuery } from '#web/api/wallets.queries.ts';
import { ADDRESS_B, fakeAccount, fakeStandardWallet } from '#web/lib/wallets/wallet-test-doubles.ts';
import { refuse, type FakeRoutes } from '#web/testing/fake-api.ts';
import { expectToast, renderScreen } from '#web/testing/render-screen.tsx';
import { ConnectWalletDialog } from './connect-wallet-dialog.tsx';

const SAVE = 'POST /api/user/wallets';
const wallet = { id: 'w1', walletAddress: ADDRESS_B, isProven: true, isPayout: true, createdAt: '' };
const output = {
  account: fakeAccount(ADDRESS_B),
  signedMessage: Uint8Array.of(1),
  signature: Uint8Array.of(2),
};
const glow = (sign = async () => [output]) =>
  fakeStandardWallet({
    name: 'Glow',
    features: { 'solana:signMessage': { version: '1.1.0', signMessage: sign } },
  }).wallet;

const { wallet: unable } = fakeStandardWallet({ name: 'Glow' });

const refuses = async (): Promise<never> => {
  throw new Error('asked');
};
const declines = async (): Promise<never> => {
  throw Object.assign(new Error('x'), { code: 4001 });
};

function open({
  api = {},
  wallets = [glow()],
}: { api?: FakeRoutes; wallets?: readonly ReturnType<typeof glow>[] } = {}) {
  const responses = {
    'GET /api/auth/user': { id: 'user-1' },
    'GET /api/user/wallets': [],
    'POST /api/user/wallets/challenge': { message: 'Sign me', input: { address: ADDRESS_B } },
    [SAVE]: wallet,
    ...api,
  };
  const onOpenChange = vi.fn();
  const dialog = <ConnectWalletDialog open onOpenChange={onOpenChange} />;
  const { bodies, queryClient } = renderScreen(dialog, { api: responses, wallets });
  return {
    onOpenChange,
    saved: () => bodies(SAVE),
    listed: () => queryClient.getQueryData(walletsQuery.queryKey),
  };
}

const pick = async () => fireEvent.click(await screen.findByRole('button', { name: /^Glow/ }));

// Specification 8.15
it('the Connect Wallet dialog stays open with a warning if saving the connected wallet fails', async () => {
  const { onOpenChange } = open({ api: { [SAVE]: () => refuse(500, 'server.failed', 'Our fault.') } });
  await pick();
  await expectToast('Warning', /was not saved: Our fault\./);
  expect(onOpenChange).not.toHaveBeenCalled();
  expect((await screen.findByRole('group', { name: 'Connected wallet' })).textContent).toContain('Glow');
});

it('the Connect Wallet dialog requests no signature from a wallet that is already proven', async () => {
  const { onOpenChange, saved, listed } = open({
    api: { 'GET /api/user/wallets': [wallet] },
    wallets: [glow(refuses)],
  });
  await waitFor(() => expect(listed()).toEqual([wallet]));
  await pick();
  await expectToast('Wallet Already Added');
  expect(saved()).toEqual([]);
  expect(onOpenChange).toHaveBeenCalledWith(false);
});

it('the Connect Wallet dialog proves a wallet that was saved unproven', async () => {
  const { saved } = open({ api: { 'GET /api/user/wallets': [{ ...wallet, isProven: false }] } });
  await pick();
  await expectToast('Wallet Added');
  expect(saved()).toHaveLength(1);
});

// Specification 8.13-8.15, 8.30
it.each<[string, Parameters<typeof open>[0], string, RegExp, boolean]>([
  [
    'the server has already saved the wallet',
    { api: { [SAVE]: () => refuse(409, 'wallets.already_added', 'x') } },
    'Wallet Already Added',
    /already saved to your account/,
    true,
  ],
  [
    'the user is not signed in',
    { api: { 'POST /api/user/wallets/challenge': () => refuse(401, 'auth.required', 'Unauthorized') } },
    'Authentication Required',
    /sign in/,
    false,
  ],
  ['the user declines to sign', { wallets: [glow(declines)] }, 'Warning', /you declined to sign/, false],
  ['the wallet cannot sign text', { wallets: [unable] }, 'Warning', /Glow cannot sign messages\./, false],
  [
    'the signature is wrong',
    { api: { [SAVE]: () => refuse(422, 'wallets.signature_invalid', 'It does not prove it.') } },
    'Warning',
    /was not saved: It does not prove it\./,
    false,
  ],
])(
  'the Connect Wallet dialog explains the result when %s',
  async (_what, input, title, description, closes) => {
    const { onOpenChange } = open(input);
    await pick();
    await expectToast(title, description);
    expect(onOpenChange.mock.calls.length > 0).toBe(closes);
  },
);
