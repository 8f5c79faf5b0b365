import { NOTIFICATION_KINDS } from '#schema/constants.ts';
import type {
  NotificationKind,
  NotificationSettings,
  NotificationSwitch,
} from '#schema/contracts/notifications.ts';
import { describeCallerSummary } from '../../shared/caller-summary.ts';
import type { Clock } from '../../ports/clock.ts';
import type { NotificationSettingsRepository } from './notification-settings.repository.ts';
import {
  createMuteSelfError,
  createMutedNobodyError,
  createTooManyMutesError,
} from './notifications.errors.ts';

export interface NotificationSettingsOptions {
  readonly repository: NotificationSettingsRepository;
  readonly clock: Clock;
}

/** Telegram settings. All kinds of messages and all callers are on by default. */
export function createNotificationSettingsService({ repository, clock }: NotificationSettingsOptions) {
  const read = async (userId: string): Promise<NotificationSettings> => {
    const [optOuts, muted] = await Promise.all([
      repository.listOptOuts(userId),
      repository.listMutedCallers(userId),
    ]);
    const kinds = Object.fromEntries(
      NOTIFICATION_KINDS.map((kind) => [kind, !optOuts.includes(kind)]),
    ) as Record<NotificationKind, boolean>;
    return { kinds, mutedCallers: muted.map((row) => describeCallerSummary(row.id, row)) };
  };

  return {
    read,

    async change({
      userId,
      kind,
      isOn,
    }: { userId: string } & NotificationSwitch): Promise<NotificationSettings> {
      await (isOn ? repository.optIn({ userId, kind }) : repository.optOut({ userId, kind }));
      return read(userId);
    },

    /**
     * Repeating it changes nothing. @throws notifications.mute_self, callers.not_found,
     * notifications.too_many_mutes
     */
    async mute(pair: { userId: string; callerId: string }): Promise<NotificationSettings> {
      if (pair.userId === pair.callerId) throw createMuteSelfError();
      await repository.mute({ ...pair, now: clock.now() });
      const { isCaller, isMuted } = await repository.findStanding(pair);
      if (!isCaller) throw createMutedNobodyError();
      if (!isMuted) throw createTooManyMutesError();
      return read(pair.userId);
    },

    /** Repeating it changes nothing. @throws callers.not_found */
    async unmute(pair: { userId: string; callerId: string }): Promise<NotificationSettings> {
      await repository.unmute(pair);
      if (!(await repository.findStanding(pair)).isCaller) throw createMutedNobodyError();
      return read(pair.userId);
    },
  };
}
