import { escapeXml } from '../../../shared/xml.ts';

export interface FeedItem {
  readonly title: string;
  readonly description: string;
  readonly author: string;
  /** The URL of the item's page, which also identifies the item. It must never change. */
  readonly url: string;
  readonly publishedAt: string;
}

export interface Feed {
  readonly title: string;
  readonly description: string;
  readonly pageUrl: string;
  readonly feedUrl: string;
  readonly items: readonly FeedItem[];
}

/** Writes a feed as RSS 2.0. Its text depends only on the feed, so that equal feeds have equal ETags. */
export function writeFeed({ title, description, pageUrl, feedUrl, items }: Feed): string {
  const [newest] = items;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/">',
    '<channel>',
    element('title', inTitle(title)),
    element('link', pageUrl),
    describe(description),
    element('language', 'en'),
    ...(newest === undefined ? [] : [element('pubDate', rfc822(newest.publishedAt))]),
    `<atom:link href="${escapeXml(feedUrl)}" rel="self" type="application/rss+xml" />`,
    ...items.map(writeItem),
    '</channel>',
    '</rss>',
    '',
  ].join('\n');
}

function writeItem({ title, description, author, url, publishedAt }: FeedItem): string {
  return [
    '<item>',
    element('title', inTitle(title)),
    element('link', url),
    `<guid isPermaLink="true">${escapeXml(url)}</guid>`,
    element('pubDate', rfc822(publishedAt)),
    element('dc:creator', author),
    element('description', escapeXml(description)),
    '</item>',
  ].join('\n');
}

/** Readers show descriptions as HTML, the channel's too, so the text is escaped for HTML, and then for XML. */
function describe(text: string): string {
  return element('description', escapeXml(text));
}

function element(name: string, text: string): string {
  return `<${name}>${escapeXml(text)}</${name}>`;
}

/** RSS doesn't say whether a title is HTML, so titles have no characters that would make tags or references. */
function inTitle(title: string): string {
  return title.replaceAll('<', '‹').replaceAll('>', '›').replaceAll('&', '＆');
}

function rfc822(iso: string): string {
  return new Date(iso).toUTCString();
}
