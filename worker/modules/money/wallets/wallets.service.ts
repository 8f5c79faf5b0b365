import { createSignInMessageText } from '@solana/wallet-standard-util';
import bs58 from 'bs58';
import { PRODUCT_NAME } from '#schema/constants/app.ts';
import {
  MAX_PAYOUT_CHANGES_SHOWN,
  MAX_WALLETS,
  PAYOUT_CHANGES_SHOWN_MS,
  WALLET_CHALLENGE_MS,
} from '#schema/constants/money.ts';
import type { PayoutChange, SavedWallet, WalletChallenge } from '#schema/contracts/wallets.ts';
import { isFreshSignIn } from '#schema/rules/money/payout-change.ts';
import type { Base } from '../../../app/base.ts';
import { AppError } from '../../../app/errors.ts';
import { fromBase64 } from '../../../shared/base64.ts';
import { isUniqueViolation } from '../../../shared/database.ts';
import { isSignedBy } from '../../../shared/ed25519.ts';
import { createId } from '../../../shared/ids.ts';
import { assertMayChangePayout } from './payout-change.ts';
import type { Live } from '../../../ports/live.ts';
import type { WalletsRepository } from './wallets.repository.ts';

export interface WalletsOptions extends Pick<Base, 'clock'> {
  readonly repository: WalletsRepository;
  readonly live: Pick<Live, 'peopleChanged'>;
  readonly appOrigin: string;
}

export interface SignedInUser {
  readonly userId: string;
  readonly signedInAt: number;
}

export interface ClaimedWallet {
  readonly userId: string;
  readonly walletAddress: string;
}

export interface WalletToSave extends SignedInUser, ClaimedWallet {
  /** The signed challenge in base64. Without it, the wallet is saved as unproven. */
  readonly signature?: string | undefined;
  /** The text that the wallet has signed, according to the wallet. In base64. */
  readonly signedMessage?: string | undefined;
}

export type WalletsService = ReturnType<typeof createWalletsService>;

export function createWalletsService(options: WalletsOptions) {
  const { repository, clock, appOrigin } = options;
  return {
    /** Returns the message that the user signs to prove a wallet. It is valid once, for ten minutes. */
    async challenge({ userId, walletAddress: address }: ClaimedWallet): Promise<WalletChallenge> {
      const issuedAt = clock.now();
      const expiresAt = issuedAt + WALLET_CHALLENGE_MS;
      const statement = `Sign to verify on ${PRODUCT_NAME} that this wallet is yours. This moves no money.`;
      const challenge = createChallenge({ origin: appOrigin, address, statement, issuedAt, expiresAt });
      const { message, input } = challenge;
      await repository.insertChallenge({ nonce: input.nonce, userId, address, message, expiresAt }, issuedAt);
      return challenge;
    },

    list: (userId: string) => listSaved(repository, userId),

    async listProven(userId: string): Promise<string[]> {
      const saved = await repository.list(userId);
      return saved.filter(({ provenAt }) => provenAt !== null).map(({ address }) => address);
    },

    save: announced(options, createSaveWallet(options)),
    remove: announced(options, createRemoveWallet(options)),

    async listPayoutChanges(userId: string): Promise<PayoutChange[]> {
      const changes = await repository.listPayoutChanges({
        userId,
        since: clock.now() - PAYOUT_CHANGES_SHOWN_MS,
        limit: MAX_PAYOUT_CHANGES_SHOWN,
      });
      return changes.map(({ from, to, at }) => ({ from, to, at: new Date(at).toISOString() }));
    },
  };
}

/** Tells the person's other pages afterwards that their wallets have changed. */
function announced<Request extends SignedInUser, Value>(
  { live }: WalletsOptions,
  change: (request: Request) => Promise<Value>,
) {
  return async (request: Request): Promise<Value> => {
    const response = await change(request);
    live.peopleChanged({ userIds: [request.userId], topic: 'wallets' });
    return response;
  };
}

