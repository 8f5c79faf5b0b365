import { beforeEach, expect, it, vi } from 'vitest';
import {
  MAX_UPDATES_PER_WINDOW,
  NOTIFICATION_LIFETIME_MS,
  UPDATES_WINDOW_MS,
} from '#schema/constants/messages.ts';
import { MINUTE_MS, SECOND_MS } from '#schema/constants/time.ts';
import { MAX_COUNTED_FOLLOWERS } from '../facts/recipients.repository.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import type { SendUpdateResponse } from '#schema/contracts/notifications.ts';
import type { CurrentUser } from '#schema/contracts/users.ts';
import { expectRefusal, expectRefusalWithoutTrace, readResponse } from '#test/responses.ts';
import { createCaller, createPaidCaller, endCall, makeCall, MINTS } from '#test/people/callers.ts';
import { query } from '#test/database/database.ts';
import { insertRows } from '#test/database/insert-rows.ts';
import { pay } from '#test/payments/payments.ts';
import { callEvent } from '#test/messages/call-event.ts';
import { connectTelegram, messagesIn, writtenTo } from '#test/messages/telegram.ts';
import { control, createTestApp, type Person, type TestApp } from '#test/test-app.ts';

let app: TestApp;
let caller: Person;
let follower: Person;
let call: TokenCall;

beforeEach(async () => {
  app = await createTestApp();
  ({ caller } = await createPaidCaller(app, { handle: 'amara_calls' }));
  call = await makeCall({ caller, mint: MINTS.WIF, price: 2 });
  // Sends the new call's event now, while its caller has no followers.
  await app.sender.deliver();
  follower = await app.signIn('follower');
});

const subscribe = (person: Person) => pay({ person, callerId: caller.id });
const update = (message: string, { by = caller, callId = call.id }: { by?: Person; callId?: string } = {}) =>
  by.post('/api/telegram/send-update', { callId, message });
const sendUpdate = (message: string) => readResponse<SendUpdateResponse>(update(message));
const accountOf = (person: Person) => readResponse<CurrentUser>(person.get('/api/auth/user'));
const failTelegram = (how: object) =>
  control('POST', '/faults', { service: 'telegram', path: 'sendMessage', ...how });

/** Lets the follower pay and connect Telegram, and queues an update. Returns the follower's chat. */
async function queueUpdate(message = 'Take half off.'): Promise<number> {
  await subscribe(follower);
  const chatId = await connectTelegram(app, follower);
  expect(await sendUpdate(message)).toMatchObject({ message: 'Update Sent', recipients: 1 });
  return chatId;
}

// Specification 6.17
it('an update reaches a connected subscriber with the caller, the token, the text and a link to the call', async () => {
  const chatId = await queueUpdate('  Take half off.\nStop at 1.80  ');
  expect(await app.sender.deliver()).toEqual([]);
  expect((await messagesIn(chatId)).filter(({ from }) => from === 'bot')).toMatchObject([
    {
      text: `Update on \u2068WIF\u2069 from \u2068Amara Lanternby\u2069 (@\u2060amara_calls)\n\nTake half off.\nStop at 1.80\n\nhttps://solcallers.test/call/${call.id}`,
      parseMode: null,
    },
  ]);
  expect(await query('SELECT call_id, message, created_at FROM call_updates')).toEqual([
    { call_id: call.id, message: 'Take half off.\nStop at 1.80', created_at: app.clock.now() },
  ]);
});

// Specification 6.17
it('an update goes only to followers with connected Telegram and current access', async () => {
  const [lapsed, stranger] = [await app.signIn('lapsed'), await app.signIn('stranger')];
  for (const person of [follower, await app.signIn('unconnected')]) await subscribe(person);
  const past = { id: 'past', ends_at: app.clock.now() };
  await insertRows('subscriptions', [{ ...past, subscriber_id: lapsed.id, caller_id: caller.id }]);
  const chats: number[] = [];
  for (const person of [follower, lapsed, stranger, caller]) chats.push(await connectTelegram(app, person));
  expect(await sendUpdate('Only for you.')).toMatchObject({ recipients: 1 });
  await app.sender.deliver();
  expect((await Promise.all(chats.map(writtenTo))).map(({ length }) => length)).toEqual([1, 0, 0, 0]);
});

