import { escapeXml } from '../../../shared/xml.ts';

export interface SitemapEntry {
  /** An absolute URL. */
  readonly url: string;
  /** Unix ms, if known. */
  readonly changedAt?: number;
}

const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';

/** A sitemap of pages (`urlset`) or of other sitemaps (`sitemapindex`). */
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
