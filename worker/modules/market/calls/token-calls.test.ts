import { beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS, MINUTE_MS } from '#schema/constants/time.ts';
import type { CalledToken, TokenCall, TokenCalls } from '#schema/contracts/calls.ts';
import { expectRefusal, readResponse } from '#test/responses.ts';
import { countRows } from '#test/database/count-rows.ts';
import { createCaller, createPaidCaller, endCall, makeCall, MINTS } from '#test/people/callers.ts';
import { query } from '#test/database/database.ts';
import { pay } from '#test/payments/payments.ts';
import { createTestApp, testEnv, type Person, type TestApp } from '#test/test-app.ts';
import { rangesOf } from './token-calls.service.ts';

const { WIF, BONK, JUP } = MINTS;
/** A valid mint that nobody has called. */
const UNKNOWN = 'StandinUnknownXXXXXXXXXXXXXXXXXXXXXXXXXXXXX';

let app: TestApp;
let caller: Person;

beforeEach(async () => {
  app = await createTestApp();
  ({ caller } = await createPaidCaller(app));
});

const request = (mint: string, person?: Person) =>
  app.request(`/api/tokens/${mint}/calls`, { cookie: person?.cookie });
const read = (mint: string, person?: Person) => readResponse<TokenCalls>(request(mint, person));
const search = (q: string) =>
  readResponse<CalledToken[]>(app.request(`/api/tokens/called?q=${encodeURIComponent(q)}`));
const close = (mint: string, at: number, price: string) =>
  query('INSERT INTO price_closes (mint, at, price) VALUES (?, ?, ?)', mint, at, price);

async function makeEnded(by: Person, mint: string): Promise<TokenCall> {
  const call = await makeCall({ caller: by, mint, price: 2 });
  await app.advance(20 * MINUTE_MS);
  return endCall({ caller: by, call, price: 3 });
}

it('a request for a token’s calls returns its ended calls, newest first, and its first call as a separate field', async () => {
  const first = await makeEnded(caller, WIF);
  await app.advance(DAY_MS);
  const second = await makeEnded(await createCaller(app, 'later'), WIF);
  expect(await read(WIF)).toEqual({
    mint: WIF,
    symbol: second.tokenSymbol,
    name: second.tokenName,
    logoURI: second.logoURI,
    ended: [second, first],
    first,
    active: [],
    points: [],
  });
});

it('a token looks unknown if only a hidden caller has called it', async () => {
  await makeEnded(caller, WIF);
  await query('UPDATE users SET is_hidden = 1 WHERE id = ?', caller.id);
  await expectRefusal(request(WIF), 'tokens.not_found');
  expect(await search('wif')).toEqual([]);
});

it('a token’s chart has only points from times when an ended call was open', async () => {
  const ended = await makeEnded(caller, WIF);
  const [from, until] = [Date.parse(ended.callTimestamp), Date.parse(ended.endTimestamp ?? '')];
  await makeCall({ caller: await createCaller(app, 'other'), mint: WIF, price: 3 });
  await close(WIF, from + 1, '2.5');
  await close(WIF, until, '3.25');
  await close(WIF, until + 1, '4.75');
  await close(WIF, from - 1, '1.75');
  expect((await read(WIF)).points.map(({ price }) => price)).toEqual(['2.5', '3.25']);
});

it('the time ranges of overlapping and adjacent calls are merged into one', () => {
  const call = (called_at: number, ended_at: number) => ({ called_at, ended_at });
  expect(rangesOf([call(50, 60), call(10, 20), call(15, 30), call(12, 13), call(30, 31)])).toEqual([
    { from: 10, until: 31 },
    { from: 50, until: 60 },
  ]);
  expect(rangesOf([])).toEqual([]);
});