it('sending an update returns no number of recipients if the caller has too many followers to count', async () => {
  await query('UPDATE callers SET subscriber_count = ?', MAX_COUNTED_FOLLOWERS + 1);
  expect(await sendUpdate('Hello.')).toMatchObject({ message: 'Update Sent', recipients: null });
});

it('an update is retried after ten seconds if its followers cannot be read', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const chatId = await queueUpdate();
  vi.spyOn(app.services.subscriptions, 'entitledAmong').mockRejectedValueOnce(new Error('Database away'));
  const failedAt = app.clock.now();
  expect(await app.sender.deliver()).toEqual([]);
  expect([await writtenTo(chatId), await app.sender.events()]).toEqual([[], [expect.any(String)]]);
  expect(await app.sender.deliver()).toEqual([]);
  expect(await writtenTo(chatId)).toHaveLength(1);
  expect(app.clock.now() - failedAt).toBeGreaterThanOrEqual(10 * SECOND_MS);
});

const updatesWritten = async () => (await query('SELECT id FROM call_updates')).length;

it('a repeated update on the same call within ten minutes is neither saved nor sent again', async () => {
  const chatId = await queueUpdate('Take half off.');
  await app.advance(UPDATES_WINDOW_MS - 1);
  expect(await sendUpdate(' Take half off.\n')).toMatchObject({ message: 'Update Sent', recipients: 1 });
  await app.sender.deliver();
  expect([await updatesWritten(), (await writtenTo(chatId)).length]).toEqual([1, 1]);
  await app.advance(1);
  expect(await sendUpdate('Take half off.')).toMatchObject({ message: 'Update Sent', recipients: 1 });
  await app.sender.deliver();
  expect([await updatesWritten(), (await writtenTo(chatId)).length]).toEqual([2, 2]);
});

it('twenty simultaneous updates with the same text are saved as one update', async () => {
  await subscribe(follower);
  await connectTelegram(app, follower);
  const responses = await Promise.all(Array.from({ length: 20 }, () => sendUpdate('Take half off.')));
  expect(responses).toMatchObject(
    Array.from({ length: 20 }, () => ({ message: 'Update Sent', recipients: 1 })),
  );
  expect([await updatesWritten(), (await app.sender.events()).length]).toEqual([1, 1]);
});

it('an update is saved even if another call has an update with the same text', async () => {
  await sendUpdate('Take half off.');
  const { id } = await makeCall({ caller, mint: MINTS.JUP, price: 1 });
  await readResponse(update('Take half off.', { callId: id }));
  expect(await updatesWritten()).toBe(2);
});

const sendTen = async () => {
  for (let number = 1; number <= MAX_UPDATES_PER_WINDOW; number += 1) await sendUpdate(`Update ${number}`);
};

it('updates on all calls of a caller count towards the limit of ten in ten minutes, but repeated texts don’t', async () => {
  await sendUpdate('Update 1');
  await app.advance(MINUTE_MS);
  await sendTen();
  const { id } = await makeCall({ caller, mint: MINTS.JUP, price: 1 });
  for (const callId of [call.id, id]) {
    const response = await update('One more.', { callId });
    expect(response.headers.get('Retry-After')).toBe(String((UPDATES_WINDOW_MS - MINUTE_MS) / SECOND_MS));
    expect((await expectRefusal(response, 'updates.too_many')).message).toMatch(
      /^You can send at most 10 updates in 10 minutes\./,
    );
  }
  expect(await sendUpdate('Update 10')).toMatchObject({ message: 'Update Sent' });
  await app.advance(UPDATES_WINDOW_MS - MINUTE_MS);
  await sendUpdate('One more.');
});

it('updates of calls that have ended still count towards the limit of ten updates in ten minutes', async () => {
  await sendTen();
  await endCall({ caller, call, price: 3 });
  const { id } = await makeCall({ caller, mint: MINTS.JUP, price: 1 });
  await expectRefusalWithoutTrace(() => update('One more.', { callId: id }), 'updates.too_many');
});

it('only ten of twenty simultaneous updates are saved', async () => {
  const statuses = await Promise.all(
    Array.from({ length: 20 }, async (_, number) => (await update(`Update ${number}`)).status),
  );
  expect(statuses.filter((status) => status === 200)).toHaveLength(MAX_UPDATES_PER_WINDOW);
  expect(statuses.filter((status) => status === 429)).toHaveLength(20 - MAX_UPDATES_PER_WINDOW);
  expect(await query('SELECT id FROM call_updates')).toHaveLength(MAX_UPDATES_PER_WINDOW);
});

