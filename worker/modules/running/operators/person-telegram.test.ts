import { beforeEach, expect, it, vi } from 'vitest';
import { DELIVERIES_KEPT_MS, NOTIFICATION_LIFETIME_MS } from '#schema/constants/messages.ts';
import { DAY_MS, MINUTE_MS } from '#schema/constants/time.ts';
import type { CurrentUser } from '#schema/contracts/users.ts';
import { utcMinute } from '#schema/rules/text/utc-minute.ts';
import { readResponse } from '#test/responses.ts';
import { createCaller, endCall, makeCall, MINTS } from '#test/people/callers.ts';
import { connectTelegram, requestLink, writeToBot } from '#test/messages/telegram.ts';
import { createOperatedApp, factsOf, readConsole, readSection } from '#test/people/operators.ts';
import { control, type Person, type TestApp } from '#test/test-app.ts';

let app: TestApp;
let operator: Person;
let caller: Person;
let follower: Person;

beforeEach(async () => {
  ({ app, operator } = await createOperatedApp());
  caller = await createCaller(app, 'amara_calls');
  follower = await app.signIn('follower');
  await readResponse(follower.post('/api/subscriptions/free', { callerId: caller.id }), 201);
});

const telegramOf = (id: string) => readSection(operator, `person/${id}`, 'Telegram');
const chatOf = async (id: string) => factsOf(await telegramOf(id))['Chat'];
const failTelegram = (how = {}) =>
  control('POST', '/faults', { service: 'telegram', path: 'sendMessage', status: 503, ...how });
const resultsOf = async () =>
  (await telegramOf(follower.id)).rows.map(({ title, text }) => `${title}: ${text}`);

it('operators see a person’s Telegram connection, switched-off notifications and muted callers', async () => {
  const nothing = { 'Switched off': 'nothing', Muted: 'nobody' };
  expect(factsOf(await telegramOf(follower.id))).toEqual({ Chat: 'Never connected.', ...nothing });
  await requestLink(follower);
  const asked = 'Asked for a link, but never pressed Start.';
  expect(factsOf(await telegramOf(follower.id))).toEqual({ Chat: asked, ...nothing });
  const chatId = await connectTelegram(app, follower);
  await readResponse(follower.patch('/api/user/notifications', { kind: 'call_ended', isOn: false }));
  await readResponse(follower.put(`/api/user/notifications/mutes/${caller.id}`));
  const telegram = await telegramOf(follower.id);
  expect(factsOf(telegram)).toEqual({
    Chat: `Connected since ${utcMinute(app.clock.now())}.`,
    'Switched off': 'Ended calls',
    Muted: '@amara_calls',
  });
  expect(telegram).toMatchObject({ rows: [], none: 'No messages in the last 30 days.' });
  expect(JSON.stringify(await readConsole(operator, `person/${follower.id}`))).not.toContain(String(chatId));
});

it('operators see whether a person sent /stop in the chat or disconnected it in the settings', async () => {
  const chatId = await connectTelegram(app, follower);
  await writeToBot({ app, chatId, text: '/stop' });
  expect(await chatOf(follower.id)).toMatch(/^Blocked the bot, or sent \/stop, on /);
  await connectTelegram(app, follower);
  await readResponse(follower.delete('/api/user/telegram-disconnect'));
  expect(await chatOf(follower.id)).toBe('Not connected now.');
});

it('operators see kind, time and result of a person’s last messages, but no text and no call', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  await connectTelegram(app, follower);
  const call = await makeCall({ caller, mint: MINTS.WIF, price: 2, thesis: 'SECRET thesis' });
  await app.sender.deliver();
  const deliveredAt = new Date(app.clock.now()).toISOString();
  const opened = { title: 'New calls', at: deliveredAt, text: 'Delivered' };
  expect((await telegramOf(follower.id)).rows).toMatchObject([opened]);
  await app.advance(MINUTE_MS);
  await failTelegram({ count: 1 });
  await endCall({ caller, call, price: 3 });
  await app.sender.deliver();
  await readResponse(follower.patch('/api/user/notifications', { kind: 'call_ended', isOn: false }));
  await app.advance(MINUTE_MS);
  await app.sender.deliver();
  const text = JSON.stringify(await readConsole(operator, `person/${follower.id}`));
  expect(await resultsOf()).toEqual([
    'Ended calls: Not sent: switched off, muted, no chat or no access',
    'New calls: Delivered',
  ]);
  for (const secret of [call.id, call.tokenMint, call.tokenSymbol, 'SECRET']) {
    expect(text).not.toContain(secret);
  }
});

it('operators see which messages were given up and which could not reach a chat that blocked the bot', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  await connectTelegram(app, follower);
  await failTelegram();
  await makeCall({ caller, mint: MINTS.WIF, price: 2 });
  await app.sender.deliver();
  expect(await resultsOf()).toEqual(['New calls: Waiting for this time']);
  await app.advance(NOTIFICATION_LIFETIME_MS);
  await app.sender.deliver();
  await control('DELETE', '/faults');
  expect(await resultsOf()).toEqual(['New calls: Failed for its whole lifetime']);
  const { telegramHandle: handle } = await readResponse<CurrentUser>(follower.get('/api/auth/user'));
  await control('POST', '/telegram/block', { handle, isBlocked: true });
  await app.advance(MINUTE_MS);
  await makeCall({ caller, mint: MINTS.JUP, price: 2 });
  await app.sender.deliver();
  expect(await resultsOf()).toEqual([
    'New calls: The chat blocks the bot or no longer exists',
    'New calls: Failed for its whole lifetime',
  ]);
  const left = `Blocked the bot, or sent /stop, on ${utcMinute(app.clock.now())}. The person must connect again.`;
  expect(await chatOf(follower.id)).toBe(left);
  await requestLink(await app.signIn('follower'), handle ?? '');
  expect(await chatOf(follower.id)).toBe(
    'Blocked the bot, or sent /stop, then asked for a new link. The person must connect again.',
  );
});

it('operators see the results of a person’s last ten messages, for 30 days', async () => {
  await connectTelegram(app, follower);
  const call = await makeCall({ caller, mint: MINTS.WIF, price: 2 });
  for (let sent = 0; sent < 11; sent += 1) {
    await app.advance(DAY_MS / 4);
    const body = { callId: call.id, message: `Update ${sent}.` };
    await readResponse(caller.post('/api/telegram/send-update', body));
    await app.sender.deliver();
  }
  expect(await resultsOf()).toEqual(Array.from({ length: 10 }, () => 'Call updates: Delivered'));
  await app.advance(DELIVERIES_KEPT_MS);
  await app.services.outbox.wake();
  operator = await app.signIn('operator');
  expect(await resultsOf()).toEqual([]);
});