function createSaveWallet({ repository, clock }: WalletsOptions) {
  const saveUnproven = async (userId: string, address: string) => {
    try {
      const wallet = { id: createId(), userId, address, createdAt: clock.now() };
      if (!(await repository.saveUnproven(wallet))) throw new AppError({ code: 'wallets.too_many' });
    } catch (error) {
      throw isUniqueViolation(error) ? new AppError({ code: 'wallets.already_added' }) : error;
    }
  };

  const findSignedNonce = async (
    { userId, walletAddress, signedMessage }: WalletToSave,
    { publicKey, signature }: { publicKey: Uint8Array; signature: string },
  ) => {
    const challenges = await repository.findChallenges({ userId, address: walletAddress, now: clock.now() });
    if (challenges.length === 0) throw new AppError({ code: 'wallets.challenge_invalid' });
    const signedBytes = signedMessage === undefined ? null : fromBase64(signedMessage);
    const candidates = challenges.filter(
      ({ message }) => signedBytes === null || isMessageOf({ bytes: signedBytes, message }),
    );
    if (candidates.length === 0) {
      throw new AppError({
        code: 'wallets.signature_invalid',
        message:
          'Your wallet signed a different message than requested. Connect it again, or use another wallet.',
      });
    }
    const signatureBytes = fromBase64(signature);
    const signed = candidates.find(({ message }) =>
      isSignedBy({ message: new TextEncoder().encode(message), signature: signatureBytes, publicKey }),
    );
    if (!signed) throw new AppError({ code: 'wallets.signature_invalid' });
    return signed.nonce;
  };

  const createUnsavedError = async (userId: string) => {
    const { length } = await repository.list(userId);
    return length >= MAX_WALLETS
      ? new AppError({ code: 'wallets.too_many' })
      : new AppError({ code: 'wallets.challenge_invalid' });
  };

  return async (wallet: WalletToSave): Promise<SavedWallet> => {
    const { userId, signedInAt, walletAddress, signature } = wallet;
    const publicKey = bs58.decode(walletAddress);
    if (signature === undefined) {
      await saveUnproven(userId, walletAddress);
    } else {
      const nonce = await findSignedNonce(wallet, { publicKey, signature });
      const now = clock.now();
      const isSaved = await repository.saveProven({
        id: createId(),
        userId,
        address: walletAddress,
        nonce,
        isFresh: isFreshSignIn({ signedInAt, now }),
        now,
      });
      if (!isSaved) throw await createUnsavedError(userId);
    }
    const saved = (await listSaved(repository, userId)).find((each) => each.walletAddress === walletAddress);
    if (!saved) throw new AppError({ code: 'wallets.not_found' });
    return saved;
  };
}

/** Removes a wallet. Removing the payout wallet requires a fresh sign-in. */
function createRemoveWallet({ repository, clock }: WalletsOptions) {
  return async ({ userId, signedInAt, id }: SignedInUser & { id: string }): Promise<void> => {
    const findWallet = async () => (await repository.list(userId)).find((wallet) => wallet.id === id);
    const wallet = await findWallet();
    if (!wallet) throw new AppError({ code: 'wallets.not_found' });
    const now = clock.now();
    if (wallet.isPayout) {
      assertMayChangePayout({ from: wallet.address, to: null, hadOne: true, signedInAt, now });
    }
    if (await repository.remove({ id, userId, mayBePayout: wallet.isPayout, now })) return;
    throw (await findWallet())
      ? new AppError({ code: 'wallets.payout_changed' })
      : new AppError({ code: 'wallets.not_found' });
  };
}

async function listSaved(repository: WalletsRepository, userId: string): Promise<SavedWallet[]> {
  const saved = await repository.list(userId);
  return saved.map(({ id, address, provenAt, isPayout, createdAt }) => ({
    id,
    walletAddress: address,
    isProven: provenAt !== null,
    isPayout,
    createdAt: new Date(createdAt).toISOString(),
  }));
}

interface ChallengeTerms {
  readonly origin: string;
  readonly address: string;
  readonly statement: string;
  readonly issuedAt: number;
  readonly expiresAt: number;
}

/** A Sign In With Solana input, and the exact text that a wallet signs for it. */
export function createChallenge({ address, statement, ...terms }: ChallengeTerms): WalletChallenge {
  const input = {
    domain: new URL(terms.origin).host,
    address,
    statement,
    uri: terms.origin,
    version: '1',
    nonce: createId(),
    issuedAt: new Date(terms.issuedAt).toISOString(),
    expirationTime: new Date(terms.expiresAt).toISOString(),
  };
  return { input, message: createSignInMessageText(input) };
}

/**
 * True if a wallet signed exactly the challenge's text. If all fields are given, Sign In With Solana fixes the
 * order and form of every line. So the standard's `verifySignIn` accepts this text and no other.
 */
export function isMessageOf({ bytes, message }: { bytes: Uint8Array; message: string }): boolean {
  const expected = new TextEncoder().encode(message);
  return bytes.length === expected.length && bytes.every((byte, at) => byte === expected[at]);
}
