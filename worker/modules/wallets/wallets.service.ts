import { PRODUCT_NAME, WALLET_CHALLENGE_MS } from '#schema/constants.ts';
import type { SavedWallet, WalletChallenge } from '#schema/contracts/wallets.ts';
import { decodePublicKey } from '../../app/base58.ts';
import { isUniqueViolation } from '../../app/database.ts';
import { isSignedBy } from '../../app/ed25519.ts';
import { createId } from '../../app/ids.ts';
import type { Clock } from '../../ports/clock.ts';
import { createChallenge } from './challenge.ts';
import { createAddressInvalidError, createChallengeInvalidError, createSignatureInvalidError, createWalletAlreadyAddedError, createWalletNotFoundError } from './wallets.errors.ts';
import type { WalletsRepository } from './wallets.repository.ts';

export function createWalletsService({ repository, clock, appOrigin }: { repository: WalletsRepository; clock: Clock; appOrigin: string }) {
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
    async challenge({ userId, walletAddress }: { userId: string; walletAddress: string }): Promise<WalletChallenge> {
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
      await repository.insertChallenge({ nonce: challenge.input.nonce, userId, address: walletAddress, message: challenge.message, expiresAt }, now);
      return challenge;
    },

    /**
     * Saves a wallet: proven with a signature over the challenge (base64), else unproven, good neither
     * to be paid nor to claim.
     */
    async save({ userId, walletAddress, signature, signedMessage }: { userId: string; walletAddress: string; signature: string | undefined; signedMessage: string | undefined }): Promise<SavedWallet> {
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
      const signatureBytes = decodeBase64(signature);
      const said = signedMessage === undefined ? null : new TextDecoder().decode(decodeBase64(signedMessage));
      const signed = challenges.find(
        ({ message }) =>
          (said === null || said === message) &&
          isSignedBy({ message: new TextEncoder().encode(message), signature: signatureBytes, publicKey }),
      );
      if (!signed) throw createSignatureInvalidError();
      const isSaved = await repository.saveProven({ id: createId(), userId, address: walletAddress, nonce: signed.nonce, now });
      if (!isSaved) throw createChallengeInvalidError();
      return findSaved(userId, walletAddress);
    },

    async remove({ userId, id }: { userId: string; id: string }): Promise<void> {
      if (!(await repository.remove({ id, userId }))) throw createWalletNotFoundError();
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
