import { DAY_MS, SITEMAP_MAX_PARTS } from '#schema/constants.ts';
import { PAGES } from '#schema/rules/page-texts.ts';
import type { IdRange, SitemapRepository } from './sitemap.repository.ts';
import { sitemapIndex, urlSet, type SitemapEntry } from './sitemap-xml.ts';

/** Ids are random: by their first two characters, a million callers make parts of about 4,000. Whatever other ids there are stand in the last. */
const ID_RANGES: readonly IdRange[] = Array.from({ length: 256 }, (_, number) => ({
  from: number === 0 ? '' : hex(number),
  until: number === 255 ? '\u{10ffff}' : hex(number + 1),
}));

/** What crawlers are told, absolute addresses at `appOrigin`. Active calls are nowhere in it. */
export function createSitemapService({
  repository,
  appOrigin,
}: {
  repository: SitemapRepository;
  appOrigin: string;
}) {
  const partUrl = (name: string) => `${appOrigin}/sitemap-${name}.xml`;

  const listPages = (): SitemapEntry[] =>
    Object.entries(PAGES)
      .filter(([, { isPublic }]) => isPublic)
      .map(([path]) => ({ url: `${appOrigin}${path}` }));

  const listCallers = async (range: IdRange): Promise<SitemapEntry[]> =>
    (await repository.listCallers(range)).map((row) => ({
      url: `${appOrigin}/caller/${encodeURIComponent(row.carries_handle === 1 ? row.twitter_handle : row.id)}`,
      changedAt: row.changed_at,
    }));

  const listCalls = async (from: number): Promise<SitemapEntry[]> =>
    (await repository.listEndedCalls({ from, until: from + DAY_MS })).map(({ id, ended_at }) => ({
      url: `${appOrigin}/call/${encodeURIComponent(id)}`,
      changedAt: ended_at,
    }));

  const listPart = async (name: string): Promise<SitemapEntry[]> => {
    if (name === 'pages') return listPages();
    const range = ID_RANGES.find((_, number) => name === callersPart(number));
    if (range) return listCallers(range);
    const day = readCallsPart(name);
    return day === null ? [] : listCalls(day);
  };

  return {
    robots(): string {
      return [
        'User-agent: *',
        'Allow: /api/callers/*/card.png',
        'Allow: /api/token-calls/*/share.png',
        'Disallow: /api/',
        'Disallow: /dashboard',
        'Disallow: /payments',
        'Disallow: /test-dashboard',
        '',
        `Sitemap: ${appOrigin}/sitemap.xml`,
        '',
      ].join('\n');
    },

    /** Names the parts: pages, callers by the beginning of their ids, ended calls by the UTC day of their end. */
    async index(): Promise<string> {
      const [ends, ranges] = await Promise.all([
        repository.listDaysOfEnds(SITEMAP_MAX_PARTS),
        repository.listFilledRanges(ID_RANGES),
      ]);
      const filled = new Set(ranges.map(({ from }) => from));
      return sitemapIndex([
        { url: partUrl('pages') },
        ...ID_RANGES.flatMap(({ from }, number) =>
          filled.has(from) ? [{ url: partUrl(callersPart(number)) }] : [],
        ),
        ...ends.map((endedAt) => ({
          url: partUrl(`calls-${new Date(endedAt).toISOString().slice(0, 10)}`),
          changedAt: endedAt,
        })),
      ]);
    },

    /** One part, at most 50,000 addresses; `null` where nothing is in it. */
    async part(name: string): Promise<string | null> {
      const entries = await listPart(name);
      return entries.length === 0 ? null : urlSet(entries);
    },
  };
}

function hex(number: number): string {
  return number.toString(16).padStart(2, '0');
}

function callersPart(number: number): string {
  return `callers-${hex(number)}`;
}

/** When the day begins (unix ms), or `null` for what is none. */
function readCallsPart(name: string): number | null {
  const [, day = ''] = /^calls-(\d{4}-\d{2}-\d{2})$/.exec(name) ?? [];
  const start = Date.parse(day);
  return !Number.isNaN(start) && new Date(start).toISOString().startsWith(day) ? start : null;
}
