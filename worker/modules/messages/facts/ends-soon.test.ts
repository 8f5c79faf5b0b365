import { beforeEach, expect, it } from 'vitest';
import { CALL_AUTO_END_MS } from '#schema/constants/market.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#schema/constants/time.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { describeTime } from '../../../shared/plain-text.ts';
import { connectTelegram, writtenTo } from '#test/messages/telegram.ts';
import { query } from '#test/database/database.ts';
import { createCaller, endCall, makeCall, MINTS } from '#test/people/callers.ts';
import { createTestApp, type Person, type TestApp } from '#test/test-app.ts';

let app: TestApp;
let caller: Person;
let chatId: number;
let call: TokenCall;

beforeEach(async () => {
  app = await createTestApp();
  caller = await createCaller(app, 'amara_calls');
  chatId = await connectTelegram(app, caller);
  call = await makeCall({ caller, mint: MINTS.WIF, price: 2 });
});

const notify = async () => {
  const written = await app.services.messagesWriter.write();
  await app.sender.deliver();
  return written;
};
const received = async () => (await writtenTo(chatId)).filter((text) => text.includes('automatically'));

it('a caller gets one notice a day before a call ends automatically', async () => {
  await app.advance(CALL_AUTO_END_MS - DAY_MS - MINUTE_MS);
  expect([await notify(), await received()]).toEqual([0, []]);
  await app.advance(MINUTE_MS);
  expect(await notify()).toBe(1);
  const endsAt = describeTime(Date.parse(call.callTimestamp) + CALL_AUTO_END_MS);
  expect(await received()).toEqual([
    `Your call on \u2068WIF\u2069 ends automatically on ${endsAt}.\n\n` +
      'A call stays open for at most 30 days. Until then you can end it yourself. ' +
      'An automatic end uses the lowest price of our sources and counts like any other.\n\n' +
      `https://solcallers.test/call/${call.id}`,
  ]);
  await app.advance(HOUR_MS);
  expect([await notify(), (await received()).length]).toEqual([0, 1]);
});

it('the notice of an automatic end is not sent if the caller has ended the call', async () => {
  const silent = await createCaller(app, 'no_chat');
  await makeCall({ caller: silent, mint: MINTS.JUP, price: 2 });
  await app.advance(CALL_AUTO_END_MS - DAY_MS);
  caller = await app.signIn('amara_calls');
  await app.services.messagesWriter.write();
  await endCall({ caller, call, price: 3 });
  await app.sender.deliver();
  expect(await received()).toEqual([]);
});

it('the end of a call takes back the notice of its automatic end', async () => {
  await endCall({ caller, call, price: 3 });
  await notify();
  expect(await query('SELECT * FROM facts')).toEqual([]);
});

it('a forged notice of an automatic end sends nothing to another user', async () => {
  const stranger = await app.signIn('stranger');
  const chat = await connectTelegram(app, stranger);
  await app.sender.add({ kind: 'call_ends_soon', id: 'forged', userId: stranger.id, subject: call.id });
  await app.sender.deliver();
  expect(await writtenTo(chat)).toEqual([]);
});
