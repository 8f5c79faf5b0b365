import type { TokenCall } from '#schema/contracts/calls.ts';
import { expect, test } from './fixtures.ts';

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

test('a page with preview tags loads the app, and has the same headers as the home page', async ({
  openBrowser,
  request,
}) => {
  const page = await openBrowser();
  const [call] = (await (await request.get('/api/token-calls/ended?limit=1')).json()) as TokenCall[];
  const paths = ['/caller/FifteenLetters_', `/call/${call?.id}`, '/caller/nobody_here', '/call/nothing'];
  const home = (await request.get('/')).headers();
  for (const path of paths) {
    const response = await request.get(path);
    const [, title = ''] = /<title>([^<]*)<\/title>/.exec(await response.text()) ?? [];
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).not.toBeEmpty();
    const readEntities = (text: string) =>
      text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
    await expect(page).toHaveTitle(readEntities(title));
    await expect(page.getByRole('button', { name: 'Open Local Wallet' })).toBeVisible();
    for (const name of STATIC_HEADERS) {
      if (name !== 'cache-control' || response.ok()) {
        expect(response.headers()[name], `${path}: ${name}`).toBe(home[name]);
      }
    }
    expect((await request.head(path)).status()).toBe(response.status());
    expect((await request.post(path)).status()).toBe(404);
  }
  await page.goto('/recent-calls');
  await expect(page).toHaveTitle('Recent Calls · SolCallers');
  expect(await (await request.get('/recent-calls')).text()).toContain(
    '<title>Recent Calls · SolCallers</title>',
  );
});