it('the limit of ten updates in ten minutes applies to each caller separately', async () => {
  await sendTen();
  const other = await createCaller(app, 'rival');
  const { id } = await makeCall({ caller: other, mint: MINTS.WIF, price: 2 });
  await readResponse(update('Hello.', { by: other, callId: id }));
});

// Specification 5.27
it('an update without a visible character is rejected, and nothing is written', async () => {
  const { message } = await expectRefusalWithoutTrace(() => update('\u200B\n'), 'updates.message_invalid');
  expect(message).toBe('Please enter an update message');
});

// Specification 6.17
it('an update on another caller’s call is rejected, even from a subscriber', async () => {
  await subscribe(follower);
  await expectRefusalWithoutTrace(() => update('Mine.', { by: follower }), 'calls.not_yours');
  const rival = await createCaller(app, 'rival');
  await expectRefusalWithoutTrace(() => update('Mine.', { by: rival }), 'calls.not_found');
});

it('an update on an unknown or ended call is rejected', async () => {
  await expectRefusalWithoutTrace(() => update('Where?', { callId: 'nothing' }), 'calls.not_found');
  await endCall({ caller, call, price: 3 });
  await expectRefusalWithoutTrace(() => update('Too late.'), 'calls.already_ended');
});

it('a follower who blocked the bot is disconnected, but the handle stays saved', async () => {
  await queueUpdate();
  const { telegramHandle } = await accountOf(follower);
  await control('POST', '/telegram/block', { handle: telegramHandle, isBlocked: true });
  expect(await app.sender.deliver()).toEqual([]);
  expect(await accountOf(follower)).toMatchObject({ telegramHandle, telegramConnected: false });
  expect(await sendUpdate('And now?')).toMatchObject({ recipients: 0 });
  expect(await app.sender.deliver()).toEqual([]);
  expect(
    await query(
      "SELECT recipients, unreachable FROM call_events WHERE kind = 'call_update' ORDER BY recipients",
    ),
  ).toEqual([
    { recipients: 0, unreachable: 0 },
    { recipients: 1, unreachable: 1 },
  ]);
});

it('a follower whose chat is unknown to Telegram is disconnected and not retried', async () => {
  await queueUpdate();
  await query("UPDATE telegram_links SET chat_id = '999999999'");
  expect(await app.sender.deliver()).toEqual([]);
  expect(await accountOf(follower)).toMatchObject({ telegramConnected: false });
});

it.each([
  { status: 429, delay: 3 },
  { status: 500, delay: 10 },
])(
  'a $status response for one chat delays no other chat, and the chat’s message arrives later',
  async ({ status, delay }) => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const chats: number[] = [];
    for (const handle of ['one_x', 'two_x', 'three_x']) {
      const person = await app.signIn(handle);
      await subscribe(person);
      chats.push(await connectTelegram(app, person));
    }
    await sendUpdate('All three.');
    await failTelegram({ status, count: 1 });
    expect(await app.sender.deliver()).toEqual([delay]);
    expect((await Promise.all(chats.map(writtenTo))).flat()).toHaveLength(2);
    expect(await app.sender.deliver()).toEqual([]);
    expect((await Promise.all(chats.map(writtenTo))).map(({ length }) => length)).toEqual([1, 1, 1]);
  },
);

