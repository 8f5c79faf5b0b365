import { beforeEach, expect, it, vi } from 'vitest';
import { BOT_COMMANDS } from '#schema/constants/messages.ts';
import { DAY_MS, SECOND_MS } from '#schema/constants/time.ts';
import type { CurrentUser } from '#schema/contracts/users.ts';
import { readResponse } from '#test/responses.ts';
import { createCaller } from '#test/people/callers.ts';
import { query, readDatabase } from '#test/database/database.ts';
import {
  requestLink,
  connectTelegram,
  openChat,
  pressUpdate,
  memberUpdate,
  postUpdate,
  takeReply,
  pressStart,
  textUpdate,
  writeToBot,
} from '#test/messages/telegram.ts';
import { createTestApp, testEnv, type Person, type TestApp } from '#test/test-app.ts';

const SETTINGS = 'https://solcallers.test/settings/notifications';
let app: TestApp;
let person: Person;
let chatId: number;

beforeEach(async () => {
  app = await createTestApp();
  person = await app.signIn('mina_x');
  chatId = await connectTelegram(app, person);
});

const write = (text: string, options: { chatId?: number; at?: number } = {}) =>
  writeToBot({ app, chatId, text, ...options });
const accountOf = () => readResponse<CurrentUser>(person.get('/api/auth/user'));
const isConnected = async () => (await accountOf()).telegramConnected;
const postMemberUpdate = (status: string, at?: number) =>
  postUpdate(app, memberUpdate({ chatId, status, ...(at === undefined ? {} : { at }) }));
/** Connects the same chat again with a new link for the same username. */
const connectAgain = async () =>
  pressStart({ app, chatId, payload: await requestLink(person, (await accountOf()).telegramHandle ?? '') });

it('/stop disconnects the chat, sets the handle to pending, and says how to reconnect', async () => {
  const { telegramHandle } = await accountOf();
  const response = await write('/stop');
  expect(response).toMatch(
    /^Disconnected from @\u2060mina_x\. This chat gets no more messages, and you are removed from callers’ chats/,
  );
  expect(response.endsWith(SETTINGS)).toBe(true);
  expect(await accountOf()).toMatchObject({ telegramHandle, telegramConnected: false });
  expect(await connectAgain()).toMatch(/^Connected/);
  expect(await isConnected()).toBe(true);
});

it('/stop in an unconnected chat says that nothing is connected, and changes nothing', async () => {
  const expectNothingStopped = async (chat: number) => {
    const before = await readDatabase();
    expect(await write('/stop', { chatId: chat })).toMatch(
      /^This chat isn't connected to a SolCallers account, so it gets no messages/,
    );
    expect(await readDatabase()).toEqual(before);
  };
  await expectNothingStopped(42);
  await write('/stop');
  await expectNothingStopped(chatId);
});

it('a /stop that Telegram repeats after a reconnection does not disconnect the chat', async () => {
  const at = app.clock.now();
  await write('/stop', { at });
  await app.advance(5 * SECOND_MS);
  await connectAgain();
  expect(await write('/stop', { at })).toMatch(
    /^You reconnected this chat to @\u2060mina_x after you sent \/stop/,
  );
  expect(await isConnected()).toBe(true);
  await write('/stop', { at: app.clock.now() });
  expect(await isConnected()).toBe(false);
});

it('/status and /start without a link show the account and its settings, and change nothing', async () => {
  const before = await readDatabase();
  const status = await write('/status');
  expect(status).toBe(
    `Connected to @\u2060mina_x on SolCallers.\n\nYou follow: 0 callers\nMuted: no callers\nSwitched off: nothing\n\nChange these settings: ${SETTINGS}`,
  );
  expect(await pressStart({ app, chatId, payload: '' })).toBe(status);
  expect(await readDatabase()).toEqual(before);
});

it('/status counts followed and muted callers and names the kinds of messages that are switched off', async () => {
  const follow = async (handle: string) => {
    const { id: callerId } = await createCaller(app, handle);
    await readResponse(person.post('/api/subscriptions/free', { callerId }), 201);
    return callerId;
  };
  const [muted, , past] = [
    await follow('amara_calls'),
    await follow('bea_calls'),
    await follow('past_calls'),
  ];
  const tomorrow = app.clock.now() + DAY_MS;
  await query('UPDATE subscriptions SET ends_at = ? WHERE caller_id = ?', tomorrow, past);
  await readResponse(person.put(`/api/user/notifications/mutes/${muted}`));
  for (const kind of ['call_ended', 'payment_received']) {
    await readResponse(person.patch('/api/user/notifications', { kind, isOn: false }));
  }
  expect(await write('/status')).toContain(
    'You follow: 3 callers\nMuted: 1 caller\nSwitched off: ended calls, payments you receive',
  );
  await app.advance(DAY_MS);
  expect(await write('/status')).toContain('You follow: 2 callers\n');
});

