/** An absolute address and, where it is known, when what is there changed (unix ms). */
export interface SitemapEntry {
  readonly url: string;
  readonly changedAt?: number;
}

const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';

/** The addresses of pages, as sitemaps.org has it. */
export function urlSet(entries: readonly SitemapEntry[]): string {
  return write('urlset', 'url', entries);
}

/** The addresses of sitemaps. */
export function sitemapIndex(entries: readonly SitemapEntry[]): string {
  return write('sitemapindex', 'sitemap', entries);
}

function write(root: string, each: string, entries: readonly SitemapEntry[]): string {
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

function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
