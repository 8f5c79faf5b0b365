import { SITEMAP_MAX_PARTS } from '#schema/constants/public.ts';
import { DAY_MS } from '#schema/constants/time.ts';
import { PAGES } from '#schema/rules/text/page-texts.ts';
import { toDay } from '#schema/rules/text/utc-day.ts';
import type { Base } from '../../../app/base.ts';
import { callerPath } from '../feeds/feed-paths.ts';
import { escapeXml } from '../../../shared/xml.ts';
import { createSitemapRepository } from './sitemap.repository.ts';

/** Caches store it for an hour, so it always has most of this time left. */
const SECURITY_TXT_LIFETIME_MS = 180 * DAY_MS;

/** Serves robots.txt, security.txt and the sitemaps. They never list active calls. */
export function createSitemapService({ db, clock, vars }: Pick<Base, 'db' | 'clock' | 'vars'>) {
  const { APP_ORIGIN: appOrigin, SECURITY_CONTACT: contact } = vars;
  const repository = createSitemapRepository(db);
  const partUrl = (name: string) => `${appOrigin}/sitemap-${name}.xml`;

  const listPages = (): SitemapEntry[] =>
    Object.entries(PAGES)
      .filter(([, { isPublic }]) => isPublic)
      .map(([path]) => ({ url: `${appOrigin}${path}` }));

  const listCallers = async (): Promise<SitemapEntry[]> =>
    (await repository.listCallers()).map(({ id, twitterHandle, changedAt }) => ({
      url: `${appOrigin}${callerPath({ id, twitterHandle })}`,
      changedAt,
    }));

  const listCalls = async (from: number): Promise<SitemapEntry[]> =>
    (await repository.listEndedCalls({ from, until: from + DAY_MS })).map(({ id, endedAt }) => ({
      url: `${appOrigin}/call/${encodeURIComponent(id)}`,
      changedAt: endedAt,
    }));

  const listTokens = async (): Promise<SitemapEntry[]> =>
    (await repository.listTokens()).map(({ mint }) => ({ url: `${appOrigin}/token/${mint}` }));

  const listPart = async (name: string): Promise<SitemapEntry[]> => {
    if (name === 'pages') return listPages();
    if (name === 'callers') return listCallers();
    if (name === 'tokens') return listTokens();
    const day = readCallsPart(name);
    return day === null ? [] : listCalls(day);
  };

  return {
    robots(): string {
      return [
        'User-agent: *',
        'Allow: /api/docs',
        'Allow: /api/card.png',
        'Allow: /api/callers/*/card.png',
        'Allow: /api/token-calls/*/share.png',
        'Disallow: /api/',
        'Disallow: /dashboard',
        'Disallow: /payments',
        'Disallow: /portfolio',
        'Disallow: /settings',
        'Disallow: /test-dashboard',
        '',
        `Sitemap: ${appOrigin}/sitemap.xml`,
        '',
      ].join('\n');
    },

    /** By RFC 9116. Null without a configured contact. */
    securityTxt(): string | null {
      if (contact === '') return null;
      const expires = new Date(clock.now() + SECURITY_TXT_LIFETIME_MS).toISOString();
      const canonical = `${appOrigin}/.well-known/security.txt`;
      return `Contact: ${contact}\nExpires: ${expires}\nPreferred-Languages: en\nCanonical: ${canonical}\n`;
    },

    /** Lists the parts of the sitemap: fixed pages, callers, tokens, and ended calls by the UTC day of their end. */
    async index(): Promise<string> {
      const ends = await repository.listDaysOfEnds(SITEMAP_MAX_PARTS);
      return writeSitemap('sitemapindex', [
        ...['pages', 'callers', 'tokens'].map((name) => ({ url: partUrl(name) })),
        ...ends.map((endedAt) => ({
          url: partUrl(`calls-${toDay(endedAt)}`),
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
