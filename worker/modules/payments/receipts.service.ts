import { EARNINGS_CSV_PAGE_SIZE, PAYMENTS_PAGE_SIZE } from '#schema/constants.ts';
import type { Earning, Receipt } from '#schema/contracts/payments.ts';
import { writeCsvRows } from './csv.ts';
import type { ExplorerUrl } from '../../shared/explorer-url.ts';
import { readOptionalCursor, type KeysetCursor } from '../../shared/keyset.ts';
import { cutPage, type Page } from '../../app/pages.ts';
import type { Clock } from '../../ports/clock.ts';
import { createPaymentNotFoundError } from './payments.errors.ts';
import { describeEarning, describeReceipt, earningCells, EARNINGS_CSV_HEADER } from './receipt-view.ts';
import type { EarningRow, PaymentRow, PaymentsQuery, ReceiptsRepository } from './receipts.repository.ts';

export interface ReceiptsOptions {
  readonly repository: ReceiptsRepository;
  readonly callers: {
    /** @throws users.not_a_caller */
    assertIsCaller(userId: string): Promise<void>;
  };
  readonly clock: Clock;
  readonly explorerUrl: ExplorerUrl;
}

export interface PageQuery {
  readonly userId: string;
  readonly cursor: string | undefined;
  readonly limit: number | undefined;
}

export interface CsvFile {
  readonly name: string;
  readonly texts: AsyncIterator<string>;
}

export function createReceiptsService({ repository, callers, clock, explorerUrl }: ReceiptsOptions) {
  return {
    listPaid: (query: PageQuery): Promise<Page<Receipt>> =>
      newestFirst(repository.listPaid, query, (row) => describeReceipt(row, explorerUrl)),

    /** One page of a caller's earnings, newest first. @throws users.not_a_caller */
    async listEarned(query: PageQuery): Promise<Page<Earning>> {
      await callers.assertIsCaller(query.userId);
      return newestFirst(repository.listEarned, query, (row) => describeEarning(row, explorerUrl));
    },

    /** One payment, for its payer and its caller. @throws payments.not_found */
    async find(query: { userId: string; signature: string }): Promise<Receipt> {
      const row = await repository.findOf(query);
      if (!row) throw createPaymentNotFoundError();
      return describeReceipt(row, explorerUrl);
    },

    /**
     * A caller's earnings, oldest first, read page by page during the download. @throws users.not_a_caller
     */
    async exportEarned(userId: string): Promise<CsvFile> {
      await callers.assertIsCaller(userId);
      const readPage = (cursor: KeysetCursor | null) =>
        repository.listEarned({ userId, order: 'asc', cursor, limit: EARNINGS_CSV_PAGE_SIZE });
      // Read before the response begins, so a failure still gets an error status.
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
      const day = new Date(clock.now()).toISOString().slice(0, 10);
      return { name: `solcallers-earnings-${day}.csv`, texts: write() };
    },
  };
}

async function newestFirst<Row extends PaymentRow, Shown>(
  list: (query: PaymentsQuery) => Promise<Row[]>,
  { userId, cursor, limit = PAYMENTS_PAGE_SIZE }: PageQuery,
  describe: (row: Row) => Shown,
): Promise<Page<Shown>> {
  const rows = await list({ userId, order: 'desc', cursor: readOptionalCursor(cursor), limit: limit + 1 });
  const { shown, nextCursor } = cutPage(rows, limit, cursorOf);
  return { rows: shown.map(describe), nextCursor };
}

const cursorOf = ({ created_at, id }: PaymentRow): KeysetCursor => ({ value: created_at, id });
