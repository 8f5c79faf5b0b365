import type { z } from 'zod';
import { PAYMENTS_PAGE_SIZE } from '#schema/constants/money.ts';
import type { Subscriber, subscribersQuerySchema } from '#schema/contracts/subscriptions.ts';
import type { Base } from '../../../app/base.ts';
import { exportCsv } from '../../../app/csv.ts';
import { cutPage, type Page } from '../../../app/pages.ts';
import { readOptionalCursor, type KeysetCursor } from '../../../shared/keyset.ts';
import { describeSubscriber, subscriberColumns } from './subscriber-view.ts';
import type { SubscriberListRepository, SubscriberRow } from './subscriber-list.repository.ts';

interface SubscriberListOptions extends Pick<Base, 'clock'> {
  readonly repository: SubscriberListRepository;
}

/** Lists who pays a caller, for that caller alone. */
export function createSubscriberListService({ repository, clock }: SubscriberListOptions) {
  return {
    async list(
      callerId: string,
      { show, cursor, limit = PAYMENTS_PAGE_SIZE }: z.infer<typeof subscribersQuerySchema>,
    ): Promise<Page<Subscriber>> {
      const page = { cursor: readOptionalCursor(cursor), limit: limit + 1 };
      const rows = await repository.list({ callerId, show, now: clock.now(), ...page });
      const { shown, nextCursor } = cutPage(rows, limit, cursorOf);
      return { rows: shown.map(describeSubscriber), nextCursor };
    },

    /** A CSV file of those who pay now. */
    export(callerId: string) {
      const now = clock.now();
      return exportCsv({
        name: 'subscribers',
        now,
        list: (page) => repository.list({ callerId, show: 'running', now, ...page }),
        cursorOf,
        describe: describeSubscriber,
        columns: subscriberColumns,
      });
    },
  };
}

const cursorOf = ({ known_end, id }: SubscriberRow): KeysetCursor => ({ value: known_end, id });
