import { describe, expect, it } from 'vitest';
import { ENDED_CALLS_PAGE_SIZE } from '#schema/constants/market.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { query } from '#test/database/database.ts';
import { createCallerWithCalls, insertEndedCalls } from '#test/people/ended-calls.ts';
import { shareEnvironment } from '#test/shared-environment.ts';
import { createTestApp, type Person, type TestApp } from '#test/test-app.ts';
import { parseXml, type XmlElement } from '#test/xml.ts';

const ORIGIN = 'https://solcallers.test';
const RECENT = '/feeds/recent-calls.xml';
const OF_CALLER = '/caller/Ada_calls/feed.xml';
const FEEDS = [RECENT, OF_CALLER];
const RFC_822 = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

let app: TestApp;
let caller: Person;
let ended: TokenCall;
let active: TokenCall;

async function createCalls(): Promise<void> {
  app = await createTestApp();
  ({ caller, ended, active } = await createCallerWithCalls(app, 'Ada_calls'));
}

const all = ({ children }: XmlElement, name: string) => children.filter((child) => child.name === name);

/** Returns the text of the only child with this name. */
function textOf(element: XmlElement, name: string): string {
  const [only, ...others] = all(element, name);
  if (!only || others.length > 0) throw new Error(`<${element.name}> needs exactly one <${name}>.`);
  return only.text;
}

async function readFeed(path: string): Promise<{ channel: XmlElement; items: XmlElement[]; xml: string }> {
  const response = await app.request(path);
  expect([response.status, response.headers.get('Content-Type')]).toEqual([
    200,
    'application/rss+xml; charset=utf-8',
  ]);
  const xml = await response.text();
  const rss = parseXml(xml);
  expect([rss.name, rss.attributes, rss.children.length]).toEqual([
    'rss',
    {
      version: '2.0',
      'xmlns:atom': 'http://www.w3.org/2005/Atom',
      'xmlns:dc': 'http://purl.org/dc/elements/1.1/',
    },
    1,
  ]);
  const [channel] = all(rss, 'channel');
  if (!channel) throw new Error('The feed has no channel.');
  return { channel, items: all(channel, 'item'), xml };
}

/** Reads a feed and its newest item. */
async function readItem(path: string) {
  const { items, ...feed } = await readFeed(path);
  return { ...feed, item: items[0] ?? expect.unreachable() };
}