it('a message that fails for an hour is counted as failed, stored for operators and raises an alarm', async () => {
  const lines: unknown[] = [];
  const save = (line: string) => void lines.push(JSON.parse(line));
  vi.spyOn(console, 'warn').mockImplementation(save);
  vi.spyOn(console, 'error').mockImplementation(save);
  const chatId = await queueUpdate();
  await failTelegram({ status: 500, count: 1 });
  expect(await app.sender.deliver()).toEqual([10]);
  const [{ eventId, userId } = { eventId: '', userId: '' }] = await app.sender.waiting();
  expect(lines.splice(0)).toEqual([
    expect.objectContaining({ event: 'notification.failed', eventId, userId, attempts: 1 }),
  ]);
  await app.advance(NOTIFICATION_LIFETIME_MS);
  expect(await app.sender.deliver()).toEqual([]);
  const error = expect.stringContaining('500') as string;
  const counts = { channel: 'telegram', events: 1, messages: 1 };
  expect(lines.splice(0)).toEqual([
    { event: 'alarm', kind: 'notifications.failed', ...counts, first: eventId, error },
  ]);
  const unresolved = { resolved_at: null, resend_at: null };
  expect(await query('SELECT * FROM failed_deliveries')).toEqual([
    { id: expect.any(String), event_id: eventId, messages: 1, error, at: app.clock.now(), ...unresolved },
  ]);
  expect(
    await query(
      "SELECT recipients, delivered, unreachable, failed FROM call_events WHERE kind = 'call_update'",
    ),
  ).toEqual([{ recipients: 1, delivered: 0, unreachable: 0, failed: 1 }]);
  expect(await writtenTo(chatId)).toEqual([]);
  await app.sender.add(callEvent(eventId, caller.id));
  expect([await app.sender.deliver(), await writtenTo(chatId)]).toEqual([[], []]);
});

it.each([
  ['an hour old is given up without sending', NOTIFICATION_LIFETIME_MS, 0, 1],
  ['just under an hour old is sent', NOTIFICATION_LIFETIME_MS - SECOND_MS, 1, 0],
])('an event that is %s', async (_what, age, sent, failed) => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const chatId = await queueUpdate();
  await app.advance(age);
  expect(await app.sender.deliver()).toEqual([]);
  expect(await writtenTo(chatId)).toHaveLength(sent);
  expect(await query('SELECT messages, error FROM failed_deliveries')).toEqual(
    Array.from({ length: failed }, () => ({ messages: 0, error: 'Not sent in time' })),
  );
});

it.each([
  ['responds with 500', { status: 500 }, [10, 20, 40]],
  ['responds with 400', { status: 400 }, [10, 20, 40]],
  ['closes the connection', { drop: true }, [60, 300, 900]],
])(
  'a message is retried with growing delays when Telegram %s, and arrives once',
  async (_how, fault, delays) => {
    const chatId = await queueUpdate();
    await failTelegram({ ...fault, count: delays.length });
    for (const delay of delays) expect(await app.sender.deliver()).toEqual([delay]);
    expect(await accountOf(follower)).toMatchObject({ telegramConnected: true });
    expect(await app.sender.deliver()).toEqual([]);
    expect(await writtenTo(chatId)).toHaveLength(1);
  },
);

it('the sender sends one message to a chat, even if the event is added many times', async () => {
  const chatId = await queueUpdate();
  const [id = ''] = await app.sender.events();
  for (let times = 0; times < 3; times += 1) {
    await Promise.all(Array.from({ length: 8 }, () => app.sender.add(callEvent(id, caller.id))));
    expect(await app.sender.deliver()).toEqual([]);
  }
  expect(await writtenTo(chatId)).toHaveLength(1);
});

it('the sender sends a follower at most five messages a minute about one caller, and the rest later', async () => {
  const chatId = await queueUpdate('Update 1.');
  const { caller: other } = await createPaidCaller(app, { handle: 'other_calls' });
  await pay({ person: follower, callerId: other.id });
  for (const number of [2, 3, 4, 5, 6, 7]) await sendUpdate(`Update ${number}.`);
  await makeCall({ caller: other, mint: MINTS.JUP, price: 1 });
  // The seventh update waits for the sixth one.
  expect(await app.sender.deliver()).toEqual([60, null]);
  expect(await writtenTo(chatId)).toHaveLength(6);
  await app.advance(MINUTE_MS);
  expect(await app.sender.deliver()).toEqual([]);
  const texts = (await writtenTo(chatId)).map((text) => /Update \d|other_calls/.exec(text)?.[0]);
  expect(texts.toSorted()).toEqual([
    ...[1, 2, 3, 4, 5, 6, 7].map((number) => `Update ${number}`),
    'other_calls',
  ]);
});

it('the sender sends no message for an unknown event', async () => {
  const chatId = await queueUpdate();
  await app.sender.deliver();
  await app.sender.add(callEvent('call_update:nothing', caller.id));
  expect(await app.sender.deliver()).toEqual([]);
  expect([(await writtenTo(chatId)).length, await app.sender.events()]).toEqual([1, []]);
});
