import { NOTIFICATION_KINDS } from '#schema/constants/messages.ts';
import type {
  NotificationKind,
  NotificationSettings,
  NotificationSwitch,
} from '#schema/contracts/notifications.ts';
import type { Base } from '../../../app/base.ts';
import { AppError } from '../../../app/errors.ts';
import { describeCallerSummary } from '../../money/callers/caller-summary.ts';
import { createNotificationSettingsRepository } from './notification-settings.repository.ts';

/** Telegram settings. All kinds of messages and all callers are on by default. */
export function createNotificationSettingsService({ db, clock }: Pick<Base, 'db' | 'clock'>) {
  const repository = createNotificationSettingsRepository(db);
  const read = async (userId: string): Promise<NotificationSettings> => {
    const [optOuts, muted] = await Promise.all([
      repository.listOptOuts(userId),
      repository.listMutedCallers(userId),
    ]);
    const switches = NOTIFICATION_KINDS.map((kind) => [kind, !optOuts.includes(kind)] as const);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The switches have all kinds.
    const kinds = Object.fromEntries(switches) as Record<NotificationKind, boolean>;
    return { kinds, mutedCallers: muted.map((row) => describeCallerSummary(row.id, row)) };
  };

  return {
    read,

    async change({ userId, kind, isOn }: NotificationSwitch & { userId: string }) {
      await (isOn ? repository.optIn({ userId, kind }) : repository.optOut({ userId, kind }));
      return read(userId);
    },

    /** Idempotent. @throws notifications.mute_self, callers.not_found, notifications.too_many_mutes */
    async mute(pair: { userId: string; callerId: string }) {
      if (pair.userId === pair.callerId) throw new AppError({ code: 'notifications.mute_self' });
      await repository.mute({ ...pair, at: clock.now() });
      if (!(await repository.isCaller(pair.callerId))) throw new AppError({ code: 'callers.not_found' });
      if (await repository.isLimitReached(pair)) throw new AppError({ code: 'notifications.too_many_mutes' });
      return read(pair.userId);
    },

    async unmute(pair: { userId: string; callerId: string }) {
      await repository.unmute(pair);
      if (!(await repository.isCaller(pair.callerId))) throw new AppError({ code: 'callers.not_found' });
      return read(pair.userId);
    },
  };
}
