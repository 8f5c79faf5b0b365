import { beforeEach, expect, it } from 'vitest';
import { CALL_ATTEMPTS } from '#schema/constants/market.ts';
import { SHOWN_PRICE_WINDOW_MS } from '#schema/constants/prices.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#schema/constants/time.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { expectRefusal, readResponse } from '#test/responses.ts';
import { callBody, createCaller, makeCall, MINTS } from '#test/people/callers.ts';
import { query } from '#test/database/database.ts';
import { requestsTo } from '#test/price-sources.ts';
import { control, createTestApp, type Person, type TestApp } from '#test/test-app.ts';

const { WIF, JUP } = MINTS;
let app: TestApp;
let honest: Person;
let helper: Person;

beforeEach(async () => {
  app = await createTestApp();
  honest = await createCaller(app, 'honest');
  helper = await createCaller(app, 'helper');
  await control('POST', '/prices', { mint: JUP, price: 1 });
});

const open = (person: Person, mint: string, entryPrice: number | string) =>
  person.post(
    '/api/token-calls',
    callBody({ caller: person, mint, entryPrice: String(entryPrice), symbol: mint.slice(0, 8) }),
  );
const end = (person: Person, call: TokenCall) => person.patch(`/api/token-calls/${call.id}/end`);
/** The urgent requests. Only these use Jupiter's search endpoint. Bulk requests use its price endpoint. */
const urgentRequests = async () =>
  (await requestsTo('jupiter')).filter((path) => path.includes('/tokens/v2/search'));
const endQuotesOf = ({ id }: TokenCall) =>
  query(
    `SELECT source, price, failure, is_recorded
     FROM price_quotes
     WHERE call_id = ? AND side = 'end'
     ORDER BY source`,
    id,
  );

it('five calls at a clearly wrong price are refused after a single request to a price source', async () => {
  for (let count = 0; count < 5; count++) {
    const { error } = await expectRefusal(open(helper, JUP, 2), 'calls.price_moved');
    expect(error['currentPrice']).toBe('1');
  }
  expect(await requestsTo('jupiter')).toEqual([expect.stringContaining('/price/v3')]);
  expect(await requestsTo('dexscreener')).toEqual([]);
});

it('a call far from the cached price succeeds if the current price confirms it', async () => {
  await open(helper, JUP, 2);
  await control('POST', '/prices', { mint: JUP, price: 1.09 });
  expect(await readResponse(open(honest, JUP, 1.09), 201)).toMatchObject({ entryPrice: '1.09' });
  await control('POST', '/prices', { mint: JUP, price: 3 });
  await app.advance(SHOWN_PRICE_WINDOW_MS);
  expect(await readResponse(open(helper, JUP, 3), 201)).toMatchObject({ entryPrice: '3' });
});

it('a call at a clearly wrong price is refused even if the request for the shown price fails', async () => {
  await control('POST', '/faults', { service: 'jupiter', path: '/price/v3', status: 503 });
  await control('POST', '/faults', { service: 'dexscreener', status: 503, count: 1 });
  const { error } = await expectRefusal(open(helper, JUP, 2), 'calls.price_moved');
  expect(error['currentPrice']).toBe('1');
  expect(await urgentRequests()).toHaveLength(1);
});

const { burst, everyMs } = CALL_ATTEMPTS;
const fail = () => open(helper, JUP, 1.05);

it('attempts to open calls are limited per user, even if they are simultaneous', async () => {
  const responses = await Promise.all(Array.from({ length: burst + 10 }, fail));
  const refused = responses.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(10);
  expect(await urgentRequests()).toHaveLength(burst);
  expect(refused[0]?.headers.get('Retry-After')).toBe(String(everyMs / SECOND_MS));
  const { message } = await expectRefusal(refused[0] ?? new Response(), 'calls.too_many_attempts');
  expect(message).toBe(
    'You can try to make or end a call 20 times in a row, then once every 10 seconds. Nothing was recorded. ' +
      'Try again in 10 seconds.',
  );
  expect((await open(honest, JUP, 1)).status).toBe(201);

  await app.advance(everyMs - 1);
  await expectRefusal(fail(), 'calls.too_many_attempts');
  await app.advance(1);
  await expectRefusal(fail(), 'calls.price_moved');
  await expectRefusal(fail(), 'calls.too_many_attempts');
  await app.advance(burst * everyMs);
  for (let count = 0; count < burst; count++) await expectRefusal(fail(), 'calls.price_moved');
  await expectRefusal(fail(), 'calls.too_many_attempts');
});

it('the limit of attempts counts failed ends, but not attempts to end another caller’s call', async () => {
  const call = await makeCall({ caller: helper, mint: WIF, price: 2 });
  await control('POST', '/prices', { mint: WIF, price: 9, source: 'dexscreener' });
  for (let count = 0; count < burst + 5; count++) await expectRefusal(end(honest, call), 'calls.not_yours');
  for (let count = 1; count < burst; count++) await expectRefusal(end(helper, call), 'prices.disagree');
  await expectRefusal(end(helper, call), 'calls.too_many_attempts');
  expect((await open(honest, JUP, 1)).status).toBe(201);
});

it('the cron deletes attempts to open or end calls an hour after they no longer count towards a limit', async () => {
  await fail();
  await app.advance(HOUR_MS);
  await app.runJobs('attempts');
  const ofHelper = () => query('SELECT action FROM attempts WHERE person = ?', helper.id);
  expect(await ofHelper()).toEqual([{ action: 'calls.price' }]);
  await app.advance(MINUTE_MS);
  await app.runJobs('attempts');
  expect(await ofHelper()).toEqual([]);
});

it('opening or ending a call is refused while one of the price sources rate-limits us', async () => {
  const call = await makeCall({ caller: honest, mint: WIF, price: 2 });
  await control('POST', '/prices', { mint: WIF, price: 9, source: 'dexscreener' });
  await control('POST', '/jupiter/rate-limit', { limit: 1, windowMs: MINUTE_MS });
  await app.request(`/api/tokens/${JUP}`);
  for (const attempt of [() => end(honest, call), () => open(helper, JUP, 1)]) {
    const refused = await attempt();
    const retryAfter = Number(refused.headers.get('Retry-After'));
    expect(retryAfter).toBeGreaterThan(0);
    expect(retryAfter).toBeLessThanOrEqual(60);
    const { message } = await expectRefusal(refused, 'prices.busy');
    const wait = retryAfter === 60 ? 'a minute' : `${retryAfter} second`;
    expect(message).toContain(`Nothing was recorded. Try again in ${wait}`);
  }
  expect(await endQuotesOf(call)).toEqual([]);

  await control('DELETE', '/jupiter/rate-limit');
  await control('POST', '/prices', { mint: WIF, price: 3 });
  await app.advance(MINUTE_MS);
  expect(await readResponse(end(honest, call))).toMatchObject({ endPrice: '3' });
  expect(await endQuotesOf(call)).toMatchObject([{ price: '3' }, { price: '3' }]);
});
