import { expect, it } from 'vitest';
import { MIN_COUNTED_HOLD_MS } from '#schema/constants/market.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { PAGE_DESCRIPTIONS } from '#schema/rules/text/page-descriptions.ts';
import { PAGES, TITLES } from '#schema/rules/text/page-texts.ts';
import { createCaller, createPaidCaller, endCall, makeCall, MINTS } from '#test/people/callers.ts';
import { countRows } from '#test/database/count-rows.ts';
import { query } from '#test/database/database.ts';
import { insertRows } from '#test/database/insert-rows.ts';
import { interceptDatabase } from '#test/database/intercept-database.ts';
import { readHead, type ReadHead } from '#test/head.ts';
import { pay } from '#test/payments/payments.ts';
import { createTestApp, testEnv, type Person, type TestApp } from '#test/test-app.ts';
import { shareEnvironment } from '#test/shared-environment.ts';
import { SHELL, SHELL_HEADERS } from '#test/test-assets.ts';
import { createId } from '#worker/shared/ids.ts';

const ORIGIN = 'https://solcallers.test';
const RENDERED = 'public, max-age=10, stale-while-revalidate=30';
const SHELL_ONLY = 'public, max-age=0, must-revalidate';
const PRIVATE = 'private, no-store';
const { WIF, JUP } = MINTS;

let app: TestApp;
let caller: Person;
let ended: TokenCall;
let active: TokenCall;

shareEnvironment(async () => {
  app = await createTestApp();
  ({ caller } = await createPaidCaller(app, { handle: 'Ada_calls' }));
  await query('UPDATE users SET first_name = ?, last_name = ? WHERE id = ?', 'Ada', 'Byron', caller.id);
  const call = await makeCall({ caller, mint: JUP, price: 0.5 });
  await app.advance(MIN_COUNTED_HOLD_MS);
  ended = await endCall({ caller, call, price: 0.75 });
  active = await makeCall({ caller, mint: WIF, price: 2 });
});

interface Responded {
  readonly status: number;
  readonly headers: readonly [string, string][];
  readonly body: string;
}

async function responseOf(path: string, init: Parameters<TestApp['request']>[1] = {}): Promise<Responded> {
  const response = await app.request(path, init);
  return { status: response.status, headers: [...response.headers], body: await response.text() };
}

const cacheControlOf = ({ headers }: Responded) => headers.find(([name]) => name === 'cache-control')?.[1];

/** Returns a page's HTML without the content that the worker rendered into it. */
function withoutContent(page: string): string {
  return page
    .slice(page.indexOf('<body>'))
    .replace(
      /<div id="root">.*<\/div><script type="application\/json" id="first-page">[^<]*<\/script>/s,
      EMPTY_ROOT,
    );
}

const EMPTY_ROOT = '<div id="root"></div>';

/** Asserts that a page is public and shareable. Returns its head. */
async function publicHead(path: string, cacheControl = RENDERED): Promise<ReadHead> {
  const [response, signedIn] = [await responseOf(path), await responseOf(path, { cookie: caller.cookie })];
  expect([response.status, cacheControlOf(response)]).toEqual([200, cacheControl]);
  expect(signedIn).toEqual(response);
  return readHead(response.body);
}

/** Asserts that the head of a page names no caller and no call. */
function expectPrivate(response: Responded, { status, title }: { status: number; title: string }): void {
  expect([response.status, cacheControlOf(response)]).toEqual([status, PRIVATE]);
  const shell = readHead(SHELL);
  expect(readHead(response.body)).toEqual({
    ...shell,
    title: `${title} · SolCallers`,
    metas: { ...shell.metas, robots: 'noindex' },
  });
}

