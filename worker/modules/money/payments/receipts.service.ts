import type { z } from 'zod';
import { PAYMENTS_PAGE_SIZE } from '#schema/constants/money.ts';
import type { Earning, Receipt } from '#schema/contracts/payments.ts';
import type { pageQuerySchema } from '#schema/contracts/shared.ts';
import type { Base } from '../../../app/base.ts';
import { AppError } from '../../../app/errors.ts';
import { readOptionalCursor, type KeysetCursor } from '../../../shared/keyset.ts';
import { cutPage, type Page } from '../../../app/pages.ts';
import { describeEarning, describeReceipt, EARNINGS_CSV_HEADER, earningCells } from './receipt-view.ts';
import type { EarningRow, PaymentRow, PaymentsQuery, ReceiptsRepository } from './receipts.repository.ts';

export const EARNINGS_CSV_PAGE_SIZE = 500;

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
      const { rows, nextCursor } = await newestFirst(repository.listEarned, userId, query);
      return { rows: rows.map((row) => describeEarning(row, explorerUrl)), nextCursor };
    },

    async find(query: { userId: string; signature: string }): Promise<Receipt> {
      const row = await repository.findOf(query);
      if (!row) throw new AppError({ code: 'payments.not_found' });
      return describeReceipt(row, explorerUrl);
    },

    /** A CSV file, oldest first, read page by page during the download. */
    async exportEarned(userId: string) {
      const rows = [EARNINGS_CSV_HEADER];
      for (let cursor: KeysetCursor | null = null; ;) {
        const page: EarningRow[] = await repository.listEarned({
          userId,
          order: 'asc',
          cursor,
          limit: EARNINGS_CSV_PAGE_SIZE,
        });
        rows.push(...page.map((row) => earningCells(describeEarning(row, explorerUrl))));
        const last = page.at(-1);
        if (last === undefined || page.length < EARNINGS_CSV_PAGE_SIZE) break;
        cursor = cursorOf(last);
      }
      const day = new Date(clock.now()).toISOString().slice(0, 10);
      return { name: `solcallers-earnings-${day}.csv`, text: writeCsvRows(rows) };
    },
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

/** Spreadsheets read cells that begin like this as formulas. */
const FORMULA_START = /^[=+\-@\t\r\n]/;
const NEEDS_QUOTES = /[",\r\n]/;

/** Writes rows as CSV (RFC 4180). Puts an apostrophe before formulas, so that spreadsheets show them as text. */
export function writeCsvRows(rows: readonly (readonly string[])[]): string {
  return rows.map((cells) => `${cells.map(writeCell).join(',')}\r\n`).join('');
}

function writeCell(cell: string): string {
  const harmless = FORMULA_START.test(cell) ? `'${cell}` : cell;
  return NEEDS_QUOTES.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
