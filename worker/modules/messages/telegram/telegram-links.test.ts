import { beforeEach, describe, expect, it, vi } from 'vitest';
import { MAX_BODY_BYTES, RATE_LIMITS } from '#schema/constants/app.ts';
import { MAX_TELEGRAM_UPDATE_BYTES, TELEGRAM_START_LINK_MS } from '#schema/constants/messages.ts';
import type { ConnectTelegramResponse } from '#schema/contracts/notifications.ts';
import type { CurrentUser } from '#schema/contracts/users.ts';
import { hashToken } from '../../../shared/secrets.ts';
import { expectRefusal, expectRefusalWithoutTrace, readResponse } from '#test/responses.ts';
import { query, readDatabase } from '#test/database/database.ts';
import { interceptDatabase } from '#test/database/intercept-database.ts';
import {
  requestLink,
  connectTelegram,
  memberUpdate,
  newHandle,
  openChat,
  postUpdate,
  pressStart,
  takeReply,
  textUpdate,
  writeToBot,
  writtenTo,
} from '#test/messages/telegram.ts';
import { control, createTestApp, testEnv, type Person, type TestApp } from '#test/test-app.ts';
import { createTestLimits } from '#test/test-limits.ts';

let app: TestApp;
let person: Person;

beforeEach(async () => {
  app = await createTestApp();
  person = await app.signIn('mina_x');
});

const connect = (telegramHandle: string, requester = person) =>
  requester.post('/api/user/telegram-connect', { telegramHandle });
const disconnect = (requester = person) => requester.delete('/api/user/telegram-disconnect');
const accountOf = (requester = person) => readResponse<CurrentUser>(requester.get('/api/auth/user'));
const links = () =>
  query('SELECT user_id, handle, chat_id, start_nonce_hash FROM telegram_links ORDER BY user_id');
const DEAD_LINK = /^This link doesn't work anymore/;

// Specification 4.30
it('connecting Telegram saves the typed handle as pending and returns a link whose nonce is stored only as a hash', async () => {
  const response = await readResponse<ConnectTelegramResponse>(connect(' @Mina_Tele '));
  expect(response).toMatchObject({
    telegramHandle: 'Mina_Tele',
    message: expect.stringContaining('press Start'),
  });
  const prefix = `${testEnv.TELEGRAM_LINK_URL}/${testEnv.TELEGRAM_BOT_USERNAME}?start=`;
  expect(response.startUrl.startsWith(prefix)).toBe(true);
  // The nonce has 256 bits in base64url. Telegram allows payloads of 64 characters.
  const nonce = response.startUrl.slice(prefix.length);
  expect(nonce).toMatch(/^[\w-]{43}$/);
  expect(await accountOf()).toMatchObject({ telegramHandle: 'Mina_Tele', telegramConnected: false });
  const start_nonce_hash = hashToken(nonce);
  expect(await links()).toMatchObject([{ user_id: person.id, chat_id: null, start_nonce_hash }]);
  expect(JSON.stringify(await readDatabase())).not.toContain(nonce);
});

// Specification 4.31, 4.32, 6.13
it('pressing Start with the newest link connects the chat, saves its username, and the reply names the account', async () => {
  const chatId = await openChat();
  await requestLink(person, 'older_name');
  const payload = await requestLink(person);
  expect(await pressStart({ app, chatId, payload, username: 'another_name' })).toMatch(
    /^Connected\. This chat now gets the messages for @\u2060mina_x on SolCallers\./,
  );
  expect(await accountOf()).toMatchObject({ telegramHandle: 'another_name', telegramConnected: true });
  expect(await links()).toMatchObject([{ chat_id: String(chatId), start_nonce_hash: null }]);
});

// Specification 5.21
it('connecting Telegram rejects a username that is only an @', async () => {
  const { message } = await expectRefusalWithoutTrace(() => connect('@'), 'telegram.handle_invalid');
  expect(message).toBe('Please enter your Telegram username');
});

