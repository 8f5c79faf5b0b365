import type { CurrentUser } from '#schema/contracts/users.ts';
import { formatSol, isFreeFee } from '#schema/rules/lamports.ts';
import { callerPicturePath, ownPicturePath } from '../../shared/image-paths.ts';
import {
  createCallerTerms,
  type Application,
  type CallerProfileChange,
  type CallerTermsDependencies,
} from './caller-terms.ts';
import { createUserNotFoundError } from './users.errors.ts';

export function createUsersService(dependencies: CallerTermsDependencies) {
  const { repository } = dependencies;
  const terms = createCallerTerms(dependencies);

  const current = async (userId: string): Promise<CurrentUser> => {
    const found = await repository.findUser(userId);
    if (!found) throw createUserNotFoundError();
    const { user, caller, telegram, xScopes } = found;
    return {
      id: user.id,
      firstName: user.firstName,
      lastName: user.lastName,
      email: user.email,
      twitterHandle: user.twitterHandle,
      profileImageUrl:
        caller === null
          ? ownPicturePath(user.profileImageUrl)
          : callerPicturePath({ id: user.id, url: user.profileImageUrl }),
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
  };

  return {
    current,

    async becomeCaller(application: Application): Promise<CurrentUser> {
      await terms.apply(application);
      return current(application.userId);
    },

    async updateCallerProfile(change: CallerProfileChange): Promise<CurrentUser> {
      await terms.change(change);
      return current(change.userId);
    },

    async updateBio({ userId, bio }: { userId: string; bio: string }): Promise<CurrentUser> {
      await repository.updateBio({ userId, bio: bio === '' ? null : bio });
      return current(userId);
    },
  };
}
