import { DATA_EXPORTS, EXPORT_PAGE_SIZE, PRODUCT_NAME } from '#schema/constants.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Attempts } from '../../../shared/attempts.ts';
import { createTooManyExportsError } from './account.errors.ts';
import { EXPORT_SECTIONS, NOT_EXPORTED, type ExportSection } from './export-sections.ts';
import type { ExportPage, ExportRepository } from './export.repository.ts';

interface ExportOptions {
  readonly repository: ExportRepository;
  readonly attempts: Pick<Attempts, 'take'>;
  readonly clock: Clock;
}

const README = [
  `Everything that ${PRODUCT_NAME} stores about you, table by table.`,
  'Times are in milliseconds since 1970 (UTC). Amounts are in lamports: 1 SOL is 1,000,000,000 lamports.',
  'Prices are in USD. Other people appear only by their ids, as far as the site shows them to you.',
  'Secrets are left out: your sessions’ tokens, your X tokens and one-time links. So is what not_exported lists.',
  'Messages that wait to be sent to your Telegram chat are not stored here. They exist for at most a day.',
];

/** Writes all data about a user as one JSON text, page by page. */
export function createExportService({ repository, attempts, clock }: ExportOptions) {
  return {
    /** @throws account.too_many_exports */
    async export(userId: string): Promise<{ name: string; texts: AsyncGenerator<string> }> {
      const waitMs = await attempts.take({ action: 'account.export', person: userId, limit: DATA_EXPORTS });
      if (waitMs > 0) throw createTooManyExportsError(waitMs);
      const read = (section: ExportSection, cursor: ExportPage['next']) =>
        repository.readPage({ userId, section, cursor, limit: EXPORT_PAGE_SIZE });
      const [first, ...others] = EXPORT_SECTIONS;
      if (!first) throw new Error('There is nothing to export');
      // The first page is read before the response begins, so that a failure still gets an error status.
      const firstPage = await read(first, null);
      const at = new Date(clock.now()).toISOString();

      async function* writeSection(section: ExportSection, start: ExportPage) {
        yield `,\n${JSON.stringify(section.name)}: [`;
        let separator = '\n';
        for (let page: ExportPage | null = start; page !== null;) {
          const texts: string[] = page.rows.map((row) => JSON.stringify(row));
          if (texts.length > 0) yield separator + texts.join(',\n');
          separator = ',\n';
          page = page.next === null ? null : await read(section, page.next);
        }
        yield '\n]';
      }
      async function* write(): AsyncGenerator<string> {
        const head = JSON.stringify({ readme: README, exported_at: at, not_exported: NOT_EXPORTED }, null, 1);
        yield head.slice(0, head.lastIndexOf('\n}'));
        yield* writeSection(first as ExportSection, firstPage);
        for (const section of others) yield* writeSection(section, await read(section, null));
        yield '\n}\n';
      }
      return { name: `solcallers-data-${at.slice(0, 10)}.json`, texts: write() };
    },
  };
}
