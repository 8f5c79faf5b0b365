import type { CurrentUser } from '#schema/contracts/users.ts';
import { formatSol, isFreeFee } from '#schema/rules/money/lamports.ts';
import { fingerprint } from '#schema/rules/text/fingerprint.ts';
import { AppError } from '../../../app/errors.ts';
import type { Live } from '../../../ports/live.ts';
import { callerAvatarPath } from '../../money/callers/caller-summary.ts';
import {
  createCallerTerms,
  type Application,
  type CallerProfileChange,
  type CallerTermsDependencies,
} from './caller-terms.ts';
import { createUsersRepository } from './users.repository.ts';

interface UsersDependencies extends CallerTermsDependencies {
  readonly operatorXIds: ReadonlySet<string>;
  readonly live: Pick<Live, 'peopleChanged'>;
}

export function createUsersService(dependencies: UsersDependencies) {
  const { db, terms, operatorXIds, live } = dependencies;
  const repository = createUsersRepository(db);
  const callerTerms = createCallerTerms(dependencies);

  const current = async (userId: string): Promise<CurrentUser> => {
    const [found, hasAcceptedTerms] = await Promise.all([
      repository.findUser(userId),
      terms.hasAcceptedAll(userId),
    ]);
    if (!found) throw new AppError({ code: 'users.not_found' });
    const { user, caller, wasCaller, telegram, xScopes, hasPush } = found;
    return {
      id: user.id,
      firstName: user.firstName,
      lastName: user.lastName,
      email: user.email,
      twitterHandle: user.twitterHandle,
      profileImageUrl:
        caller === null
          ? ownAvatarPath(user.profileImageUrl)
          : callerAvatarPath({ id: user.id, url: user.profileImageUrl }),
      bio: user.bio,
      isVerified: user.isVerified,
      isCaller: caller !== null,
      ...(wasCaller && { wasCaller }),
      walletAddress: caller?.payoutAddress ?? null,
      monthlyFee: caller && !isFreeFee(caller.feeLamports) ? formatSol(caller.feeLamports) : null,
      ...(caller && { sellsWeek: caller.sellsWeek }),
      telegramHandle: telegram?.handle ?? null,
      telegramConnected: telegram?.connectedAt != null,
      ...(telegram?.canCall && telegram.connectedAt !== null && { telegramCalls: true }),
      canPostOnX: xScopes !== null,
      mustAcceptTerms: !hasAcceptedTerms,
      ...(hasPush && { hasPush: true }),
      ...(operatorXIds.has(user.xUserId) && { isOperator: true }),
      ...(caller?.deletesAt != null && { deletesAt: new Date(caller.deletesAt).toISOString() }),
      createdAt: new Date(user.createdAt).toISOString(),
      updatedAt: new Date(user.updatedAt).toISOString(),
    };
  };

  return {
    current,

    async becomeCaller(application: Application): Promise<CurrentUser> {
      await callerTerms.apply(application);
      return current(application.userId);
    },

    async updateCallerProfile(change: CallerProfileChange): Promise<CurrentUser> {
      await callerTerms.change(change);
      live.peopleChanged({ userIds: [change.userId], topic: 'wallets' });
      return current(change.userId);
    },

    async updateBio({ userId, bio }: { userId: string; bio: string }): Promise<CurrentUser> {
      await repository.updateBio({ userId, bio: bio === '' ? null : bio });
      return current(userId);
    },
  };
}

const ownAvatarPath = (url: string | null): string | null =>
  url === null ? null : `/api/images/me/${fingerprint(url)}`;