it('connecting Telegram needs no username, and Start saves the chat’s username if there is one', async () => {
  const linkOf = async () => {
    const { startUrl, telegramHandle } = await readResponse<ConnectTelegramResponse>(connect(' '));
    expect(telegramHandle).toBeNull();
    return new URL(startUrl).searchParams.get('start') ?? '';
  };
  const chatId = await openChat();
  await pressStart({ app, chatId, payload: await linkOf(), username: null });
  expect(await accountOf()).toMatchObject({ telegramHandle: null, telegramConnected: true });
  await pressStart({ app, chatId, payload: await linkOf(), username: 'Mina_Own' });
  expect(await accountOf()).toMatchObject({ telegramHandle: 'Mina_Own', telegramConnected: true });
  // Another tab may still offer to connect.
  await linkOf();
  expect(await accountOf()).toMatchObject({ telegramHandle: 'Mina_Own', telegramConnected: true });
});

it('changing the Telegram handle disconnects the chat', async () => {
  await connectTelegram(app, person);
  await readResponse(connect('someone_else'));
  expect(await accountOf()).toMatchObject({ telegramHandle: 'someone_else', telegramConnected: false });
  expect(await links()).toEqual([expect.objectContaining({ chat_id: null })]);
});

it('saving the Telegram handle in another letter case does not disconnect the chat, and returns a valid link', async () => {
  const handle = newHandle();
  await pressStart({ app, chatId: await openChat(handle), payload: await requestLink(person, handle) });
  const payload = await requestLink(person, handle.toUpperCase());
  expect(await accountOf()).toMatchObject({
    telegramHandle: handle.toUpperCase(),
    telegramConnected: true,
  });
  const other = await openChat();
  await pressStart({ app, chatId: other, payload });
  expect(await links()).toEqual([expect.objectContaining({ chat_id: String(other) })]);
});

describe('links to the bot', () => {
  let chatId: number;
  beforeEach(async () => {
    chatId = await openChat();
  });

  const expectNothingBound = async (payload: string, words = DEAD_LINK) => {
    const before = await readDatabase();
    expect(await pressStart({ app, chatId, payload })).toMatch(words);
    expect(await readDatabase()).toEqual(before);
  };

  it('a link to the bot can be used only once', async () => {
    const payload = await requestLink(person);
    const first = await openChat();
    await pressStart({ app, chatId: first, payload });
    await expectNothingBound(payload);
    expect(await pressStart({ app, chatId: first, payload })).toMatch(
      /^This chat is already connected to @\u2060mina_x\./,
    );
    expect(await links()).toEqual([expect.objectContaining({ chat_id: String(first) })]);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['a newer link for the same username has replaced it', () => requestLink(person, 'mina_tele')],
    ['a newer link for another username has replaced it', () => requestLink(person, 'renamed_tele')],
    ['the handle was disconnected', () => readResponse(disconnect())],
  ])('a link to the bot connects nothing after %s', async (_what, replace) => {
    const payload = await requestLink(person, 'mina_tele');
    await replace();
    await expectNothingBound(payload);
  });

  // Specification 4.31
  it('a link to the bot expires after a day', async () => {
    const [late, early] = [await requestLink(person), await requestLink(await app.signIn('other_x'))];
    await app.advance(TELEGRAM_START_LINK_MS - 1);
    expect(await pressStart({ app, chatId: await openChat(), payload: early })).toMatch(/^Connected/);
    await app.advance(1);
    await expectNothingBound(late);
  });

  // Specification 4.31
  it('a link to the bot connects nothing if its nonce is unknown or is the stored hash', async () => {
    const hash = hashToken(await requestLink(person));
    const texts = ['nothing', "' OR '1'='1", 'null', 'undefined', '%', 'x'.repeat(4_000), '🪁'];
    for (const payload of [...texts, hash]) await expectNothingBound(payload);
  });

  it('a link to the bot connects nothing in a chat of another account, but stays usable', async () => {
    const owner = await app.signIn('owner_x');
    await pressStart({ app, chatId, payload: await requestLink(owner) });
    const payload = await requestLink(person);
    await expectNothingBound(payload, /^This chat is already connected to another SolCallers account/);
    await readResponse(disconnect(owner));
    expect(await pressStart({ app, chatId, payload })).toMatch(/^Connected.*@\u2060mina_x/);
  });

  it('a link to the bot connects only one of eight chats that press Start at the same time', async () => {
    const payload = await requestLink(person);
    const chats = await Promise.all(Array.from({ length: 8 }, () => openChat()));
    const replies = await Promise.all(chats.map((each) => pressStart({ app, chatId: each, payload })));
    expect(replies.filter((reply) => reply.startsWith('Connected'))).toHaveLength(1);
    expect(replies.filter((reply) => DEAD_LINK.test(reply))).toHaveLength(7);
  });

  it('if the links of two accounts are used in one chat at the same time, only one account is connected', async () => {
    const payloads = [await requestLink(person), await requestLink(await app.signIn('other_x'))];
    const replies = await Promise.all(payloads.map((payload) => pressStart({ app, chatId, payload })));
    expect(replies.filter((reply) => reply.startsWith('Connected'))).toHaveLength(1);
    expect((await links()).filter((link) => link['chat_id'] === String(chatId))).toHaveLength(1);
  });
});

