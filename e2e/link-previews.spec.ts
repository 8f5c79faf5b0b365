import type { APIRequestContext, Browser, Page } from '@playwright/test';
import type { CallerProfile } from '#schema/contracts/callers.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { expect, test } from './fixtures.ts';
import { e2eSettings } from './settings.ts';
import { signInByScript } from './steps.ts';

const { productUrl } = e2eSettings;

const HOSTILE_NAME = 'Maximiliane-Aurelia <Peppercairn> & Søns "MP" 🪁 Ōé';
const STATIC_HEADERS = [
  'content-security-policy',
  'x-content-type-options',
  'referrer-policy',
  'cache-control',
];

test.use({
  refusedOnPurpose:
    /\/(?:api\/callers|caller)\/nobody_here$|\/(?:api\/token-calls|call)\/nothing(?:\/chart)?$/,
});

/** Maps the name of each meta tag to its content. */
async function metasOf(page: Page): Promise<Record<string, string>> {
  const metas: Record<string, string> = {};
  for (const meta of await page.locator('head meta[content]').all()) {
    const name = (await meta.getAttribute('property')) ?? (await meta.getAttribute('name')) ?? '';
    metas[name] = (await meta.getAttribute('content')) ?? '';
  }
  return metas;
}

async function openWithoutScripts(browser: Browser): Promise<Page> {
  return (await browser.newContext({ javaScriptEnabled: false, baseURL: productUrl })).newPage();
}

const findCaller = async (request: APIRequestContext, handle: string): Promise<CallerProfile> =>
  (await request.get(`/api/callers/${handle}`)).json() as Promise<CallerProfile>;
const newestEndedCall = async (request: APIRequestContext): Promise<TokenCall | undefined> =>
  ((await (await request.get('/api/token-calls/ended?limit=1')).json()) as TokenCall[])[0];

/** Expects a PNG of 1200×675 pixels at the URL. */
async function expectPicture(request: APIRequestContext, url = ''): Promise<void> {
  const picture = await request.get(url);
  expect([picture.status(), picture.headers()['content-type']]).toEqual([200, 'image/png']);
  expect((await picture.body()).subarray(16, 24)).toEqual(Buffer.from([0, 0, 0x04, 0xb0, 0, 0, 0x02, 0xa3]));
}

test('a caller’s page has preview tags without scripts, even if the name contains HTML', async ({
  browser,
  request,
}) => {
  const page = await openWithoutScripts(browser);
  for (const [handle, name] of [
    ['amara_calls', 'Amara Lanternby'],
    ['FifteenLetters_', HOSTILE_NAME],
  ] as const) {
    const { id } = await findCaller(request, handle);
    for (const address of [handle, handle.toUpperCase(), id]) {
      expect((await page.goto(`/caller/${address}`))?.status()).toBe(200);
      await expect(page).toHaveTitle(`${name} · SolCallers`);
      expect(await page.locator('link[rel=canonical]').getAttribute('href')).toBe(
        `${productUrl}/caller/${handle}`,
      );
      const metas = await metasOf(page);
      expect(metas).toMatchObject({
        'og:title': name,
        'og:url': `${productUrl}/caller/${handle}`,
        'og:image': `${productUrl}/api/callers/${id}/card.png`,
        'og:image:width': '1200',
        'og:image:height': '675',
        'twitter:card': 'summary_large_image',
        'twitter:title': name,
      });
      expect(metas['description']).toMatch(
        new RegExp(
          `^\\d+ ranked calls: Win Rate \\d+\\.\\d%, Avg Return [+-]?[\\d,.]+%\\. .+\\. @${handle} on SolCallers\\.$`,
        ),
      );
      expect([metas['og:description'], metas['twitter:description']]).toEqual([
        metas['description'],
        metas['description'],
      ]);
    }
    await expectPicture(request, (await metasOf(page))['og:image']);
  }
  await page.context().close();
});

test('an ended call’s page has preview tags and a share image without scripts', async ({
  browser,
  request,
}) => {
  const call = await newestEndedCall(request);
  const page = await openWithoutScripts(browser);
  expect((await page.goto(`/call/${call?.id}`))?.status()).toBe(200);
  await expect(page).toHaveTitle(
    new RegExp(`^${call?.tokenSymbol.replace('$', String.raw`\$`)} [+-]?[\\d,.]+% by .+ · SolCallers$`),
  );
  const metas = await metasOf(page);
  expect(metas['og:description']).toMatch(
    /^Entry \$[\d,.]+, end \$[\d,.]+, held .+, called by .+ \(@\w+\)\.$/,
  );
  await expectPicture(request, metas['og:image']);
  await page.context().close();
});

