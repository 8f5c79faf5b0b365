import type { z } from 'zod';
import { PAYMENTS_PAGE_SIZE } from '#schema/constants/money.ts';
import type { Earning, Receipt } from '#schema/contracts/payments.ts';
import type { pageQuerySchema } from '#schema/contracts/shared.ts';
import type { subscribersQuerySchema } from '#schema/contracts/subscriptions.ts';
import type { Base } from '../../../app/base.ts';
import { exportCsv } from '../../../app/csv.ts';
import { AppError } from '../../../app/errors.ts';
import { readOptionalCursor, type KeysetCursor } from '../../../shared/keyset.ts';
import { cutPage, type Page } from '../../../app/pages.ts';
import {
  describeEarning,
  describeReceipt,
  describeSubscriber,
  earningColumns,
  subscriberColumns,
} from './receipt-view.ts';
import type {
  EarningRow,
  PaymentRow,
  PaymentsQuery,
  ReceiptsRepository,
  SubscriberRow,
} from './receipts.repository.ts';

export interface ReceiptsOptions extends Pick<Base, 'explorerUrl' | 'clock'> {
  readonly repository: ReceiptsRepository;
}

type SubscribersQuery = z.infer<typeof subscribersQuerySchema>;
type PageQuery = z.infer<typeof pageQuerySchema>;

export function createReceiptsService({ repository, clock, explorerUrl }: ReceiptsOptions) {
  return {
    async listPaid(userId: string, query: PageQuery): Promise<Page<Receipt>> {
      const { rows, nextCursor } = await newestFirst(repository.listPaid, userId, query);
      return { rows: rows.map((row) => describeReceipt(row, explorerUrl)), nextCursor };
    },

    async listEarned(userId: string, query: PageQuery): Promise<Page<Earning>> {
      const list = (page: PaymentsQuery) => repository.listEarned({ ...page, now: clock.now() });
      const { rows, nextCursor } = await newestFirst(list, userId, query);
      return { rows: rows.map((row) => describeEarning(row, explorerUrl)), nextCursor };
    },

    /** A page of those who pay the caller. */
    async listSubscribers(userId: string, { show, cursor, limit = PAYMENTS_PAGE_SIZE }: SubscribersQuery) {
      const page = { cursor: readOptionalCursor(cursor), limit: limit + 1 };
      const rows = await repository.listSubscribers({ userId, show, now: clock.now(), ...page });
      const { shown, nextCursor } = cutPage(rows, limit, endOf);
      return { rows: shown.map(describeSubscriber), nextCursor };
    },

    async find(query: { userId: string; signature: string }): Promise<Receipt> {
      const row = await repository.findOf(query);
      if (!row) throw new AppError({ code: 'payments.not_found' });
      return describeReceipt(row, explorerUrl);
    },

    /** A CSV file, oldest first. */
    exportEarned: (userId: string) =>
      exportCsv({
        name: 'earnings',
        now: clock.now(),
        list: (page) => repository.listEarned({ userId, now: clock.now(), order: 'asc', ...page }),
        cursorOf,
        describe: (row: EarningRow) => describeEarning(row, explorerUrl),
        columns: earningColumns,
      }),

    /** A CSV file of those who pay the caller now. */
    exportSubscribers: (userId: string) =>
      exportCsv({
        name: 'subscribers',
        now: clock.now(),
        list: (page) => repository.listSubscribers({ userId, show: 'running', now: clock.now(), ...page }),
        cursorOf: endOf,
        describe: describeSubscriber,
        columns: subscriberColumns,
      }),
  };
}

async function newestFirst<Row extends PaymentRow>(
  list: (query: PaymentsQuery) => Promise<Row[]>,
  userId: string,
  { cursor, limit = PAYMENTS_PAGE_SIZE }: PageQuery,
): Promise<Page<Row>> {
  const rows = await list({ userId, order: 'desc', cursor: readOptionalCursor(cursor), limit: limit + 1 });
  const { shown, nextCursor } = cutPage(rows, limit, cursorOf);
  return { rows: shown, nextCursor };
}

const endOf = ({ known_end, id }: SubscriberRow): KeysetCursor => ({ value: known_end, id });
const cursorOf = ({ created_at, id }: PaymentRow): KeysetCursor => ({ value: created_at, id });
