import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestEnvironment, type LooseJson, type TestEnvironment } from '../controls/test-environment.ts';
import { BOT_COMMANDS, GROUP_COMMANDS, TELEGRAM_UPDATES } from '#schema/constants.ts';
import { localBot, localBotToken, localWebhookSecret } from './local-bot.ts';
import { registerWebhook } from './register-webhook.ts';

/** A fake webhook of the product: the updates that it received, and the response to send. */
const product = {
  received: [] as { headers: IncomingHttpHeaders; update: LooseJson }[],
  status: 200,
  reply: '',
};
let server: Server;
let productUrl: string;
let environment: TestEnvironment;

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => (body += part));
    request.on('end', () => {
      product.received.push({ headers: request.headers, update: JSON.parse(body) });
      response.writeHead(product.status, { 'content-type': 'application/json' }).end(product.reply);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  productUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());
beforeEach(async () => {
  Object.assign(product, { received: [], status: 200, reply: '' });
  environment = await startTestEnvironment({ productUrl });
});
afterEach(() => environment.end());

const bot = (method: string, json: object = {}) =>
  environment.request(`/telegram/bot${localBotToken}/${method}`, { json });
const press = (handle: string, payload = '') =>
  environment.request('/_control/telegram/start', { json: { handle, payload } });

describe('the webhook', () => {
  test('the webhook receives Start with its payload and the secret', async () => {
    const { body } = await press('@Mina_Tele', 'nonce-1');
    expect(body).toEqual({ chatId: expect.any(Number), isDelivered: true, error: null });
    expect(body.chatId).toBeGreaterThan(2 ** 32);
    expect(product.received).toHaveLength(1);
    expect(product.received[0]?.headers['x-telegram-bot-api-secret-token']).toBe(localWebhookSecret);
    expect(product.received[0]?.update).toMatchObject({
      update_id: expect.any(Number),
      message: {
        text: '/start nonce-1',
        date: Math.floor(environment.clock.now / 1000),
        from: { id: body.chatId, is_bot: false, username: 'Mina_Tele' },
        chat: { id: body.chatId, type: 'private', username: 'Mina_Tele' },
        entities: [{ type: 'bot_command', offset: 0, length: 6 }],
      },
    });
  });

  test('pressing Start ignores the case of a username', async () => {
    const first = (await press('mina')).body.chatId;
    expect((await press('MINA')).body.chatId).toBe(first);
    expect((await press('other')).body.chatId).not.toBe(first);
  });

  test('undelivered updates wait for the webhook in order, with the error', async () => {
    product.status = 500;
    expect((await press('mina', 'a')).body).toMatchObject({
      isDelivered: false,
      error: 'Wrong response from the webhook: 500 Internal Server Error',
    });
    await press('mina', 'b');
    expect((await bot('getWebhookInfo')).body.result).toMatchObject({
      pending_update_count: 2,
      last_error_message: expect.stringContaining('500'),
    });
    Object.assign(product, { status: 200, received: [] });
    expect((await press('mina', 'c')).body).toMatchObject({ isDelivered: true, error: null });
    const texts = product.received.map(({ update }) => update.message.text);
    expect(texts).toEqual(['/start a', '/start b', '/start c']);
  });

  test('the webhook receives each update once, and those of one chat in order', async () => {
    const names = ['press_a', 'press_b', 'press_a', 'press_b', 'press_a'];
    await Promise.all(names.map((name, index) => press(name, String(index))));
    const textsOf = (username: string) =>
      product.received
        .filter(({ update }) => update.message.from.username === username)
        .map(({ update }) => update.message.text);
    expect(textsOf('press_a')).toEqual(['/start 0', '/start 2', '/start 4']);
    expect(textsOf('press_b')).toEqual(['/start 1', '/start 3']);
  });

  test('the product can send a message in its response to a webhook update', async () => {
    const chatId = (await press('mina')).body.chatId;
    product.reply = JSON.stringify({ method: 'sendMessage', chat_id: chatId, text: 'Connected' });
    await press('mina', 'again');
    expect((await environment.request(`/_control/messages?chatId=${chatId}`)).body.at(-1)).toMatchObject({
      from: 'bot',
      text: 'Connected',
    });
  });

  test('the webhook can be set, read and deleted', async () => {
    const set = await bot('setWebhook', {
      url: `${productUrl}/hook`,
      secret_token: 'another-secret',
      allowed_updates: ['message'],
    });
    expect(set.body).toEqual({ ok: true, result: true, description: 'Webhook was set' });
    await press('mina');
    expect(product.received[0]?.headers['x-telegram-bot-api-secret-token']).toBe('another-secret');
    expect((await bot('getWebhookInfo')).body.result).toMatchObject({
      url: `${productUrl}/hook`,
      pending_update_count: 0,
      allowed_updates: ['message'],
    });
    await environment.request('/_control/telegram/block', { json: { handle: 'mina', isBlocked: true } });
    expect(product.received).toHaveLength(1);
    await bot('deleteWebhook');
    expect((await press('mina')).body).toMatchObject({ isDelivered: false });
    expect((await bot('deleteWebhook', { drop_pending_updates: true })).body.ok).toBe(true);
    expect((await bot('getWebhookInfo')).body.result).toMatchObject({ url: '', pending_update_count: 0 });
  });

  test.each([
    [{ url: 'https://somewhere.example/hook' }, 'of this machine only'],
    [{ url: 'not a url' }, 'of this machine only'],
    [{ url: 'http://127.0.0.1:1/hook', secret_token: 'with spaces' }, 'unallowed characters'],
  ])('the webhook cannot be set with invalid parameters: %o', async (parameters, reason) => {
    const { status, body } = await bot('setWebhook', parameters);
    expect(status).toBe(400);
    expect(body).toMatchObject({ ok: false, error_code: 400, description: expect.stringContaining(reason) });
  });
});

describe('sendMessage', () => {
  let chatId: number;
  beforeEach(async () => void ({ chatId } = (await press('mina')).body));

  test('sendMessage returns and stores the message', async () => {
    const { status, body } = await bot('sendMessage', {
      chat_id: chatId,
      text: 'Call ended: +12.5%',
      reply_markup: { inline_keyboard: [[{ text: 'Open', url: productUrl }]] },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ok: true,
      result: {
        message_id: expect.any(Number),
        from: localBot,
        chat: { id: chatId },
        text: 'Call ended: +12.5%',
      },
    });
    const saved = (await environment.request(`/_control/messages?chatId=${chatId}`)).body.at(-1);
    expect(saved).toMatchObject({
      from: 'bot',
      text: 'Call ended: +12.5%',
      buttons: [{ text: 'Open', url: productUrl }],
    });
  });

  test.each([
    ['https://product', 400],
    ['ftp://solcallers.test/', 400],
    ['not a link', 400],
    ['https://solcallers.test/call/1', 200],
    ['http://localhost:8787/call/1', 200],
  ])('sendMessage for a button with the address %s, returns status %i', async (url, expected) => {
    const { status, body } = await bot('sendMessage', {
      chat_id: chatId,
      text: 'A button',
      reply_markup: { inline_keyboard: [[{ text: 'Open', url }]] },
    });
    expect([status, String(body.description).includes('Wrong HTTP URL')]).toEqual([
      expected,
      expected === 400,
    ]);
  });

  test('sendMessage accepts JSON, forms and queries, and method names in any case', async () => {
    const path = `/telegram/bot${localBotToken}/sendmessage`;
    expect((await environment.request(`${path}?chat_id=${chatId}&text=query`)).status).toBe(200);
    expect(
      (
        await environment.request(path, {
          method: 'POST',
          body: new URLSearchParams({ chat_id: String(chatId), text: 'form' }),
        })
      ).status,
    ).toBe(200);
    const all = (await environment.request('/_control/messages')).body;
    expect(all.slice(-2).map(({ text }: { text: string }) => text)).toEqual(['query', 'form']);
  });

  test('sendMessage refuses unknown chats, empty and long texts, and formatting', async () => {
    const refusal = async (parameters: object) =>
      (await bot('sendMessage', { chat_id: chatId, ...parameters })).body.description;
    expect(await refusal({ chat_id: 42, text: 'hi' })).toBe('Bad Request: chat not found');
    expect(await refusal({ chat_id: '@mina', text: 'hi' })).toBe('Bad Request: chat not found');
    expect(await refusal({ text: '' })).toBe('Bad Request: message text is empty');
    expect(await refusal({ text: 'x'.repeat(4097) })).toBe('Bad Request: message is too long');
    expect(await refusal({ text: '<b>bold</b>', parse_mode: 'HTML' })).toContain('plain text only');
    expect(await refusal({ text: 'hi', reply_markup: '{broken' })).toContain('Bad Request');
    expect((await bot('sendMessage', { chat_id: chatId, text: 'x'.repeat(4096) })).status).toBe(200);
  });

  test('sendMessage fails with 403 if the user blocked the bot, until they press Start again', async () => {
    await environment.request('/_control/telegram/block', { json: { handle: 'mina', isBlocked: true } });
    expect(product.received.at(-1)?.update.my_chat_member.new_chat_member.status).toBe('kicked');
    const refused = await bot('sendMessage', { chat_id: chatId, text: 'hello?' });
    expect(refused.status).toBe(403);
    expect(refused.body).toEqual({
      ok: false,
      error_code: 403,
      description: 'Forbidden: bot was blocked by the user',
    });
    await press('mina');
    expect((await bot('sendMessage', { chat_id: chatId, text: 'hello!' })).status).toBe(200);
  });

  test('chats, messages and the webhook survive a restart of the local Telegram', async () => {
    await bot('setWebhook', { url: `${productUrl}/hook`, secret_token: 'kept' });
    await bot('sendMessage', { chat_id: chatId, text: 'Remember me' });
    environment = await environment.restart();
    expect((await environment.request(`/_control/messages?chatId=${chatId}`)).body.at(-1).text).toBe(
      'Remember me',
    );
    expect((await press('mina')).body.chatId).toBe(chatId);
    expect(product.received.at(-1)?.headers['x-telegram-bot-api-secret-token']).toBe('kept');
  });
});

test('sendMessage refuses more than 30 messages a second, and 5 in 5 seconds in one chat, with retry_after', async () => {
  const ids: number[] = [];
  for (let number = 0; number < 7; number += 1) ids.push((await press(`reader_${number}`)).body.chatId);
  const send = (chatId: number | undefined) => bot('sendMessage', { chat_id: chatId, text: 'more' });
  const statuses = [];
  for (let number = 0; number < 30; number += 1) statuses.push((await send(ids[number % 6])).status);
  expect(statuses).toEqual(Array.from({ length: 30 }, () => 200));
  const refused = (seconds: number) => ({
    ok: false,
    error_code: 429,
    description: `Too Many Requests: retry after ${seconds}`,
    parameters: { retry_after: seconds },
  });
  expect((await send(ids[6])).body).toEqual(refused(1));
  expect((await send(ids[0])).body).toEqual(refused(5));
  expect((await bot('getMe')).status).toBe(200);
  environment.clock.now += 1_000;
  expect((await send(ids[6])).status).toBe(200);
  expect((await send(ids[0])).body).toEqual(refused(4));
  environment.clock.now += 4_000;
  expect((await send(ids[0])).status).toBe(200);
});

test("the bot's commands can be set and read, and survive a restart", async () => {
  const commands = [{ command: 'stop', description: 'Disconnect <this> chat' }];
  expect((await bot('setMyCommands', { commands })).body).toEqual({ ok: true, result: true });
  for (const wrong of [
    'stop',
    [{ command: 'Stop!', description: 'x' }],
    [{ command: 'stop', description: '' }],
  ]) {
    expect((await bot('setMyCommands', { commands: wrong })).status).toBe(400);
  }
  environment = await environment.restart();
  expect((await bot('getMyCommands')).body).toEqual({ ok: true, result: commands });
});

test('registerWebhook sets the webhook, the update kinds and the commands', async () => {
  const vars = {
    TELEGRAM_API_URL: `${environment.url}/telegram`,
    TELEGRAM_BOT_TOKEN: localBotToken,
    TELEGRAM_WEBHOOK_SECRET: 'another-secret',
  };
  await registerWebhook({ productUrl, vars });
  expect((await bot('getWebhookInfo')).body.result).toMatchObject({
    url: `${productUrl}/api/telegram/webhook`,
    allowed_updates: TELEGRAM_UPDATES,
  });
  const commandsOf = async (type: string) => (await bot('getMyCommands', { scope: { type } })).body.result;
  expect(await commandsOf('all_private_chats')).toEqual(BOT_COMMANDS);
  expect(await commandsOf('all_group_chats')).toEqual(GROUP_COMMANDS);
  await expect(registerWebhook({ productUrl: 'https://elsewhere.example', vars })).rejects.toThrow(
    'refused setWebhook',
  );
});

test('getMe returns the bot, and unknown methods and malformed tokens get a 404', async () => {
  expect((await bot('getMe')).body).toMatchObject({ ok: true, result: localBot });
  const notFound = { ok: false, error_code: 404, description: 'Not Found' };
  expect((await bot('sendGift')).body).toEqual(notFound);
  expect((await bot('function Object() { [native code] }')).body).toEqual(notFound);
  expect((await environment.request('/telegram/bot123:x/getMe')).body).toEqual(notFound);
});

test('the deep link opens the chat page, and the page’s API refuses requests from other sites', async () => {
  const page = await environment.request(`/telegram/${localBot.username}?start=%22%3Cb%3E`);
  expect(page.status).toBe(200);
  expect(page.body).toContain('name="start" value="&quot;&lt;b&gt;"');
  expect((await environment.request('/telegram/some_other_bot')).status).toBe(404);
  const headers = { origin: environment.url, 'sec-fetch-site': 'same-origin' };
  const start = (from: Record<string, string>) =>
    environment.request('/telegram/_chat/start', {
      method: 'POST',
      headers: from,
      body: new URLSearchParams({ handle: '@mina', payload: 'n' }),
    });
  const started = await start(headers);
  expect(started.headers.get('location')).toBe('/telegram?as=mina');
  const chat = await environment.request('/telegram?as=mina');
  expect(chat.body.match(/<p>\/start n<\/p>/g)).toHaveLength(1);
  const foreign = await start({ origin: productUrl, 'sec-fetch-site': 'same-site' });
  expect(foreign.status).toBe(403);
});
