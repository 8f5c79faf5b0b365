import type { CurrentUser } from '#schema/contracts/users.ts';
import { readApplicationFee, readMonthlyFee } from '#schema/rules/fee-input.ts';
import { formatSol, isFreeFee } from '#schema/rules/lamports.ts';
import { callerSearchText } from '#schema/rules/search.ts';
import { isUniqueViolation } from '../../shared/database.ts';
import { assertMayChangePayout, createPayoutChangedError } from '../../shared/payout-change.ts';
import type { Clock } from '../../ports/clock.ts';
import {
  createAlreadyCallerError,
  createFeeError,
  createNotACallerError,
  createPayoutWalletUnprovenError,
  createUserNotFoundError,
} from './users.errors.ts';
import type { UsersRepository } from './users.repository.ts';

/** Refuses a fee whose legs could not land on the chain. */
export interface FeeGuard {
  assertFeeCanLand(terms: { feeLamports: bigint; payoutAddress: string | null }): Promise<void>;
}

export function createUsersService({
  repository,
  feeGuard,
  clock,
}: {
  repository: UsersRepository;
  feeGuard: FeeGuard;
  clock: Clock;
}) {
  const findUser = async (userId: string) => {
    const found = await repository.findUser(userId);
    if (!found) throw createUserNotFoundError();
    return found;
  };

  return {
    /** The signed-in user's own account. */
    async current(userId: string): Promise<CurrentUser> {
      const { user, caller, telegram, xScopes } = await findUser(userId);
      return {
        id: user.id,
        firstName: user.firstName,
        lastName: user.lastName,
        email: user.email,
        twitterHandle: user.twitterHandle,
        profileImageUrl: user.profileImageUrl,
        bio: user.bio,
        isVerified: user.isVerified,
        isCaller: caller !== null,
        walletAddress: caller?.payoutAddress ?? null,
        monthlyFee: caller && !isFreeFee(caller.feeLamports) ? formatSol(caller.feeLamports) : null,
        telegramHandle: telegram?.handle ?? null,
        telegramConnected: telegram?.connectedAt != null,
        canPostOnX: xScopes !== null,
        createdAt: new Date(user.createdAt).toISOString(),
        updatedAt: new Date(user.updatedAt).toISOString(),
      };
    },

    /** Makes the user a caller at a price (decimal text in SOL; empty is Free). */
    async becomeCaller({
      userId,
      subscriptionPrice,
    }: {
      userId: string;
      subscriptionPrice: string;
    }): Promise<CurrentUser> {
      const fee = readApplicationFee(subscriptionPrice);
      if (typeof fee === 'string') throw createFeeError(fee, 'application');
      const { user, caller } = await findUser(userId);
      if (caller) throw createAlreadyCallerError();
      const payoutAddress = await repository.findProvenWallet(userId);
      if (!isFreeFee(fee)) await feeGuard.assertFeeCanLand({ feeLamports: fee, payoutAddress });
      const now = clock.now();
      try {
        await repository.insertCaller({
          callerId: userId,
          feeLamports: fee,
          payoutAddress,
          searchText: callerSearchText({
            firstName: user.firstName,
            lastName: user.lastName,
            handle: user.twitterHandle,
          }),
          createdAt: now,
          updatedAt: now,
        });
      } catch (error) {
        throw isUniqueViolation(error) ? createAlreadyCallerError() : error;
      }
      return this.current(userId);
    },

    /**
     * Changes a caller's fee, the proven wallet they are paid to, or both; `undefined` stays as it is. Another wallet than until
     * now needs a fresh sign-in (`signedInAt`, unix ms).
     */
    async updateCallerProfile({
      userId,
      signedInAt,
      monthlyFee,
      walletAddress,
    }: {
      userId: string;
      signedInAt: number;
      monthlyFee: string | null | undefined;
      walletAddress: string | undefined;
    }): Promise<CurrentUser> {
      const fee = monthlyFee === undefined ? undefined : readMonthlyFee(monthlyFee);
      if (typeof fee === 'string') throw createFeeError(fee, 'dashboard');
      const { caller } = await findUser(userId);
      if (!caller) throw createNotACallerError();
      const payout =
        walletAddress === undefined ? undefined : { from: caller.payoutAddress, to: walletAddress };
      const assertProven = async ({ to }: { to: string }) => {
        if ((await repository.findProvenWallet(userId, to)) === null) throw createPayoutWalletUnprovenError();
      };
      if (payout) {
        await assertProven(payout);
        const hadOne = payout.from === null && (await repository.hadPayout(userId));
        assertMayChangePayout({ ...payout, hadOne, signedInAt, now: clock.now() });
      }
      const payoutAddress = walletAddress ?? caller.payoutAddress;
      const feeLamports = fee ?? caller.feeLamports;
      if (!isFreeFee(feeLamports)) await feeGuard.assertFeeCanLand({ feeLamports, payoutAddress });
      const isUpdated = await repository.updateTerms({
        callerId: userId,
        feeLamports: fee,
        payout,
        now: clock.now(),
      });
      if (!isUpdated) {
        if (!payout) throw createNotACallerError();
        await assertProven(payout);
        throw createPayoutChangedError();
      }
      return this.current(userId);
    },

    /** Writes the bio; an empty one is none. */
    async updateBio({ userId, bio }: { userId: string; bio: string }): Promise<CurrentUser> {
      await repository.updateBio({ userId, bio: bio === '' ? null : bio });
      return this.current(userId);
    },
  };
}
