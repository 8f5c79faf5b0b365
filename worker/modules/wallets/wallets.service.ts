import {
  MAX_PAYOUT_CHANGES_SHOWN,
  PAYOUT_CHANGES_SHOWN_MS,
  PRODUCT_NAME,
  WALLET_CHALLENGE_MS,
} from '#schema/constants.ts';
import type { PayoutChange, SavedWallet, WalletChallenge } from '#schema/contracts/wallets.ts';
import { decodePublicKey } from '../../shared/base58.ts';
import { isUniqueViolation } from '../../shared/database.ts';
import { isSignedBy } from '../../shared/ed25519.ts';
import { createId } from '../../shared/ids.ts';
import { isFreshSignIn } from '#schema/rules/payout-change.ts';
import { assertMayChangePayout, createPayoutChangedError } from '../../shared/payout-change.ts';
import type { Clock } from '../../ports/clock.ts';
import { createChallenge, isMessageOf } from './challenge.ts';
import {
  createAddressInvalidError,
  createChallengeInvalidError,
  createOtherMessageSignedError,
  createSignatureInvalidError,
  createWalletAlreadyAddedError,
  createWalletNotFoundError,
} from './wallets.errors.ts';
import type { WalletsRepository } from './wallets.repository.ts';

export function createWalletsService({
  repository,
  clock,
  appOrigin,
}: {
  repository: WalletsRepository;
  clock: Clock;
  appOrigin: string;
}) {
  const listWallets = async (userId: string): Promise<SavedWallet[]> =>
    (await repository.list(userId)).map((wallet) => ({
      id: wallet.id,
      walletAddress: wallet.address,
      isProven: wallet.provenAt !== null,
      isPayout: wallet.isPayout === 1,
      createdAt: new Date(wallet.createdAt).toISOString(),
    }));

  const findSaved = async (userId: string, address: string): Promise<SavedWallet> => {
    const saved = (await listWallets(userId)).find((wallet) => wallet.walletAddress === address);
    if (!saved) throw createWalletNotFoundError();
    return saved;
  };

  return {
    list: listWallets,

    /** What the wallet has to sign to prove that it is the user's. Valid once, for ten minutes. */
    async challenge({
      userId,
      walletAddress,
    }: {
      userId: string;
      walletAddress: string;
    }): Promise<WalletChallenge> {
      decodeAddress(walletAddress);
      const now = clock.now();
      const expiresAt = now + WALLET_CHALLENGE_MS;
      const challenge = createChallenge({
        origin: appOrigin,
        address: walletAddress,
        statement: `Prove to ${PRODUCT_NAME} that this wallet is yours. This moves no money.`,
        issuedAt: now,
        expiresAt,
      });
      await repository.insertChallenge(
        {
          nonce: challenge.input.nonce,
          userId,
          address: walletAddress,
          message: challenge.message,
          expiresAt,
        },
        now,
      );
      return challenge;
    },

    /**
     * Saves a wallet: proven with a signature over the challenge, else unproven, good neither to be paid nor to claim.
     * `signedMessage` is what the wallet says that it signed; left out, the challenge's own text. Both are base64.
     */
    async save({
      userId,
      signedInAt,
      walletAddress,
      signature,
      signedMessage,
    }: {
      userId: string;
      signedInAt: number;
      walletAddress: string;
      signature: string | undefined;
      signedMessage: string | undefined;
    }): Promise<SavedWallet> {
      const publicKey = decodeAddress(walletAddress);
      const now = clock.now();
      if (signature === undefined) {
        try {
          await repository.saveUnproven({ id: createId(), userId, address: walletAddress, createdAt: now });
        } catch (error) {
          throw isUniqueViolation(error) ? createWalletAlreadyAddedError() : error;
        }
        return findSaved(userId, walletAddress);
      }
      const challenges = await repository.findChallenges({ userId, address: walletAddress, now });
      if (challenges.length === 0) throw createChallengeInvalidError();
      const said = signedMessage === undefined ? null : decodeBase64(signedMessage);
      const asked =
        said === null
          ? challenges
          : challenges.filter(({ message }) => isMessageOf({ bytes: said, message }));
      if (asked.length === 0) throw createOtherMessageSignedError();
      const signatureBytes = decodeBase64(signature);
      const signed = asked.find(({ message }) =>
        isSignedBy({ message: new TextEncoder().encode(message), signature: signatureBytes, publicKey }),
      );
      if (!signed) throw createSignatureInvalidError();
      const isSaved = await repository.saveProven({
        id: createId(),
        userId,
        address: walletAddress,
        nonce: signed.nonce,
        isFresh: isFreshSignIn({ signedInAt, now }),
        now,
      });
      if (!isSaved) throw createChallengeInvalidError();
      return findSaved(userId, walletAddress);
    },

    /** Removes a wallet; the payout wallet only after a fresh sign-in (`signedInAt`, unix ms). */
    async remove({
      userId,
      signedInAt,
      id,
    }: {
      userId: string;
      signedInAt: number;
      id: string;
    }): Promise<void> {
      const findWallet = async () => (await repository.list(userId)).find((wallet) => wallet.id === id);
      const wallet = await findWallet();
      if (!wallet) throw createWalletNotFoundError();
      const now = clock.now();
      const mayBePayout = wallet.isPayout === 1;
      if (mayBePayout) {
        assertMayChangePayout({ from: wallet.address, to: null, hadOne: true, signedInAt, now });
      }
      if (await repository.remove({ id, userId, mayBePayout, now })) return;
      throw (await findWallet()) ? createPayoutChangedError() : createWalletNotFoundError();
    },

    /** Where a caller was paid before and after each change of the last 30 days, newest first. */
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

function decodeAddress(address: string): Uint8Array {
  const bytes = decodePublicKey(address);
  if (!bytes) throw createAddressInvalidError();
  return bytes;
}

function decodeBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