// Specification 4.33, 8.36
it('disconnecting Telegram deletes the user’s own handle and chat, and can be repeated', async () => {
  const other = await app.signIn('other_x');
  for (const each of [other, person]) await connectTelegram(app, each);
  for (let times = 0; times < 2; times += 1) {
    expect(await readResponse(disconnect())).toEqual({ message: 'Telegram Disconnected' });
    expect(await accountOf()).toMatchObject({ telegramHandle: null, telegramConnected: false });
  }
  const left = (await links()).filter((link) => link['chat_id'] !== null || link['handle'] !== null);
  expect(left).toMatchObject([{ user_id: other.id, chat_id: expect.any(String) as string }]);
});

const expectNoResponse = async (update: unknown) => {
  const before = await readDatabase();
  expect(await takeReply(app, update)).toBeNull();
  expect(await readDatabase()).toEqual(before);
};
const handleOf = ([link]: Record<string, unknown>[]) => String(link?.['handle']);

it('Telegram’s webhook rejects a wrong secret', async () => {
  const text = `/start ${await requestLink(person)}`;
  const right = testEnv.TELEGRAM_WEBHOOK_SECRET;
  for (const secret of [null, '', 'another-secret-of-some-length', right.slice(0, -1), `${right}x`]) {
    await expectRefusalWithoutTrace(
      () => postUpdate(app, textUpdate({ chatId: 42, text }), secret),
      'telegram.secret_invalid',
    );
  }
});

it('Telegram’s webhook rejects a body that is no update', async () => {
  for (const body of ['', '{', 'null', '[]', '{}', '{"update_id":"1"}']) {
    await expectRefusal(postUpdate(app, body), 'request.invalid');
  }
});

it('Telegram’s webhook accepts malformed updates without a reply, because Telegram would repeat a refused update', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const { message } = textUpdate({ chatId: 42, text: `/start ${await requestLink(person)}` });
  const oddStarts: readonly object[] = [
    { chat: undefined },
    { chat: { type: 'private', first_name: 'Tele' } },
    { chat: { id: '42', type: 'private', first_name: 'Tele' } },
    { chat: { id: 42, type: {} } },
    { from: null },
    { from: { id: 42, username: 7 } },
    { text: 42 },
    { entities: 'bold' },
    { entities: [{ type: 'bot_command', offset: '0', length: '6' }] },
    { date: 'today' },
  ];
  for (const odd of [
    ...oddStarts.map((changes) => ({ message: { ...message, ...changes } })),
    { message: null },
    { message: [] },
    { message: 'x' },
    { my_chat_member: 7 },
    { my_chat_member: { chat: { id: 42, type: 'private' } } },
  ]) {
    await expectNoResponse({ update_id: 7, ...odd });
  }
});

it('Telegram’s webhook replies to a chat even if other chats send many messages from the same address', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const payload = await requestLink(person);
  const crowd = Array.from({ length: RATE_LIMITS.reads }, (_, index) =>
    postUpdate(app, textUpdate({ chatId: 1_000 + index, text: '/status' })),
  );
  expect(new Set((await Promise.all(crowd)).map(({ status }) => status))).toEqual(new Set([200]));
  await pressStart({ app, chatId: await openChat(), payload });
  expect(await accountOf()).toMatchObject({ telegramConnected: true });
});

