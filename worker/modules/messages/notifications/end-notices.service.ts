import { CALL_AUTO_END_MS, CALL_END_NOTICE_MS, DAY_MS, OUTBOX_BATCH_SIZE } from '#schema/constants.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { NoticeEvent, Outbox } from '../../../ports/outbox.ts';
import type { JobLeases } from '../../../shared/job-leases.ts';
import { readCursorPair, writeCursorPair } from '../../../shared/keyset.ts';
import { composeMessage, describeTime, showSymbol } from '../../../shared/plain-text.ts';
import type { EndNoticesRepository } from './end-notices.repository.ts';

const MAX_PAGES = 20;

interface EndNoticesOptions {
  readonly repository: EndNoticesRepository;
  readonly outbox: Pick<Outbox, 'add'>;
  readonly leases: JobLeases;
  readonly clock: Clock;
  readonly appOrigin: string;
}

/** Tells callers a day before their call ends automatically. */
export function createEndNoticesService({ repository, outbox, leases, clock, appOrigin }: EndNoticesOptions) {
  return {
    /** Passes the due notices to the sender, each once. Returns their number; null if another run is doing it. */
    notify: (): Promise<number | null> =>
      leases.run({
        job: 'calls.end_notices',
        work: async (lease) => {
          const now = clock.now();
          let cursor = readCursorPair(lease.cursor) ?? { value: now - CALL_AUTO_END_MS, id: '' };
          let added = 0;
          for (let page = 0; page < MAX_PAGES; page++) {
            const until = now - CALL_AUTO_END_MS + CALL_END_NOTICE_MS;
            const due = await repository.listOpen({ until, cursor, limit: OUTBOX_BATCH_SIZE });
            const last = due.at(-1);
            if (!last) break;
            const events = due
              .filter(({ isReachable }) => isReachable === 1)
              .map(({ id, callerId }): NoticeEvent => {
                return { kind: 'call_ends_soon', id: `call_ends_soon:${id}`, userId: callerId, subject: id };
              });
            if (events.length > 0) await outbox.add(events);
            added += events.length;
            cursor = { value: last.calledAt, id: last.id };
            await lease.commit({ cursor: writeCursorPair(cursor) });
          }
          return added;
        },
      }),

    /** Null if the call has ended. */
    async compose(notice: NoticeEvent) {
      const call = await repository.findOpen(notice);
      if (!call) return null;
      const endsAt = describeTime(call.calledAt + CALL_AUTO_END_MS);
      const head = (nameLength: number) =>
        `Your call on ${showSymbol(call, nameLength)} ends automatically on ${endsAt}.\n\n` +
        `A call stays open for at most ${CALL_AUTO_END_MS / DAY_MS} days. Until then you can end it yourself. ` +
        'An automatic end uses the market price and counts like any other.';
      const text = composeMessage({ head, link: `${appOrigin}/call/${notice.subject}` });
      return { text, switchKind: null, callerId: null };
    },
  };
}
