import type { Outbox, OutgoingEvent } from '../../../ports/outbox.ts';
import type { JobLeases, Statement } from '../../../shared/job-leases.ts';

interface NoticePage {
  /** The events of reachable users. Others get no notice, not even after connecting a chat later. */
  readonly events: readonly OutgoingEvent[];
  /** The number of notices that this page completes, including those that nobody can get. */
  readonly done: number;
  readonly cursor: string | null;
  readonly statements?: readonly Statement[];
  readonly isLast?: boolean;
}

interface NoticeJob {
  readonly job: string;
  readonly maxPages?: number;
  readonly nextPage: (cursor: string | null) => Promise<NoticePage | null>;
}

interface NoticePagesOptions {
  readonly outbox: Pick<Outbox, 'add'>;
  readonly leases: JobLeases;
}

export type SendNoticePages = ReturnType<typeof createSendNoticePages>;

/**
 * Passes due notices to the sender, a limited number of pages per run, and stores the position after each. After a crash
 * between the two, the sender gets a page again and ignores it.
 * @returns the number of notices; null if another run is doing it
 */
export function createSendNoticePages({ outbox, leases }: NoticePagesOptions) {
  return ({ job, maxPages = 20, nextPage }: NoticeJob): Promise<number | null> =>
    leases.run({
      job,
      work: async (lease) => {
        let [cursor, done] = [lease.cursor, 0];
        for (let pages = 0; pages < maxPages; pages++) {
          const page = await nextPage(cursor);
          if (page === null) break;
          if (page.events.length > 0) await outbox.add(page.events);
          done += page.done;
          ({ cursor } = page);
          await lease.commit({ statements: page.statements ?? [], cursor });
          if (page.isLast) break;
        }
        return done;
      },
    });
}
