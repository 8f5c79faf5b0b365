import type { z } from 'zod';
import { PAYMENTS_PAGE_SIZE } from '#schema/constants/money.ts';
import type { Earning, Receipt } from '#schema/contracts/payments.ts';
import type { pageQuerySchema } from '#schema/contracts/shared.ts';
import type { Base } from '../../../app/base.ts';
import { exportCsv } from '../../../app/csv.ts';
import { AppError } from '../../../app/errors.ts';
import { readOptionalCursor, type KeysetCursor } from '../../../shared/keyset.ts';
import { cutPage, type Page } from '../../../app/pages.ts';
import { describeEarning, describeReceipt, earningColumns } from './receipt-view.ts';
import type { EarningRow, PaymentRow, PaymentsQuery, ReceiptsRepository } from './receipts.repository.ts';

export interface ReceiptsOptions extends Pick<Base, 'explorerUrl' | 'clock'> {
  readonly repository: ReceiptsRepository;
}

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

const cursorOf = ({ created_at, id }: PaymentRow): KeysetCursor => ({ value: created_at, id });
