import { EARNINGS_CSV_PAGE_SIZE, PAYMENTS_PAGE_SIZE } from '#schema/constants.ts';
import type { Earning, Receipt } from '#schema/contracts/payments.ts';
import { writeCsvRows } from './csv.ts';
import type { ExplorerUrl } from '../../shared/explorer-url.ts';
import { readOptionalCursor, type KeysetCursor } from '../../shared/keyset.ts';
import { cutPage, type Page } from '../../app/pages.ts';
import type { Clock } from '../../ports/clock.ts';
import { createPaymentNotFoundError } from './payments.errors.ts';
import { describeEarning, describeReceipt, earningCells, EARNINGS_CSV_HEADER } from './receipt-view.ts';
import type { EarningRow, PaymentRow, ReceiptsRepository } from './receipts.repository.ts';

export interface ReceiptsOptions {
  readonly repository: ReceiptsRepository;
  readonly callers: {
    /** @throws users.not_a_caller */
    assertIsCaller(userId: string): Promise<void>;
  };
  readonly clock: Clock;
  readonly explorerUrl: ExplorerUrl;
}

/** Whose payments, from where on, and how many of them. */
export interface PageQuestion {
  readonly userId: string;
  readonly cursor: string | undefined;
  readonly limit: number | undefined;
}

/** A file of CSV, in pieces that are made one after the other. */
export interface CsvFile {
  readonly name: string;
  readonly texts: AsyncIterator<string>;
}

/** What people see of their payments. It writes nothing. */
export function createReceiptsService({ repository, callers, clock, explorerUrl }: ReceiptsOptions) {
  return {
    /** One page of what somebody paid, newest first. */
    async listPaid({ userId, cursor, limit = PAYMENTS_PAGE_SIZE }: PageQuestion): Promise<Page<Receipt>> {
      const rows = await repository.listPaid({
        userId,
        order: 'desc',
        cursor: readOptionalCursor(cursor),
        limit: limit + 1,
      });
      const { shown, nextCursor } = cutPage(rows, limit, cursorOf);
      return { rows: shown.map((row) => describeReceipt(row, explorerUrl)), nextCursor };
    },

    /** One payment, for who made it and for the caller whom it paid. @throws payments.not_found */
    async find(question: { userId: string; signature: string }): Promise<Receipt> {
      const row = await repository.findOf(question);
      if (!row) throw createPaymentNotFoundError();
      return describeReceipt(row, explorerUrl);
    },

    /** One page of what a caller was paid, newest first. @throws users.not_a_caller */
    async listEarned({ userId, cursor, limit = PAYMENTS_PAGE_SIZE }: PageQuestion): Promise<Page<Earning>> {
      await callers.assertIsCaller(userId);
      const rows = await repository.listEarned({
        userId,
        order: 'desc',
        cursor: readOptionalCursor(cursor),
        limit: limit + 1,
      });
      const { shown, nextCursor } = cutPage(rows, limit, cursorOf);
      return { rows: shown.map((row) => describeEarning(row, explorerUrl)), nextCursor };
    },

    /**
     * All that a caller was paid, oldest first, as CSV. It is read page by page as it is taken, so that
     * its length costs no memory. @throws users.not_a_caller
     */
    async exportEarned(userId: string): Promise<CsvFile> {
      await callers.assertIsCaller(userId);
      const readPage = (cursor: KeysetCursor | null) =>
        repository.listEarned({ userId, order: 'asc', cursor, limit: EARNINGS_CSV_PAGE_SIZE });
      // Before the first byte is promised: who cannot be answered learns it by the status.
      const first = await readPage(null);
      async function* write(): AsyncGenerator<string> {
        yield writeCsvRows([EARNINGS_CSV_HEADER]);
        let page: EarningRow[] = first;
        while (page.length > 0) {
          yield writeCsvRows(page.map((row) => earningCells(describeEarning(row, explorerUrl))));
          const last = page.length < EARNINGS_CSV_PAGE_SIZE ? undefined : page.at(-1);
          page = last === undefined ? [] : await readPage(cursorOf(last));
        }
      }
      return {
        name: `solcallers-earnings-${new Date(clock.now()).toISOString().slice(0, 10)}.csv`,
        texts: write(),
      };
    },
  };
}

const cursorOf = ({ created_at, id }: PaymentRow): KeysetCursor => ({ value: created_at, id });