/** The expected tags for link previews and search results. */
function cardOf({
  title,
  description,
  url,
  type,
  imageUrl,
}: Record<'title' | 'description' | 'url' | 'type' | 'imageUrl', string>): Record<string, string> {
  return {
    description,
    'og:site_name': 'SolCallers',
    'og:type': type,
    'og:title': title,
    'og:description': description,
    'og:url': url,
    'og:image': imageUrl,
    'og:image:type': 'image/png',
    'og:image:width': '1200',
    'og:image:height': '675',
    'og:image:alt': title,
    'twitter:card': 'summary_large_image',
    'twitter:title': title,
    'twitter:description': description,
    'twitter:image': imageUrl,
    'twitter:image:alt': title,
  };
}

it('a caller’s page has the caller’s record, the canonical URL and the card image in its head', async () => {
  const head = await publicHead('/caller/Ada_calls');
  const url = `${ORIGIN}/caller/Ada_calls`;
  expect(head.title).toBe('Ada Byron · SolCallers');
  expect(head.canonical).toBe(url);
  expect(head.metas).toMatchObject(
    cardOf({
      title: 'Ada Byron',
      description:
        '1 ranked call: Win Rate 100.0%, Avg Return +50.0%. 0.5 SOL / month. @Ada_calls on SolCallers.',
      url,
      type: 'profile',
      imageUrl: `${ORIGIN}/api/callers/${caller.id}/card.png`,
    }),
  );
  expect(head.metas).not.toHaveProperty('robots');
});

it.each(['/', '/recent-calls', '/how-we-count', '/compare', '/terms'] as const)(
  'the page %s has a description, its canonical URL and the site’s image in its head',
  async (path) => {
    const head = await publicHead(path, RENDERED);
    const url = `${ORIGIN}${path}`;
    const imageUrl = `${ORIGIN}/api/card.png`;
    const description = PAGE_DESCRIPTIONS[path] ?? '';
    expect(description.length).toBeLessThanOrEqual(200);
    expect(head.canonical).toBe(url);
    expect(head.metas).toMatchObject(
      cardOf({ title: PAGES[path].title, description, url, type: 'website', imageUrl }),
    );
    const image = await app.request('/api/card.png');
    expect([image.status, image.headers.get('Content-Type')]).toEqual([200, 'image/png']);
  },
);

it('a caller’s page has the same canonical URL for every variant of its path', async () => {
  const head = readHead((await responseOf('/caller/Ada_calls')).body);
  for (const path of [
    '/caller/ada_CALLS',
    '/caller/Ada_calls/',
    '/caller/Ada_calls?utm_source=x&q="><script>',
    `/caller/${caller.id}`,
    '/caller/%41da_calls',
  ]) {
    const { status, body } = await responseOf(path);
    expect([status, readHead(body)], path).toEqual([200, head]);
  }
});

const unknown = ['nobody', '%E0%A4%A', 'a'.repeat(5_000), '[object Object]'];

it.each(['ada_CALLS', '@Ada_calls', '%40ada_calls'])(
  'a caller’s page redirects from the name %s and keeps the query',
  async (name) => {
    for (const query of ['', '?utm_source=x']) {
      const response = await app.request(`/caller/${name}${query}`, { isFollowing: false });
      expect([response.status, response.headers.get('Location')]).toEqual([308, `/caller/Ada_calls${query}`]);
    }
  },
);

it('the page of an unknown caller returns 404', async () => {
  for (const name of unknown) {
    const response = await responseOf(`/caller/${name}`);
    expectPrivate(response, { status: 404, title: TITLES.missingCaller });
    expect(response).toEqual(await responseOf('/caller/somebody_else', { cookie: caller.cookie }));
  }
});

it('an ended call’s page has the call’s figures and its share image in its head', async () => {
  const head = await publicHead(`/call/${ended.id}`);
  const url = `${ORIGIN}/call/${ended.id}`;
  expect(head.title).toBe('JUP +50.0% by Ada Byron · SolCallers');
  expect(head.canonical).toBe(url);
  expect(head.metas).toMatchObject(
    cardOf({
      title: 'JUP +50.0% by Ada Byron',
      description: 'Entry $0.5000, end $0.7500, held 10m. Jupiter, called by Ada Byron (@Ada_calls).',
      url,
      type: 'article',
      imageUrl: `${ORIGIN}/api/token-calls/${ended.id}/share.png`,
    }),
  );
});