describe('while a Paid caller has an active call', () => {
  let active: TokenCall;

  beforeEach(async () => {
    active = await makeCall({ caller, mint: WIF, price: 2 });
  });

  /** Without what each request of the same person changes. */
  const comparable = async (response: Response) => ({
    status: response.status,
    headers: [...response.headers].filter(([name]) => !['x-request-id', 'ratelimit'].includes(name)),
    text: (await response.text()).replaceAll(WIF, 'MINT').replaceAll(UNKNOWN, 'MINT'),
  });
  const pathsOf = (mint: string) => [
    `/api/tokens/${mint}/calls`,
    `/token/${mint}`,
    `/api/tokens/called?q=${mint}`,
  ];

  it('a token with only an active call looks unknown to visitors, strangers and former subscribers', async () => {
    const lapsed = await app.signIn('lapsed');
    await pay({ person: lapsed, callerId: caller.id });
    await app.advance(30 * DAY_MS);
    const cookies = [undefined, (await app.signIn('stranger')).cookie, (await app.signIn('lapsed')).cookie];
    for (const cookie of cookies) {
      for (const [index, path] of pathsOf(WIF).entries()) {
        const hidden = await comparable(await app.request(path, { cookie }));
        expect(hidden).toEqual(
          await comparable(await app.request(pathsOf(UNKNOWN)[index] ?? '', { cookie })),
        );
        if (index < 2) expect(hidden.status).toBe(404);
      }
    }
  });

  it('a request for a token with only an active call runs the same statements as for an unknown token', async () => {
    const statements: string[] = [];
    const DB = countRows(testEnv.DB, ({ sql }) => statements.push(sql));
    const { cookie } = await app.signIn('stranger');
    const recording = await createTestApp({ bindings: { DB } });
    for (const path of ['/api/tokens/MINT/calls', '/token/MINT']) {
      for (const options of [{}, { cookie }]) {
        const [hidden, unknown] = [[WIF], [UNKNOWN]];
        for (const list of [hidden, unknown]) {
          statements.length = 0;
          await recording.request(path.replace('MINT', list[0] ?? ''), options);
          list.splice(0, 1, ...statements);
        }
        expect(hidden.length).toBeGreaterThan(2);
        expect(hidden).toEqual(unknown);
      }
    }
  });

  it('a token’s active call is shown to its caller and to subscribers, with its price', async () => {
    const subscriber = await app.signIn('subscriber');
    await pay({ person: subscriber, callerId: caller.id });
    for (const person of [caller, subscriber]) {
      expect(await read(WIF, person)).toMatchObject({
        ended: [],
        first: null,
        active: [{ id: active.id, lastPrice: { price: '2' } }],
        points: [],
      });
      const page = await app.request(`/token/${WIF}`, { cookie: person.cookie });
      expect([page.status, page.headers.get('Cache-Control')]).toEqual([200, 'private, no-store']);
      expect(await page.text()).not.toContain(active.tokenSymbol);
    }
  });

  it('a token with an active and an ended call shows viewers without access only the ended call', async () => {
    const ended = await makeEnded(await createCaller(app, 'other'), WIF);
    expect(await read(WIF, await app.signIn('stranger'))).toMatchObject({
      ended: [{ id: ended.id }],
      active: [],
    });
  });
});

it('the search for called tokens finds a token with an ended call by its mint or the start of its symbol', async () => {
  await makeEnded(caller, BONK);
  await makeCall({ caller, mint: JUP, price: 1 });
  for (const text of ['bon', BONK]) expect(await search(text), text).toMatchObject([{ mint: BONK }]);
  for (const text of ['jup', JUP, '%b', '_o', 'onk', UNKNOWN]) expect(await search(text), text).toEqual([]);
});

it('the page of a token has a link preview, its content and an entry in the sitemap', async () => {
  const ended = await makeEnded(caller, WIF);
  const page = await (await app.request(`/token/${WIF}`)).text();
  expect(page).toContain(`<meta property="og:url" content="https://solcallers.test/token/${WIF}"`);
  expect(page).toContain(`/api/token-calls/${ended.id}/share.png`);
  expect(page).toContain('First called by');
  const part = 'sitemap-tokens.xml';
  expect(await (await app.request('/sitemap.xml')).text()).toContain(part);
  expect(await (await app.request(`/${part}`)).text()).toContain(`/token/${WIF}</loc>`);
});