test('missing pages and active paid calls have no preview tags', async ({ browser, request }) => {
  const subscriber = await browser.newContext({ baseURL: productUrl });
  await signInByScript(subscriber.request, 'tobi_drift');
  const followed = (await (await subscriber.request.get('/api/subscriptions/calls')).json()) as TokenCall[];
  const fees = new Map(
    await Promise.all(
      [...new Set(followed.map(({ callerId }) => callerId))].map(
        async (id) => [id, (await findCaller(request, id)).monthlyFee] as const,
      ),
    ),
  );
  const active = followed.find(({ isActive, callerId }) => isActive && fees.get(callerId) !== null);
  expect(active).toBeDefined();
  const needles = [
    active?.id,
    active?.tokenMint,
    active?.tokenName,
    active?.entryPrice,
    active?.caller.twitterHandle,
    active?.caller.id,
  ].filter((needle) => needle !== undefined);

  const missing = await request.get('/call/nothing');
  const stranger = await request.get(`/call/${active?.id}`);
  const expected = await missing.text();
  expect([missing.status(), stranger.status(), await stranger.text()]).toEqual([404, 404, expected]);
  // The Date header is left out, because it may differ between the two responses.
  const headersOf = (answer: typeof missing) =>
    answer.headersArray().filter(({ name }) => name.toLowerCase() !== 'date');
  expect(headersOf(stranger)).toEqual(headersOf(missing));
  expect(stranger.headers()['cache-control']).toBe('private, no-store');
  expect(expected).toContain('<title>Call Not Found · SolCallers</title>');

  const entitled = await subscriber.request.get(`/call/${active?.id}`);
  expect([entitled.status(), entitled.headers()['cache-control']]).toEqual([200, 'private, no-store']);
  const shown = await entitled.text();
  expect(shown).toContain('<title>Call · SolCallers</title>');
  for (const html of [expected, shown]) {
    expect(html).toContain('<meta name="robots" content="noindex" />');
    expect(html).not.toMatch(/og:|twitter:|canonical/);
    for (const needle of needles) expect(html).not.toContain(needle);
  }

  for (const path of ['/caller/nobody_here', '/caller/%E0%A4%A', `/caller/${'a'.repeat(2_000)}`]) {
    const answer = await request.get(path);
    expect(answer.status()).toBe(404);
    expect(await answer.text()).toContain('<title>Caller Not Found · SolCallers</title>');
  }
  for (const path of ['/no/such/page', '/assets/gone.js']) {
    expect((await request.get(path)).status()).toBe(404);
  }
  await subscriber.close();
});

test('a page with preview tags loads the app, and has the same headers as the home page', async ({
  openBrowser,
  request,
}) => {
  const page = await openBrowser();
  const call = await newestEndedCall(request);
  const paths = ['/caller/FifteenLetters_', `/call/${call?.id}`, '/caller/nobody_here', '/call/nothing'];
  const home = (await request.get('/')).headers();
  for (const path of paths) {
    const answer = await request.get(path);
    const [, title = ''] = /<title>([^<]*)<\/title>/.exec(await answer.text()) ?? [];
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).not.toBeEmpty();
    const readEntities = (text: string) =>
      text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
    await expect(page).toHaveTitle(readEntities(title));
    await expect(page.getByRole('button', { name: 'Open Local Wallet' })).toBeVisible();
    for (const name of STATIC_HEADERS) {
      if (name !== 'cache-control' || answer.ok()) {
        expect(answer.headers()[name], `${path}: ${name}`).toBe(home[name]);
      }
    }
    expect((await request.head(path)).status()).toBe(answer.status());
    expect((await request.post(path)).status()).toBe(404);
  }
  await page.goto('/recent-calls');
  await expect(page).toHaveTitle('Recent Calls · SolCallers');
  expect(await (await request.get('/recent-calls')).text()).toContain(
    '<title>Recent Calls · SolCallers</title>',
  );
});

test('robots.txt and the sitemap list callers and ended calls', async ({ request }) => {
  const call = await newestEndedCall(request);
  expect(await (await request.get('/robots.txt')).text()).toContain(`Sitemap: ${productUrl}/sitemap.xml`);
  const locsOf = async (address: string) =>
    [...(await (await request.get(address)).text()).matchAll(/<loc>([^<]+)<\/loc>/g)].map(
      ([, loc = '']) => loc,
    );
  const parts = await locsOf('/sitemap.xml');
  const { id } = await findCaller(request, 'amara_calls');
  expect(await locsOf(parts.find((part) => part.endsWith(`-callers-${id.slice(0, 2)}.xml`)) ?? '')).toContain(
    `${productUrl}/caller/amara_calls`,
  );
  expect(
    await locsOf(parts.find((part) => part.endsWith(`-calls-${call?.endTimestamp?.slice(0, 10)}.xml`)) ?? ''),
  ).toContain(`${productUrl}/call/${call?.id}`);
});