it('/status explains how to connect if the chat is not connected', async () => {
  expect(await write('/status', { chatId: 42 })).toBe(
    `This chat isn't connected to a SolCallers account. To connect it, open your settings and press Connect Telegram: ${SETTINGS}`,
  );
});

it('a bot command ignores case', async () => {
  expect(await write('/Status')).toBe(await write('/status'));
  for (const text of [
    '/STOP',
    `/sToP@${testEnv.TELEGRAM_BOT_USERNAME}`,
    `/Stop@${testEnv.TELEGRAM_BOT_USERNAME.toUpperCase()} please`,
  ]) {
    expect(await write(text)).toMatch(/^Disconnected from/);
    const { telegramHandle, telegramConnected } = await accountOf();
    expect(telegramConnected).toBe(false);
    const start = `/START ${await requestLink(person, telegramHandle ?? '')}`;
    expect(await writeToBot({ app, chatId, text: start, username: telegramHandle })).toMatch(/^Connected\./);
  }
});

it('a message that is no command gets one short reply that lists the commands', async () => {
  const before = await readDatabase();
  const texts = [
    '/help',
    'hello',
    '/stopp',
    '/constructor x',
    '/__proto__',
    '/start@another_bot x',
    '/STOP@another_bot',
    'STOP',
    '/',
    '🪁',
    'stop',
  ];
  for (const text of texts) {
    const response = await write(text);
    for (const { command } of BOT_COMMANDS) expect(response, text).toContain(`/${command}: `);
    expect(response.length).toBeLessThan(400);
  }
  expect(await readDatabase()).toEqual(before);
});

it('a message without text gets the reply that lists the commands', async () => {
  const { text: _text, ...message } = textUpdate({ chatId, text: '' }).message;
  const reply = await takeReply(app, { update_id: 9, message: { ...message, photo: [{ file_id: 'x' }] } });
  expect(reply?.text).toContain('/stop');
});

it('blocking the bot disconnects the chat, and a repeated report or unblocking alone changes nothing', async () => {
  expect((await postMemberUpdate('kicked')).status).toBe(200);
  expect(await accountOf()).toMatchObject({ telegramHandle: expect.any(String), telegramConnected: false });
  const before = await readDatabase();
  for (const status of ['kicked', 'member']) expect((await postMemberUpdate(status)).status).toBe(200);
  expect(await pressStart({ app, chatId, payload: '' })).toMatch(
    /^This is the SolCallers bot[^]*https:\/\/solcallers\.test\/settings/,
  );
  expect(await readDatabase()).toEqual(before);
  expect(await connectAgain()).toMatch(/^Connected/);
});

it('an old report that the bot was blocked does not disconnect a chat that was reconnected since', async () => {
  const at = app.clock.now();
  await app.advance(5 * SECOND_MS);
  await connectAgain();
  await postMemberUpdate('kicked', at);
  expect(await isConnected()).toBe(true);
  await postMemberUpdate('kicked', app.clock.now());
  expect(await isConnected()).toBe(false);
});

it('blocking the bot disconnects a chat that connected in the same second (Telegram’s times are in seconds)', async () => {
  await postMemberUpdate('kicked', app.clock.now());
  expect(await isConnected()).toBe(false);
});

it('a press on a button whose message Telegram doesn’t name gets a response', async () => {
  const requests = vi.spyOn(globalThis, 'fetch');
  const { callback_query: press } = pressUpdate({ chatId: await openChat(), action: 'o:old:yes' });
  const { message: _message, ...query } = press;
  await postUpdate(app, { update_id: 1, callback_query: query });
  await expect
    .poll(() => requests.mock.calls.map(([url]) => String(url).split('/').at(-1)))
    .toContain('answerCallbackQuery');
});

it('a reply to a command goes to the new chat if the group has become a supergroup', async () => {
  const sentTo: number[] = [];
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (_url, init) => {
    const { chat_id: chatId } = JSON.parse(String(init?.body)) as { chat_id: number };
    sentTo.push(chatId);
    const parameters = { migrate_to_chat_id: -200 };
    return chatId === -200
      ? Response.json({
          ok: true,
          result: { message_id: 1, date: 0, chat: { id: -200, type: 'supergroup' } },
        })
      : Response.json({ ok: false, error_code: 400, description: 'Bad Request: upgraded', parameters });
  });
  await postUpdate(app, textUpdate({ chatId: 77, text: '/status' }));
  expect(sentTo).toEqual([77, -200]);
});

it('a reply to a command in a topic goes to that topic', async () => {
  const update = textUpdate({ chatId, text: '/status' });
  const message = { ...update.message, is_topic_message: true, message_thread_id: 7 };
  expect(await takeReply(app, { ...update, message })).toMatchObject({ message_thread_id: 7 });
});