it('Telegram’s webhook sends no reply to a chat after 60 messages in a minute', async () => {
  const clock = { now: () => 0, sleep: () => Promise.resolve() };
  app = await createTestApp({ bindings: createTestLimits(clock) });
  const send = () => takeReply(app, textUpdate({ chatId: 4_242, text: '/start junk' }));
  for (let sent = 0; sent < RATE_LIMITS.writes; sent++) expect(await send()).not.toBeNull();
  await expectNoResponse(textUpdate({ chatId: 4_242, text: '/start junk' }));
});

it('replies beyond Telegram’s rate limit are sent later', async () => {
  const chatId = await connectTelegram(app, person);
  await control('POST', '/telegram/limits', { isEnforced: true });
  for (let sent = 0; sent < 12; sent++) {
    expect((await postUpdate(app, textUpdate({ chatId, text: '/status' }))).status).toBe(200);
  }
  expect(await writtenTo(chatId)).toHaveLength(12);
});

it('a reply that Telegram keeps refusing is logged, and the webhook still returns 200', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const chatId = await connectTelegram(app, person);
  await control('POST', '/faults', { service: 'telegram', status: 500, path: 'sendMessage', count: 100 });
  expect((await postUpdate(app, textUpdate({ chatId, text: '/status' }))).status).toBe(200);
  expect(warn.mock.calls.join('\n')).toContain('telegram.reply_lost');
});

it('Telegram’s webhook accepts the largest message that Telegram sends and rejects larger bodies', async () => {
  const text = '\u{1FA81}'.repeat(2_048);
  const update = textUpdate({ chatId: 42, text });
  const escaped = (body: object) =>
    JSON.stringify(body).replace(/[^\0-\u{7f}]/gu, (each) =>
      [...Array(each.length).keys()].map((at) => `\\u${each.charCodeAt(at).toString(16)}`).join(''),
    );
  const entities = Array.from({ length: 100 }, () => ({
    type: 'custom_emoji',
    offset: 0,
    length: 2,
    custom_emoji_id: '5368324170671202286',
  }));
  const replied = {
    ...update,
    message: {
      ...update.message,
      entities,
      reply_to_message: { ...update.message, entities },
      quote: { text: text.slice(0, 2_048), position: 0, entities },
    },
  };
  expect(escaped(replied).length).toBeGreaterThan(MAX_BODY_BYTES);
  expect((await postUpdate(app, escaped(replied))).status).toBe(200);
  await expectRefusal(
    postUpdate(app, { ...update, extra: 'x'.repeat(MAX_TELEGRAM_UPDATE_BYTES) }),
    'request.too_large',
  );
});

it('Telegram’s webhook returns 500 if the database fails, so that Telegram repeats the update', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const payload = await requestLink(person);
  let isDown = true;
  const DB = interceptDatabase(testEnv.DB, async (_query, run) => {
    if (isDown) throw new Error('D1 is down');
    return run();
  });
  const failing = await createTestApp({ bindings: { DB } });
  const press = { chatId: 42, text: `/start ${payload}`, username: handleOf(await links()) };
  await expectRefusalWithoutTrace(() => postUpdate(failing, textUpdate(press)), 'server.failed');
  isDown = false;
  expect(await writeToBot({ app: failing, ...press })).toMatch(/^Connected/);
  const before = await readDatabase();
  expect(await writeToBot({ app: failing, ...press })).toMatch(
    /^This chat is already connected to @\u2060mina_x/,
  );
  expect(await readDatabase()).toEqual(before);
});

it('Telegram’s webhook ignores group messages, block reports of strangers and unknown updates', async () => {
  const payload = await requestLink(person);
  const started = textUpdate({ chatId: 42, text: `/start ${payload}` });
  for (const update of [
    textUpdate({ chatId: -42, text: `/start ${payload}`, type: 'group' }),
    ...['/stop', '/status', '/help', 'hello'].map((text) => textUpdate({ chatId: -42, text, type: 'group' })),
    memberUpdate({ chatId: -42, status: 'kicked', type: 'group' }),
    memberUpdate({ chatId: 42, status: 'kicked' }),
    memberUpdate({ chatId: 42, status: 'member' }),
    { update_id: 2 },
    // A service message, such as a pinned message.
    { update_id: 3, message: { ...started.message, text: undefined, entities: undefined } },
    { update_id: 4, edited_message: started.message },
    { update_id: 5, something_new: { from: 'Telegram' } },
  ]) {
    await expectNoResponse(update);
  }
});
