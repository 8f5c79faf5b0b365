import { SITEMAP_MAX_PARTS } from '#schema/constants/public.ts';
import { DAY_MS } from '#schema/constants/time.ts';
import { PAGES } from '#schema/rules/text/page-texts.ts';
import type { Base } from '../../../app/base.ts';
import { callerPath } from '../feeds/feed-paths.ts';
import { escapeXml } from '../../../shared/xml.ts';
import { createSitemapRepository, type SitemapPart } from './sitemap.repository.ts';

/**
 * Each range covers random ids with the same first two characters. With a million callers, that is about 4,000
 * callers per range. The last range also covers all other ids.
 */
const CALLER_PARTS: readonly SitemapPart[] = Array.from({ length: 256 }, (_, number) => ({
  name: `callers-${hex(number)}`,
  from: number === 0 ? '' : hex(number),
  until: number === 255 ? '\u{10ffff}' : hex(number + 1),
}));

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
/**
 * Each range covers mints with the same first character in base58. Its name has the character's code, because sitemap
 * paths have only small letters.
 */
const TOKEN_PARTS: readonly SitemapPart[] = [...BASE58].map((character) => ({
  name: `tokens-${character.charCodeAt(0)}`,
  from: character,
  until: String.fromCharCode(character.charCodeAt(0) + 1),
}));

export interface SitemapDependencies extends Pick<Base, 'db'> {
  readonly appOrigin: string;
}

/** Serves robots.txt and the sitemaps. They never list active calls. */
export function createSitemapService({ db, appOrigin }: SitemapDependencies) {
  const repository = createSitemapRepository(db);
  const partUrl = (name: string) => `${appOrigin}/sitemap-${name}.xml`;

  const listPages = (): SitemapEntry[] =>
    Object.entries(PAGES)
      .filter(([, { isPublic }]) => isPublic)
      .map(([path]) => ({ url: `${appOrigin}${path}` }));

  const listCallers = async (range: SitemapPart): Promise<SitemapEntry[]> =>
    (await repository.listCallers(range)).map(({ id, twitterHandle, changedAt }) => ({
      url: `${appOrigin}${callerPath({ id, twitterHandle })}`,
      changedAt,
    }));

  const listCalls = async (from: number): Promise<SitemapEntry[]> =>
    (await repository.listEndedCalls({ from, until: from + DAY_MS })).map(({ id, endedAt }) => ({
      url: `${appOrigin}/call/${encodeURIComponent(id)}`,
      changedAt: endedAt,
    }));

  const listTokens = async (range: SitemapPart): Promise<SitemapEntry[]> =>
    (await repository.listTokens(range)).map(({ mint }) => ({ url: `${appOrigin}/token/${mint}` }));

  const listPart = async (name: string): Promise<SitemapEntry[]> => {
    if (name === 'pages') return listPages();
    const callers = CALLER_PARTS.find((part) => part.name === name);
    if (callers) return listCallers(callers);
    const tokens = TOKEN_PARTS.find((part) => part.name === name);
    if (tokens) return listTokens(tokens);
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
        'Disallow: /portfolio',
        'Disallow: /test-dashboard',
        '',
        `Sitemap: ${appOrigin}/sitemap.xml`,
        '',
      ].join('\n');
    },

    /**
     * Lists the parts of the sitemap: fixed pages, callers by the start of their ids, tokens by the start of their
     * mints, and ended calls by the UTC day of their end.
     */
    async index(): Promise<string> {
      const [ends, callers, tokens] = await Promise.all([
        repository.listDaysOfEnds(SITEMAP_MAX_PARTS),
        repository.listFilledParts('callers', CALLER_PARTS),
        repository.listFilledParts('called_tokens', TOKEN_PARTS),
      ]);
      return writeSitemap('sitemapindex', [
        ...[{ name: 'pages' }, ...callers, ...tokens].map(({ name }) => ({ url: partUrl(name) })),
        ...ends.map((endedAt) => ({
          url: partUrl(`calls-${new Date(endedAt).toISOString().slice(0, 10)}`),
          changedAt: endedAt,
        })),
      ]);
    },

    /** Lists at most 50,000 URLs; `null` for an empty or unknown part. */
    async part(name: string): Promise<string | null> {
      const entries = await listPart(name);
      return entries.length === 0 ? null : writeSitemap('urlset', entries);
    },
  };
}

function hex(number: number): string {
  return number.toString(16).padStart(2, '0');
}

function readCallsPart(name: string): number | null {
  const [, day = ''] = /^calls-(\d{4}-\d{2}-\d{2})$/.exec(name) ?? [];
  const start = Date.parse(day);
  return !Number.isNaN(start) && new Date(start).toISOString().startsWith(day) ? start : null;
}

interface SitemapEntry {
  readonly url: string;
  readonly changedAt?: number;
}

const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';

export function writeSitemap(root: 'urlset' | 'sitemapindex', entries: readonly SitemapEntry[]): string {
  const each = root === 'urlset' ? 'url' : 'sitemap';
  const lines = entries.map(({ url, changedAt }) => {
    const changed = changedAt === undefined ? '' : `<lastmod>${new Date(changedAt).toISOString()}</lastmod>`;
    return `<${each}><loc>${escapeXml(url)}</loc>${changed}</${each}>`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<${root} xmlns="${NAMESPACE}">`,
    ...lines,
    `</${root}>`,
    '',
  ].join('\n');
}
