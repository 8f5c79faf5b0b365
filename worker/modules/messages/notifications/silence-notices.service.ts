import { OUTBOX_BATCH_SIZE } from '#schema/constants.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { NoticeEvent, Outbox } from '../../../ports/outbox.ts';
import { nameOf } from '../../../shared/caller-summary.ts';
import type { JobLeases } from '../../../shared/job-leases.ts';
import type { createSilenceNoticesRepository } from './silence-notices.repository.ts';
import { composeSilenceText } from './silence-text.ts';

const MAX_PAGES = 20;

interface SilenceNoticesOptions {
  readonly repository: ReturnType<typeof createSilenceNoticesRepository>;
  readonly outbox: Pick<Outbox, 'add'>;
  readonly leases: JobLeases;
  readonly clock: Clock;
  readonly appOrigin: string;
}

/** One notice to a caller and the paid subscribers when a silence begins. */
export function createSilenceNoticesService(options: SilenceNoticesOptions) {
  const { repository, outbox, leases, clock, appOrigin } = options;
  return {
    /** Passes a limited number of notices to the sender. The cursor is the last subscriber of the oldest silence. */
    notify: () =>
      leases.run({
        job: 'notices.silence',
        work: async (lease) => {
          let added = 0;
          let cursor = lease.cursor;
          for (let page = 0; page < MAX_PAGES; page++) {
            const silence = await repository.findUnsent();
            if (!silence) break;
            const subject = `${silence.callerId}:${silence.number}`;
            const [of, last = ''] = cursor?.split(' ') ?? [];
            const after = of === subject ? last : '';
            const people = await repository.listSubscribers(silence, { after, limit: OUTBOX_BATCH_SIZE });
            const reachable = people.filter(({ isReachable }) => isReachable === 1).map(({ id }) => id);
            const events = [...(after === '' ? [silence.callerId] : []), ...reachable].map(
              (userId): NoticeEvent => ({
                kind: 'caller_silent',
                id: `caller_silent:${subject}:${userId}`,
                userId,
                subject,
              }),
            );
            if (events.length > 0) await outbox.add(events);
            added += events.length;
            const isDone = people.length < OUTBOX_BATCH_SIZE;
            cursor = isDone ? null : `${subject} ${people.at(-1)?.id}`;
            const statements = isDone ? [repository.markSent(silence, clock.now())] : [];
            await lease.commit({ statements, cursor });
          }
          return added;
        },
      }),

    async compose(notice: NoticeEvent) {
      const silence = await repository.find(notice);
      if (!silence) return null;
      const text = composeSilenceText({
        caller: { name: nameOf(silence), handle: silence.twitter_handle },
        since: silence.since,
        endsAt: notice.userId === silence.callerId ? null : silence.endsAt,
        profileUrl: `${appOrigin}/caller/${silence.callerId}`,
      });
      return { text, switchKind: 'subscription_expiring' as const, callerId: null };
    },
  };
}
