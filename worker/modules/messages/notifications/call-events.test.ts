import { beforeEach, expect, it } from 'vitest';
import { DELIVERIES_KEPT_MS, DELIVERY_LOG_PAGE_SIZE } from '#schema/constants/messages.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import type { DeliveryLogEntry } from '#schema/contracts/notifications.ts';
import { expectRefusal, readPages, readResponse } from '#test/responses.ts';
import { createCaller, createPaidCaller, endCall, makeCall, MINTS } from '#test/people/callers.ts';
import { query } from '#test/database/database.ts';
import { runScript } from '#test/database/run-script.ts';
import { pay } from '#test/payments/payments.ts';
import { connectTelegram, messagesIn, writtenTo } from '#test/messages/telegram.ts';
import { createTestApp, type Person, type TestApp } from '#test/test-app.ts';

let app: TestApp;
let caller: Person;
let follower: Person;
let chatId: number;

beforeEach(async () => {
  app = await createTestApp();
  ({ caller } = await createPaidCaller(app, { handle: 'amara_calls' }));
  follower = await app.signIn('follower');
  await pay({ person: follower, callerId: caller.id });
  chatId = await connectTelegram(app, follower);
});

const call = () => makeCall({ caller, mint: MINTS.WIF, price: 2 });
const update = (callId: string) =>
  readResponse(caller.post('/api/telegram/send-update', { callId, message: 'Take half off.' }));
const readLog = (person: Person, search = '') =>
  readResponse<DeliveryLogEntry[]>(person.get(`/api/telegram/deliveries${search}`));

it('a follower gets one message each about a call’s opening, update and end, and only the first has a Buy button', async () => {
  const made = await call();
  await app.sender.deliver();
  await update(made.id);
  await app.sender.deliver();
  await endCall({ caller, call: made, price: 3 });
  await app.sender.deliver();
  await app.runCron();
  await app.sender.deliver();
  const open = { text: 'Open', url: `https://solcallers.test/call/${made.id}` };
  const copy = { text: 'Copy address', copy: MINTS.WIF };
  const buy = { text: 'Buy', url: `https://jup.ag/swap/SOL-${MINTS.WIF}` };
  const sent = (await messagesIn(chatId)).filter(({ from }) => from === 'bot');
  expect(sent.map(({ buttons }) => buttons)).toEqual([
    [buy, copy, open],
    [copy, open],
    [copy, open],
  ]);
  const link = `\n\nhttps://solcallers.test/call/${made.id}`;
  expect(sent.map(({ text }) => text)).toEqual(
    [`^New call: .*WIF[^]*${MINTS.WIF}`, '^Update on .*WIF[^]*Take half off', '^Call ended: .*WIF[^]*50'].map(
      (start) => expect.stringMatching(new RegExp(`${start}[^]*${link}$`)) as string,
    ),
  );
});

it('followers get one message if the sender accepted the event but the database did not record it', async () => {
  const { id, callTimestamp } = await call();
  await query(
    "INSERT INTO facts VALUES (0, ?, 'call_opened', ?, ?)",
    Date.parse(callTimestamp),
    id,
    caller.id,
  );
  expect(await app.services.messagesWriter.write()).toBe(1);
  expect(await app.sender.events()).toHaveLength(1);
  await app.sender.deliver();
  expect([await writtenTo(chatId), (await readLog(caller))[0]?.recipients]).toEqual([
    [expect.stringMatching(/^New call/)],
    1,
  ]);
});

it('a follower gets no message from a muted caller and is not counted as a recipient', async () => {
  const pair = [follower.id, caller.id];
  await query('INSERT INTO notification_mutes (user_id, caller_id, at) VALUES (?, ?, 0)', ...pair);
  const { id } = await call();
  expect(await update(id)).toMatchObject({ recipients: 0 });
  await app.sender.deliver();
  expect(await writtenTo(chatId)).toEqual([]);
  expect((await readLog(caller)).map(({ recipients }) => recipients)).toEqual([0, 0]);
});

const makeEvents = async () => {
  const made = await call();
  await app.sender.deliver();
  await app.advance(1_000);
  await update(made.id);
  await app.sender.deliver();
  await app.advance(1_000);
  await endCall({ caller, call: made, price: 3 });
  return made;
};

it('the delivery log has each event’s counts, newest first, even after the sender has deleted its messages', async () => {
  const made: TokenCall = await makeEvents();
  const anyTime = expect.any(String) as string;
  const entry = { callId: made.id, tokenSymbol: 'WIF', at: anyTime, unreachable: 0, failed: 0, chats: [] };
  const sent = { ...entry, recipients: 1, delivered: 1 };
  const log = await readLog(caller);
  expect(log).toEqual([
    { ...entry, id: `call_ended:${made.id}`, kind: 'call_ended', recipients: 0, delivered: 0 },
    { ...sent, id: expect.stringMatching(/^call_update:/) as string, kind: 'call_update' },
    { ...sent, id: `call_opened:${made.id}`, kind: 'call_opened', at: made.callTimestamp },
  ]);
  const times = log.map(({ at }) => at);
  expect(times.toSorted().toReversed()).toEqual(times);
  await app.advance(DELIVERIES_KEPT_MS - 10_000);
  expect(await app.services.outbox.wake()).toBe(0);
  await app.advance(20_000);
  expect(await app.services.outbox.wake()).toBe(2);
  caller = await app.signIn('amara_calls');
  expect(await readLog(caller)).toEqual(log);
});

it('the delivery log is returned in pages', async () => {
  const made = await makeEvents();
  await runScript(
    `INSERT INTO call_events (id, kind, call_id, caller_id, at)
    SELECT 'tie:' || i, 'call_opened', '${made.id}', '${caller.id}', 5 FROM n;`,
    { count: DELIVERY_LOG_PAGE_SIZE },
  );
  const pages = await readPages<DeliveryLogEntry>(caller.get, '/api/telegram/deliveries');
  expect(pages.map(({ length }) => length)).toEqual([DELIVERY_LOG_PAGE_SIZE, 3]);
  expect(new Set(pages.flat().map(({ id }) => id)).size).toBe(DELIVERY_LOG_PAGE_SIZE + 3);
});

it('the delivery log shows callers only their own events', async () => {
  await makeEvents();
  expect(await readLog(await createCaller(app, 'rival'))).toEqual([]);
  await expectRefusal(follower.get('/api/telegram/deliveries'), 'users.not_a_caller');
});
