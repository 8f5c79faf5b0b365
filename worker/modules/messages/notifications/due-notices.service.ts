import { CALL_AUTO_END_MS, CALL_END_NOTICE_MS, OUTBOX_BATCH_SIZE } from '#schema/constants.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { NoticeEvent } from '../../../ports/outbox.ts';
import { readCursorPair, writeCursorPair } from '../../../shared/keyset.ts';
import type { createDueNoticesRepository } from './due-notices.repository.ts';
import type { SendNoticePages } from './notice-pages.ts';

interface DueNoticesOptions {
  readonly repository: ReturnType<typeof createDueNoticesRepository>;
  readonly sendPages: SendNoticePages;
  readonly clock: Clock;
}

/** Finds the notices that are due by time. `createNoticesService` writes them. */
export function createDueNoticesService({ repository, sendPages, clock }: DueNoticesOptions) {
  return {
    /** Tells callers a day before their call ends automatically. */
    notifyOfEnds: () =>
      sendPages({
        job: 'calls.end_notices',
        async nextPage(position) {
          const endingBefore = clock.now() - CALL_AUTO_END_MS;
          const cursor = readCursorPair(position) ?? { value: endingBefore, id: '' };
          const until = endingBefore + CALL_END_NOTICE_MS;
          const due = await repository.listOpenCalls({ until, cursor, limit: OUTBOX_BATCH_SIZE });
          const last = due.at(-1);
          if (!last) return null;
          const events = due
            .filter(({ isReachable }) => isReachable === 1)
            .map(({ id, callerId }): NoticeEvent => {
              return { kind: 'call_ends_soon', id: `call_ends_soon:${id}`, userId: callerId, subject: id };
            });
          return { events, done: due.length, cursor: writeCursorPair({ value: last.calledAt, id: last.id }) };
        },
      }),

    /** Tells a caller and the paid subscribers that a silence begins. The cursor is the silence's last subscriber. */
    notifyOfSilences: () =>
      sendPages({
        job: 'notices.silence',
        async nextPage(position) {
          const silence = await repository.findUnsentSilence();
          if (!silence) return null;
          const subject = `${silence.callerId}:${silence.number}`;
          const [of, last = ''] = position?.split(' ') ?? [];
          const after = of === subject ? last : '';
          const people = await repository.listSubscribers(silence, { after, limit: OUTBOX_BATCH_SIZE });
          const reachable = people.filter(({ isReachable }) => isReachable === 1).map(({ id }) => id);
          const events = [...(after === '' ? [silence.callerId] : []), ...reachable].map(
            (userId): NoticeEvent => {
              return { kind: 'caller_silent', id: `caller_silent:${subject}:${userId}`, userId, subject };
            },
          );
          const isLast = people.length < OUTBOX_BATCH_SIZE;
          return {
            events,
            done: events.length,
            cursor: isLast ? null : `${subject} ${people.at(-1)?.id}`,
            statements: isLast ? [repository.markSilenceSent(silence, clock.now())] : [],
          };
        },
      }),
  };
}
