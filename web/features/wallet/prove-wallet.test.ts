import { expect, it } from 'vitest';
import type { ErrorCode } from '#schema/contracts/errors.ts';
import type { SavedWallet, WalletChallenge } from '#schema/contracts/wallets.ts';
import { ApiError } from '#web/api/api-error.ts';
import { createCannotSignTextError } from '#web/lib/wallets/wallet-errors.ts';
import { type ProveDependencies, proveWallet } from './prove-wallet.ts';

const ADDRESS = '7Y4f3Taf6LPyZsQpKW3bE7C2rbVNpFPSgE8XH4Lw2cYq';
const challenge = { message: 'Sign me', input: { address: ADDRESS } } as WalletChallenge;
const wallet: SavedWallet = {
  id: 'w1',
  walletAddress: ADDRESS,
  isProven: true,
  isPayout: true,
  createdAt: '2026-11-21T00:00:00.000Z',
};
const refusal = (status: number, code: ErrorCode, message: string) =>
  new ApiError({ status, text: message, body: { message, error: { code, message } } });

async function prove(overrides: Partial<ProveDependencies> = {}, saved: readonly SavedWallet[] = []) {
  const bodies: unknown[] = [];
  const dependencies: ProveDependencies = {
    requestChallenge: async () => challenge,
    signText: async () => ({
      signature: Uint8Array.of(1, 2),
      signedMessage: new TextEncoder().encode('Sign me'),
    }),
    saveWallet: async (body) => {
      bodies.push(body);
      return wallet;
    },
    ...overrides,
  };
  return { result: await proveWallet({ address: ADDRESS, saved, dependencies }), bodies };
}

const fails = (error: unknown) => async () => {
  throw error;
};

it('proveWallet saves the wallet with the challenge’s signature in base64', async () => {
  const { result, bodies } = await prove();
  expect(result).toMatchObject({ isSaved: true, toast: { title: 'Wallet Added' } });
  expect(bodies).toEqual([{ walletAddress: ADDRESS, signature: 'AQI=', signedMessage: btoa('Sign me') }]);
});

it('proveWallet requests no signature when the wallet is already proven', async () => {
  const { result, bodies } = await prove({ signText: fails(new Error('asked')) }, [wallet]);
  expect(result).toMatchObject({ isSaved: true, toast: { title: 'Wallet Already Added' } });
  expect(bodies).toEqual([]);
});

it('proveWallet proves a wallet that was saved unproven', async () => {
  expect((await prove({}, [{ ...wallet, isProven: false }])).result.toast.title).toBe('Wallet Added');
});

// Specification 8.13-8.15, 8.30
it.each<[string, Partial<ProveDependencies>, string, string, boolean]>([
  [
    'the server has already saved the wallet',
    { saveWallet: fails(refusal(409, 'wallets.already_added', 'x')) },
    'Wallet Already Added',
    'already saved to your account',
    true,
  ],
  [
    'the user is not signed in',
    { requestChallenge: fails(refusal(401, 'auth.required', 'Unauthorized')) },
    'Authentication Required',
    'sign in',
    false,
  ],
  [
    'the user declines in the wallet',
    { signText: fails(Object.assign(new Error('x'), { code: 4001 })) },
    'Warning',
    'you declined to sign',
    false,
  ],
  [
    'the wallet cannot sign text',
    { signText: fails(createCannotSignTextError('Ledger')) },
    'Warning',
    'Ledger cannot sign messages.',
    false,
  ],
  [
    'the signature is wrong',
    { saveWallet: fails(refusal(422, 'wallets.signature_invalid', 'The signature does not prove it.')) },
    'Warning',
    'The signature does not prove it.',
    false,
  ],
  [
    'the server does not respond',
    { saveWallet: fails(new TypeError('Failed to fetch')) },
    'Warning',
    'Failed to add wallet',
    false,
  ],
])(
  'proveWallet explains the result in a toast when %s',
  async (_what, overrides, title, description, isSaved) => {
    const { result } = await prove(overrides);
    expect(result.isSaved).toBe(isSaved);
    expect(result.toast.title).toBe(title);
    expect(result.toast.description).toContain(description);
  },
);