const missingIds = ['nothing', createId(), '%E0%A4%A', '%00', 'a'.repeat(5_000)];
const subscriber = async () => {
  const person = await app.signIn('subscriber');
  await pay({ person, callerId: caller.id });
  return person;
};

it('an active call’s page equals the page of an unknown call, byte for byte, for viewers without access', async () => {
  const rival = await createCaller(app, 'rival');
  const expected = await responseOf('/call/nothing');
  expectPrivate(expected, { status: 404, title: TITLES.missingCall });
  for (const id of [active.id, `${active.id}/`, ...missingIds]) {
    for (const cookie of [undefined, '__Host-session=forged', rival.cookie]) {
      expect(await responseOf(`/call/${id}`, { cookie })).toEqual(expected);
    }
  }
});

it('an active call’s page has no data of the call, even for viewers with access, and is not cached', async () => {
  const reader = await subscriber();
  for (const { cookie } of [caller, reader]) {
    expectPrivate(await responseOf(`/call/${active.id}`, { cookie }), { status: 200, title: TITLES.call });
  }
  for (const id of missingIds) {
    expect(await responseOf(`/call/${id}`, { cookie: reader.cookie })).toEqual(
      await responseOf('/call/nothing'),
    );
  }
});

it('names in a page’s head are escaped', async () => {
  const plain = readHead((await responseOf('/caller/somebody')).body);
  const names = ['</title><script>alert(1)</script>', `a"b'c`, '$& $1 ${x} {{7*7}}', 'محمد עברית'];
  for (const [index, name] of names.entries()) {
    const { id } = await createCaller(app, `hostile_${index}`);
    await query('UPDATE users SET first_name = ?, last_name = ? WHERE id = ?', name, '', id);
    const token = { token_mint: JUP, token_symbol: name, token_name: name };
    const end = { end_price: '2', ended_at: 3_000, change_percent: 100 };
    await insertRows('calls', [{ id: `hostile_${index}`, caller_id: id, ...token, ...end }]);
    for (const [path, title] of [
      [`/caller/hostile_${index}`, name],
      [`/call/hostile_${index}`, `${name} +100.0% by ${name}`],
    ] as const) {
      const head = await publicHead(path);
      expect(head.title).toBe(`${title} · SolCallers`);
      for (const meta of ['og:title', 'twitter:title', 'og:image:alt']) {
        expect(head.metas[meta]).toBe(title);
      }
      expect(head.scripts).toBe(plain.scripts);
      expect(head.images).toBe(0);
    }
    expect((await publicHead(`/call/hostile_${index}`)).metas['og:description']).toContain(
      `${name}, called by ${name} (@hostile_${index}).`,
    );
  }
});

