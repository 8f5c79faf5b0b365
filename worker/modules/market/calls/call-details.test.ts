import { beforeEach, expect, it } from 'vitest';
import { MINUTE_MS } from '#schema/constants/time.ts';
import type { CallDetail, TokenCall } from '#schema/contracts/calls.ts';
import { readResponse } from '#test/responses.ts';
import { createPaidCaller, endCall, makeCall, MINTS } from '#test/people/callers.ts';
import { query } from '#test/database/database.ts';
import { interceptDatabase } from '#test/database/intercept-database.ts';
import { pay } from '#test/payments/payments.ts';
import { connectTelegram } from '#test/messages/telegram.ts';
import { breakSource } from '#test/price-sources.ts';
import { createTestApp, testEnv, type Person, type TestApp } from '#test/test-app.ts';

const { WIF, JUP } = MINTS;
const terms = { thesis: 'The hat stays on.', targetPrice: '3.5', stopPrice: '1.25', isPaidPromotion: true };
let app: TestApp;
let caller: Person;
let call: TokenCall;

beforeEach(async () => {
  app = await createTestApp();
  ({ caller } = await createPaidCaller(app));
  call = await makeCall({ caller, mint: WIF, price: 2, ...terms });
});

const subscribe = async (person: Person) => pay({ person, callerId: caller.id });
const requestDetail = (id: string, cookie?: string) => app.request(`/api/token-calls/${id}`, { cookie });
const detail = (id: string, person?: Person) => readResponse<CallDetail>(requestDetail(id, person?.cookie));
const sendUpdate = (message: string) =>
  caller.post('/api/telegram/send-update', { callId: call.id, message });
const messages = async (person?: Person) =>
  (await detail(call.id, person)).updates.map(({ message }) => message);

it('the details of a call have every field of the response that created it, and its updates and quotes', async () => {
  await app.advance(MINUTE_MS);
  await readResponse(sendUpdate('Half is sold.'));
  const sentAt = new Date(app.clock.now()).toISOString();
  const opened = await detail(call.id, caller);
  expect(opened).toEqual({
    ...call,
    lastPrice: { price: '2', at: expect.any(String), source: 'jupiter' },
    updates: [{ id: expect.any(String), message: 'Half is sold.', at: sentAt }],
    levelHits: [],
    quotes: expect.any(Array),
    holdings: { readUntil: null, state: null, found: null },
    marks: [],
    follower: null,
    madeOn: 'site',
    logEntries: [],
    note: null,
  });
  const quoteOf = (side: string, source: string, price: string, quotedAt: string | undefined) => ({
    side,
    source,
    price,
    failure: null,
    isRecorded: source === 'jupiter',
    quotedAt,
  });
  expect(opened.quotes).toMatchObject([
    quoteOf('open', 'dexscreener', '2', call.callTimestamp),
    quoteOf('open', 'jupiter', '2', call.callTimestamp),
  ]);
  for (const quote of opened.quotes) {
    expect([quote.liquidityUsd, quote.blockId]).toEqual([
      expect.any(Number),
      quote.source === 'jupiter' ? expect.any(Number) : null,
    ]);
  }

  await app.advance(MINUTE_MS);
  await breakSource('dexscreener');
  const ended = await endCall({ caller, call, price: 3 });
  const closed = await detail(call.id);
  expect(closed).toMatchObject({ ...ended, updates: opened.updates });
  expect(closed.quotes.slice(0, 2)).toEqual(opened.quotes);
  expect(closed.quotes.slice(2)).toMatchObject([
    { side: 'end', source: 'dexscreener', price: null, failure: 'unavailable', isRecorded: false },
    quoteOf('end', 'jupiter', '3', ended.endTimestamp),
  ]);
});

it('the details of an ended call include the positions of its entries in the public log', async () => {
  await readResponse(sendUpdate('Half is sold.'));
  expect((await detail(call.id, caller)).logEntries).toEqual([]);
  await endCall({ caller, call, price: 3 });
  const rows = await query<{ kind: string; id: number }>(
    'SELECT kind, id FROM log_entries WHERE call_id = ? ORDER BY id',
    call.id,
  );
  expect(rows.map(({ kind }) => kind)).toEqual(['opened', 'updated', 'ended']);
  expect((await detail(call.id)).logEntries).toEqual(rows.map(({ id }) => id - 1));
});

it('the details of an active call include its last known price', async () => {
  // Wait a minute, because a price from the same slot as the entry may be older than the call.
  await app.advance(MINUTE_MS);
  await app.runJobs('prices');
  const { lastPrice } = await detail(call.id, caller);
  expect(lastPrice).toMatchObject({ price: '2', source: 'jupiter' });
  await endCall({ caller, call, price: 3 });
  expect(await detail(call.id)).not.toHaveProperty('lastPrice');
});

it('the details of an ended call are the same for every viewer, and are not cached', async () => {
  await endCall({ caller, call, price: 3 });
  const responses = await Promise.all(
    [undefined, caller, await app.signIn('reader')].map((person) => requestDetail(call.id, person?.cookie)),
  );
  for (const response of responses) expect(response.headers.get('Cache-Control')).toBe('private, no-store');
  const [first, ...others] = await Promise.all(
    responses.map((response) => readResponse<CallDetail>(response)),
  );
  expect(first).toMatchObject({ id: call.id, ...terms, endPrice: '3' });
  for (const other of others) expect(other).toEqual(first);
});

it('the details of a call are read from the database in one batch', async () => {
  await endCall({ caller, call, price: 3 });
  const queries: string[] = [];
  const DB = interceptDatabase(testEnv.DB, ({ sql }, run) => {
    queries.push(sql);
    return run();
  });
  const counting = await createTestApp({ bindings: { DB } });
  await readResponse(counting.request(`/api/token-calls/${call.id}`));
  expect(queries.map((batch) => batch.split(';').length)).toEqual([8]);
});

it('the updates of a call are listed in the order of sending, without repeated messages', async () => {
  const sentMessages = ['b', 'a', 'c', 'a'];
  for (const message of sentMessages) await readResponse(sendUpdate(message));
  await app.advance(MINUTE_MS);
  for (const message of ['z', 'y']) await readResponse(sendUpdate(message));
  expect(await messages(caller)).toEqual(['b', 'a', 'c', 'z', 'y']);
});

it('the updates of a call are stored with their text unchanged, except for white space around it', async () => {
  const texts = [
    '<b>bold</b> & *stars* [a](https://evil.example)',
    'Half.\n\nStop at 1.80',
    '’; DROP TABLE calls; --',
  ];
  for (const message of texts) await readResponse(sendUpdate(`  ${message}\n`));
  expect((await messages(caller)).toSorted()).toEqual(texts.toSorted());
});

it('the details of a call do not list another call’s updates', async () => {
  const other = await makeCall({ caller, mint: JUP, price: 1 });
  await readResponse(sendUpdate('About the hat.'));
  expect((await detail(other.id, caller)).updates).toEqual([]);
});

it('an update of a call is listed even if notifying followers fails', async () => {
  const follower = await app.signIn('follower');
  await subscribe(follower);
  await connectTelegram(app, follower);
  app.sender.failAfter(0);
  await readResponse(sendUpdate('Late?'));
  for (const person of [caller, follower]) expect(await messages(person)).toEqual(['Late?']);
});