describe('with a shared environment', () => {
  shareEnvironment(createCalls);

  it.each([
    [RECENT, 'Recent calls on SolCallers', '/recent-calls'],
    [OF_CALLER, 'on SolCallers', '/caller/Ada_calls'],
  ])(
    'feeds have a link to themselves, a permanent link for each item, and dates as RFC 822 requires: %s',
    async (path, title, page) => {
      const { channel, items } = await readFeed(path);
      expect(textOf(channel, 'title')).toContain(title);
      expect(textOf(channel, 'link')).toBe(`${ORIGIN}${page}`);
      expect(textOf(channel, 'description')).not.toBe('');
      expect(textOf(channel, 'language')).toBe('en');
      expect(textOf(channel, 'pubDate')).toMatch(RFC_822);
      expect(all(channel, 'atom:link').map(({ attributes }) => attributes)).toEqual([
        { rel: 'self', type: 'application/rss+xml', href: `${ORIGIN}${path}` },
      ]);
      expect(items).toHaveLength(1);
      for (const item of items) {
        expect(item.children.map(({ name }) => name).toSorted()).toEqual(
          ['title', 'link', 'guid', 'pubDate', 'dc:creator', 'description'].toSorted(),
        );
        const [guid] = all(item, 'guid');
        expect([guid?.text, guid?.attributes]).toEqual([textOf(item, 'link'), { isPermaLink: 'true' }]);
        expect(textOf(item, 'pubDate')).toMatch(RFC_822);
      }
    },
  );

  it.each(FEEDS)('feeds list ended calls, but no active calls: %s', async (path) => {
    const { item, xml } = await readItem(path);
    expect(textOf(item, 'link')).toBe(`${ORIGIN}/call/${ended.id}`);
    expect(textOf(item, 'title')).toMatch(/^JUP \+100\.0% by /);
    expect(Date.parse(textOf(item, 'pubDate'))).toBe(
      Math.floor(Date.parse(ended.endTimestamp ?? '') / 1_000) * 1_000,
    );
    expect(textOf(item, 'description')).toContain('Entry $');
    for (const secret of [active.id, active.tokenMint, active.tokenSymbol]) expect(xml).not.toContain(secret);
    expect(await (await app.request(path, { cookie: caller.cookie })).text()).toBe(xml);
  });

  it.each(FEEDS)('an unchanged feed returns an empty 304 to a request with its ETag: %s', async (path) => {
    const first = await app.request(path);
    const tag = first.headers.get('ETag') ?? '';
    expect(tag).toMatch(/^W\/"/);
    expect(first.headers.get('Cache-Control')).toBe('public, max-age=10, stale-while-revalidate=30');
    const second = await app.request(path, { headers: { 'If-None-Match': tag } });
    expect([second.status, await second.text()]).toEqual([304, '']);
  });

  it('a caller’s feed redirects to its canonical path from the handle in another case and from the id', async () => {
    for (const name of ['ada_CALLS', caller.id]) {
      const response = await app.request(`/caller/${name}/feed.xml`, { isFollowing: false });
      expect([response.status, response.headers.get('Location')], name).toEqual([308, OF_CALLER]);
    }
  });

  it.each(['/caller/nobody/feed.xml', '/feeds/other.xml', '/caller/Ada_calls/feed'])(
    'feeds return 404 at %s',
    async (path) => {
      const response = await app.request(path);
      expect([response.status, response.headers.get('Cache-Control')]).toEqual([404, 'private, no-store']);
    },
  );

  it.each([
    ['/recent-calls', RECENT],
    ['/caller/Ada_calls', OF_CALLER],
  ])('feeds are announced in the head of their page: %s', async (page, path) => {
    const html = await (await app.request(page)).text();
    expect(html).toMatch(
      new RegExp(
        `<link rel="alternate" type="application/rss\\+xml" title="[^"]+on SolCallers" href="${path}" />`,
      ),
    );
    expect(await (await app.request('/how-we-count')).text()).not.toContain('rel="alternate"');
  });
});

it.each(FEEDS)('feeds list as many calls as a page of recent calls, newest first: %s', async (path) => {
  await createCalls();
  const calls = Array.from({ length: ENDED_CALLS_PAGE_SIZE + 5 }, (_, number) => ({
    id: `old${number}`,
    endedAt: 1_000 + number,
  }));
  await insertEndedCalls({ callerId: caller.id, calls });
  const { items } = await readFeed(path);
  expect(items).toHaveLength(ENDED_CALLS_PAGE_SIZE);
  const links = items.map((item) => textOf(item, 'link'));
  expect([links[0], links[1]]).toEqual([
    `${ORIGIN}/call/${ended.id}`,
    `${ORIGIN}/call/old${ENDED_CALLS_PAGE_SIZE + 4}`,
  ]);
});

it.each(FEEDS)('feeds escape a caller’s hostile name: %s', async (path) => {
  await createCalls();
  const hostile = '<b onclick="x()">&amp;]]></b>\u0000\u0007\uFFFE\uFFFF<!--';
  await query('UPDATE users SET first_name = ?, last_name = ? WHERE id = ?', hostile, '&lt;i>', caller.id);
  const { channel, item } = await readItem(path);
  for (const title of [textOf(item, 'title'), textOf(channel, 'title')]) {
    expect(title).not.toMatch(/[<>]|&\w+;/);
  }
  expect(textOf(item, 'title')).toContain('‹b onclick="x()"›');
  // Descriptions are HTML, so their tags are escaped once more.
  for (const description of [textOf(item, 'description'), textOf(channel, 'description')]) {
    expect(description).not.toMatch(/[<>]/);
    expect(description).not.toContain('&amp;]]');
  }
  expect(textOf(item, 'description')).toContain('&#60;b onclick=');
  expect(textOf(item, 'dc:creator')).toContain('<b onclick="x()">');
});
