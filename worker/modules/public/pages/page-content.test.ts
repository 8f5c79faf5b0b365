import { beforeEach, expect, it } from 'vitest';
import { MIN_COUNTED_HOLD_MS } from '#schema/constants/market.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import type { RenderPage } from '../../../ports/page-renderer.ts';
import { createPaidCaller, endCall, makeCall, MINTS } from '#test/people/callers.ts';
import { captureLogs } from '#test/capture-logs.ts';
import { query } from '#test/database/database.ts';
import { createTestApp, type Person, type TestApp } from '#test/test-app.ts';
import { SHELL } from '#test/test-assets.ts';

const RENDERED = 'public, max-age=10, stale-while-revalidate=30';

let app: TestApp;
let caller: Person;
let ended: TokenCall;
let active: TokenCall;

beforeEach(async () => {
  app = await createTestApp();
  ({ caller } = await createPaidCaller(app, { handle: 'Ada_calls' }));
  await query('UPDATE users SET first_name = ?, last_name = ? WHERE id = ?', 'Ada', 'Byron', caller.id);
  const call = await makeCall({ caller, mint: MINTS.JUP, price: 0.5 });
  await app.advance(MIN_COUNTED_HOLD_MS);
  ended = await endCall({ caller, call, price: 0.75 });
  active = await makeCall({ caller, mint: MINTS.WIF, price: 3.14159265 });
});

const pages = () => ['/', '/recent-calls', '/how-we-count', '/caller/Ada_calls', `/call/${ended.id}`];

async function openPage(
  path: string,
  cookie?: string,
): Promise<{ body: string; cacheControl: string | null }> {
  const response = await app.request(path, { cookie });
  expect(response.status).toBe(200);
  return { body: await response.text(), cacheControl: response.headers.get('Cache-Control') };
}

/** The visible text of a page's content. */
const textOf = (body: string) =>
  body
    .replace(/<script.*?<\/script>|<!--.*?-->/gs, '')
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&#x27;', "'")
    .replace(/\s+/g, ' ');

const dataOf = (body: string): unknown =>
  JSON.parse(/<script type="application\/json" id="first-page">([^<]*)<\/script>/.exec(body)?.[1] ?? 'null');

it.each([
  ['/', ['Find SolCallers', 'Ada Byron', '@Ada_calls', '0.5 SOL / month', 'Subscribe']],
  ['/recent-calls', ['Recent Calls', 'JUP', 'Ada Byron', '+50.0%']],
  ['/caller/Ada_calls', ['Ada Byron', 'Member since', 'Active Calls 1 now', 'Call History', 'JUP']],
  ['/how-we-count', ['How We Count']],
  ['/privacy', ['What we store']],
])('the HTML of %s has the page’s content and data', async (path, texts) => {
  const { body, cacheControl } = await openPage(path);
  expect(cacheControl).toBe(RENDERED);
  for (const text of texts) expect(textOf(body)).toContain(text);
  expect(dataOf(body)).toMatchObject({ renderedAt: app.clock.now() });
});

it('the HTML of an ended call’s page has the page’s content and data', async () => {
  const { body } = await openPage(`/call/${ended.id}`);
  for (const text of ['Jupiter', 'Ended', 'from entry to end', 'Timeline', 'Evidence']) {
    expect(textOf(body)).toContain(text);
  }
  expect(JSON.stringify(dataOf(body))).toContain(ended.tokenMint);
});

it('the directory’s HTML has only callers who match the filters in the URL', async () => {
  expect(textOf((await openPage('/?paid=true&search=ada')).body)).toContain('@Ada_calls');
  const { body } = await openPage('/?search=somebody%20else&sort=invalid&utm_source=x');
  expect(textOf(body)).toContain('No Callers Found');
});

it('the content of a public page is the same for everybody and never shows an active call of a Paid caller', async () => {
  const secrets = [active.id, active.tokenMint, active.tokenName, active.entryPrice, String(active.logoURI)];
  for (const path of pages()) {
    const { body } = await openPage(path);
    expect((await openPage(path, caller.cookie)).body).toBe(body);
    for (const secret of secrets) expect(body).not.toContain(secret);
    expect(body).not.toContain('"isOwner":true');
    // The Content-Security-Policy forbids inline styles and scripts.
    expect(body).not.toMatch(/ style="|<style|<script>/);
  }
});

it('the content of a public page escapes data that looks like HTML', async () => {
  const hostile = '</script><script>alert(1)</script><!--\u2028<img src=x onerror=alert(1)>';
  await query('UPDATE users SET first_name = ?, bio = ? WHERE id = ?', hostile, hostile, caller.id);
  for (const path of ['/', '/recent-calls', '/caller/Ada_calls', `/call/${ended.id}`]) {
    const { body } = await openPage(path);
    expect(body).not.toContain('alert(1)</script>');
    expect(body).not.toContain('<img src=x');
    expect(body).not.toMatch(/<!--\u2028/);
    expect(JSON.stringify(dataOf(body))).toContain('alert(1)');
  }
});

it('a public page is served as the app shell if rendering fails, and the error is logged', async () => {
  const renderPage: RenderPage = () => Promise.reject(new Error('React failed'));
  const failing = await createTestApp({ renderPage });
  for (const path of pages()) {
    const { logs, restore } = captureLogs();
    const response = await failing.request(path);
    restore();
    expect([response.status, response.headers.get('Cache-Control')]).toEqual([
      200,
      'public, max-age=0, must-revalidate',
    ]);
    const body = await response.text();
    expect(body.slice(body.indexOf('<body>'))).toBe(SHELL.slice(SHELL.indexOf('<body>')));
    expect(logs.join('')).toContain('page.render_failed');
  }
});