it('names in a page’s head cannot reverse the text direction or add lines', async () => {
  const { id } = await createCaller(app, 'unseen_names');
  await query(
    'UPDATE users SET first_name = ?, last_name = ? WHERE id = ?',
    '\u202eEve\n\n\u0007',
    '\u2066Hopper\u0000',
    id,
  );
  const head = await publicHead('/caller/unseen_names');
  expect(head.title).toBe('Eve Hopper · SolCallers');
  expect(Object.values(head.metas).join('')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
});

const paths = () => [
  '/caller/Ada_calls',
  '/caller/nobody',
  `/call/${ended.id}`,
  '/call/nothing',
  '/recent-calls',
  '/elsewhere',
];

it('every page has the headers of a static page and contains the whole app shell', async () => {
  const everything = readHead(SHELL);
  for (const path of paths()) {
    const response = await app.request(path);
    for (const [name, value] of Object.entries({
      ...SHELL_HEADERS,
      'Content-Type': 'text/html; charset=utf-8',
    })) {
      expect(response.headers.get(name)).toBe(value);
    }
    for (const name of ['ETag', 'Content-Length', 'Set-Cookie', 'Vary']) {
      expect(response.headers.get(name)).toBeNull();
    }
    const body = await response.text();
    expect(readHead(body)).toMatchObject({
      scripts: everything.scripts,
      stylesheets: everything.stylesheets,
    });
    expect(withoutContent(body)).toBe(SHELL.slice(SHELL.indexOf('<body>')));
    expect(body).toContain('src="/local-wallet.js"');
  }
});

it('every page responds to HEAD with the status of GET and no body', async () => {
  for (const path of paths()) {
    const [get, head] = [await responseOf(path), await responseOf(path, { method: 'HEAD' })];
    expect([head.status, head.body]).toEqual([get.status, '']);
    expect(cacheControlOf(head)).toBe(PRIVATE);
  }
});

it('a page needs at most as many database queries as the API requests for its data', async () => {
  let reads = 0;
  const DB = countRows(testEnv.DB, () => {
    reads += 1;
  });
  const counting = await createTestApp({ bindings: { DB } });
  const countReads = async (paths: readonly string[]) => {
    reads = 0;
    for (const path of paths) await counting.request(path);
    return reads;
  };
  const pauses = '/api/status';
  const profile = [
    `/api/callers/${caller.id}`,
    `/api/callers/${caller.id}/statistics`,
    `/api/token-calls/caller/${caller.id}/history`,
    '/api/prices/sol',
    pauses,
  ];
  for (const [path, data] of [
    ['/', ['/api/callers', '/api/prices/sol', pauses]],
    ['/recent-calls', ['/api/token-calls/ended', pauses]],
    ['/caller/Ada_calls', profile],
    [`/caller/${caller.id}`, profile],
    [`/call/${ended.id}`, [`/api/token-calls/${ended.id}`, `/api/callers/${caller.id}`, pauses]],
    ['/call/nothing', ['/api/token-calls/nothing']],
    [`/call/${active.id}`, [`/api/token-calls/${active.id}`]],
    ['/how-we-count', [pauses]],
    ['/sealed-calls', [pauses]],
    ['/privacy', [pauses]],
    ['/elsewhere', []],
    ['/robots.txt', []],
  ] as const) {
    // The first request for a caller may also search for look-alikes.
    await countReads(data);
    expect(await countReads([path]), path).toBeLessThanOrEqual(await countReads(data));
  }
});

it('a page that reads the database is the unchanged app shell with status 503 if the database fails', async () => {
  const DB = interceptDatabase(testEnv.DB, () => Promise.reject(new Error('D1_ERROR: down')));
  const failing = await createTestApp({ bindings: { DB } });
  for (const path of ['/caller/Ada_calls', `/call/${ended.id}`]) {
    const response = await failing.request(path, { cookie: caller.cookie });
    expect([
      response.status,
      response.headers.get('Cache-Control'),
      response.headers.get('Content-Security-Policy'),
    ]).toEqual([503, PRIVATE, SHELL_HEADERS['Content-Security-Policy']]);
    expect(await response.text()).toBe(SHELL);
  }
  expect((await failing.request('/recent-calls')).status).toBe(200);
});

it('a fixed page has its own title, and a noindex tag if it isn’t public', async () => {
  for (const [path, { title, isPublic }] of Object.entries(PAGES)) {
    const cacheControl = isPublic || path === '/compare' ? RENDERED : SHELL_ONLY;
    const head = await publicHead(path.replace(':signature', '5sig'), cacheControl);
    expect(head.title).toBe(title.endsWith('SolCallers') ? title : `${title} · SolCallers`);
    expect([path, head.metas['robots']]).toEqual([path, isPublic ? undefined : 'noindex']);
  }
});

const elsewhere = [
  '/elsewhere',
  '/caller/a/b',
  '/dashboard/x',
  '/assets/gone.js',
  '/favicon.ico',
  '/%E0%A4%A',
  '/..%2fetc',
];

it('an unknown path returns 404 with the title of a missing page', async () => {
  for (const path of elsewhere) {
    expectPrivate(await responseOf(path), { status: 404, title: TITLES.missingPage });
  }
});
