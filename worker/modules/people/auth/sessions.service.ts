import { NEW_DEVICE_SHOWN_MS } from '#schema/constants/people.ts';
import type { UserSession } from '#schema/contracts/sessions.ts';
import { UNKNOWN_DEVICE } from '#schema/rules/people/device-label.ts';
import type { Base } from '../../../app/base.ts';
import { AppError } from '../../../app/errors.ts';
import type { Live } from '../../../ports/live.ts';
import { createSessionsRepository } from './sessions.repository.ts';

interface SessionsOptions extends Pick<Base, 'db' | 'clock'> {
  readonly live: Pick<Live, 'peopleChanged'>;
}

export interface Viewing {
  readonly userId: string;
  readonly currentId: string;
}

/** A user's own sessions. The id of a session is its token's hash, which signs nobody in. */
export function createSessionsService({ db, live, clock }: SessionsOptions) {
  const repository = createSessionsRepository(db);
  return {
    async list({ userId, currentId }: Viewing): Promise<UserSession[]> {
      const now = clock.now();
      const rows = await repository.listOfUser({ userId, tokenHash: currentId, now });
      return rows.map((row): UserSession => {
        const isNewTo = (deviceAt: number) =>
          deviceAt > row.userCreatedAt && deviceAt > now - NEW_DEVICE_SHOWN_MS;
        return {
          id: row.tokenHash,
          device: row.label ?? UNKNOWN_DEVICE,
          signedInAt: new Date(row.createdAt).toISOString(),
          lastUsedAt: new Date(Math.max(row.createdAt, row.lastUsedAt)).toISOString(),
          isCurrent: row.tokenHash === currentId,
          isNew: row.deviceAt !== null && isNewTo(row.deviceAt),
        };
      });
    },

    async end({ userId, id }: { userId: string; id: string }): Promise<void> {
      const isEnded = await repository.delete({ userId, tokenHash: id, now: clock.now() });
      if (!isEnded) throw new AppError({ code: 'sessions.not_found' });
      live.peopleChanged({ userIds: [userId], topic: 'sessions' });
    },

    async endOthers({ userId, currentId }: Viewing): Promise<void> {
      await repository.deleteOthers({ userId, tokenHash: currentId });
      live.peopleChanged({ userIds: [userId], topic: 'sessions' });
    },
  };
}
