import { CALL_AUTO_END_MS, CALL_END_NOTICE_MS } from '#schema/constants/market.ts';
import { OUTBOX_BATCH_SIZE } from '#schema/constants/messages.ts';
import type { Base } from '../../../app/base.ts';
import type { NoticeEvent, NoticeKind } from '../../../ports/outbox.ts';
import type { Statement } from '../../../shared/job-leases.ts';
import { readCursorPair, writeCursorPair } from '../../../shared/keyset.ts';
import { createDueNoticesRepository, type PeoplePage, type Person } from './due-notices.repository.ts';
import type { SendNoticePages } from './notice-pages.ts';

interface DueNoticesOptions extends Pick<Base, 'db' | 'clock'> {
  readonly sendPages: SendNoticePages;
}

interface Announcement<Fact> {
  readonly job: string;
  readonly kind: NoticeKind;
  readonly find: () => Promise<Fact | null>;
  readonly subjectOf: (fact: Fact) => string;
  readonly first?: (fact: Fact) => string;
  readonly listPeople: (fact: Fact, page: PeoplePage) => Promise<readonly Person[]>;
  readonly finish: (fact: Fact) => Statement;
}

export function createDueNoticesService({ db, sendPages, clock }: DueNoticesOptions) {
  const repository = createDueNoticesRepository(db);
  /** Sends the notices of one fact after the other. The cursor is the last recipient of the current fact. */
  const notifyPeople = <Fact>(announcement: Announcement<Fact>) =>
    sendPages({
      job: announcement.job,
      async nextPage(position) {
        const { kind, find, subjectOf, first, listPeople, finish } = announcement;
        const fact = await find();
        if (fact === null) return null;
        const subject = subjectOf(fact);
        const [of, last = ''] = position?.split(' ') ?? [];
        const after = of === subject ? last : '';
        const people = await listPeople(fact, { after, limit: OUTBOX_BATCH_SIZE });
        const reachable = people.filter(({ isReachable }) => isReachable === 1).map(({ id }) => id);
        const userIds = [...(first && after === '' ? [first(fact)] : []), ...reachable];
        const isLast = people.length < OUTBOX_BATCH_SIZE;
        return {
          events: userIds.map((userId) => ({ kind, id: `${kind}:${subject}:${userId}`, userId, subject })),
          done: userIds.length,
          cursor: isLast ? null : `${subject} ${people.at(-1)?.id}`,
          statements: isLast ? [finish(fact)] : [],
        };
      },
    });

  return {
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

    notifyOfSilences: () =>
      notifyPeople({
        job: 'notices.silence',
        kind: 'caller_silent',
        find: repository.findUnsentSilence,
        subjectOf: ({ callerId, number }) => `${callerId}:${number}`,
        first: ({ callerId }) => callerId,
        listPeople: repository.listSubscribers,
        finish: (silence) => repository.markSilenceSent(silence, clock.now()),
      }),

    /** Tells the followers on paper that a call has ended, once its result is recorded. */
    notifyOfPaperEnds: () =>
      notifyPeople({
        job: 'notices.paper',
        kind: 'paper_ended',
        find: repository.findPaperEnd,
        subjectOf: ({ callId }) => callId,
        listPeople: repository.listPaperFollowers,
        finish: repository.deletePaperEnd,
      }),
  };
}
