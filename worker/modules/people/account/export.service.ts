import { PRODUCT_NAME } from '#schema/constants/app.ts';
import { DATA_EXPORTS, EXPORT_PAGE_SIZE } from '#schema/constants/people.ts';
import type { ExportedData } from '#schema/contracts/account.ts';
import type { Base } from '../../../app/base.ts';
import { AppError } from '../../../app/errors.ts';
import { readOptionalCursor, writeCursor } from '../../../shared/keyset.ts';
import { createExportRepository, exportSections, notExported } from './export.repository.ts';

export interface ExportQuery {
  readonly userId: string;
  readonly section: string | undefined;
  readonly cursor: string | undefined;
}

const README = [
  `Everything that ${PRODUCT_NAME} stores about you, table by table.`,
  'Times are in milliseconds since 1970 (UTC). Amounts are in lamports: 1 SOL is 1,000,000,000 lamports.',
  'Prices are in USD. Other people appear only by their ids, as far as the site shows them to you.',
  'Secrets are left out: your sessions’ tokens, your X tokens and one-time links. So is what not_exported lists.',
  'Messages that wait to be sent to your Telegram chat are not stored here. They exist for at most a day.',
];

export function createExportService({ db, attempts, clock }: Pick<Base, 'db' | 'attempts' | 'clock'>) {
  const repository = createExportRepository(db);
  return {
    /**
     * Reads the rows from this place on, by default from the first section. Stops after the section in which
     * EXPORT_PAGE_SIZE is reached, or after a page of a long section.
     * @throws account.too_many_exports, request.invalid
     */
    async read({ userId, section, cursor }: ExportQuery): Promise<ExportedData> {
      let place = readOptionalCursor(cursor);
      const all = exportSections();
      const first = section === undefined ? 0 : all.findIndex(({ name }) => name === section);
      if (first < 0) {
        throw new AppError({
          code: 'request.invalid',
          message: 'section: There is no such section. Start from the first part.',
          details: { field: 'section' },
        });
      }
      const waitMs = await attempts.take({ action: 'account.export', person: userId, limit: DATA_EXPORTS });
      if (waitMs > 0) throw new AppError({ code: 'account.too_many_exports', waitMs });
      const head = {
        readme: README,
        exported_at: new Date(clock.now()).toISOString(),
        not_exported: notExported(),
      };
      const sections: Record<string, readonly Readonly<Record<string, unknown>>[]> = {};
      let count = 0;
      let next: ExportedData['next'] = null;
      for (const each of all.slice(first)) {
        if (count >= EXPORT_PAGE_SIZE) {
          next = { section: each.name };
          break;
        }
        const page = await repository.readPage({
          userId,
          section: each,
          cursor: place,
          limit: EXPORT_PAGE_SIZE,
        });
        sections[each.name] = page.rows;
        count += page.rows.length;
        place = null;
        if (page.next !== null) {
          next = { section: each.name, cursor: writeCursor(page.next) };
          break;
        }
      }
      return { head: section === undefined ? head : null, sections, next };
    },
  };
}
