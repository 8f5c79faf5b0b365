import { beforeEach, describe, expect, test } from 'vitest';
import { BOT_COMMANDS, GROUP_COMMANDS, TELEGRAM_UPDATES } from '#schema/constants/messages.ts';
import { localBot, localBotToken, localWebhookSecret } from './local-bot.ts';
import { registerWebhook } from '../../telegram/register-webhook.ts';
import { type TestProduct, type TestTelegram, useTestTelegram } from './test-product.ts';

let product: TestProduct;
let telegram: TestTelegram;
useTestTelegram((scene) => void ({ product, telegram } = scene));

const press = (handle: string, payload = '') => telegram.control('start', { handle, payload });
const block = (handle: string) => telegram.control('block', { handle, isBlocked: true });
const lastSecret = () => product.received.at(-1)?.headers['x-telegram-bot-api-secret-token'];
const texts = () => product.updates('message').map(({ text }) => text);
const restart = async () => {
  const { environment } = telegram;
  Object.assign(environment, await environment.restart());
};

test('the webhook receives an update about Start, with the payload and the webhook’s secret', async () => {
  const response = await press('@Mina_Tele', 'nonce-1');
  expect(response).toEqual({ chatId: expect.any(Number), isDelivered: true, error: null });
  const id = response.chatId;
  expect(id).toBeGreaterThan(2 ** 32);
  expect(lastSecret()).toBe(localWebhookSecret);
  expect(product.received.map(({ update }) => update)).toEqual([
    {
      update_id: expect.any(Number),
      message: expect.objectContaining({
        text: '/start nonce-1',
        date: Math.floor(telegram.environment.clock.now / 1000),
        from: expect.objectContaining({ id, is_bot: false, username: 'Mina_Tele' }),
        chat: expect.objectContaining({ id, type: 'private', username: 'Mina_Tele' }),
        entities: [{ type: 'bot_command', offset: 0, length: 6 }],
      }),
    },
  ]);
});

test('pressing Start ignores the case of a username', async () => {
  const first = (await press('mina')).chatId;
  expect((await press('MINA')).chatId).toBe(first);
  expect((await press('other')).chatId).not.toBe(first);
});

test('updates that the webhook refused are delivered later in the original order', async () => {
  product.response.fails = 'message';
  expect(await press('mina', 'a')).toMatchObject({
    isDelivered: false,
    error: 'Wrong response from the webhook: 500 Internal Server Error',
  });
  await press('mina', 'b');
  expect((await telegram.bot('getWebhookInfo')).result).toMatchObject({
    pending_update_count: 2,
    last_error_message: expect.stringContaining('500'),
  });
  product.reset();
  expect(await press('mina', 'c')).toMatchObject({ isDelivered: true, error: null });
  expect(texts()).toEqual(['/start a', '/start b', '/start c']);
});

test('the webhook receives the updates of one chat in order', async () => {
  const names = ['press_a', 'press_b', 'press_a', 'press_b', 'press_a'];
  await Promise.all(names.map((name, index) => press(name, String(index))));
  const textsOf = (username: string) =>
    product.updates('message').flatMap(({ from, text }) => (from.username === username ? [text] : []));
  expect(textsOf('press_a')).toEqual(['/start 0', '/start 2', '/start 4']);
  expect(textsOf('press_b')).toEqual(['/start 1', '/start 3']);
});

test('the product can send a message in its response to a webhook update', async () => {
  const { chatId } = await press('mina');
  product.response.reply = JSON.stringify({ method: 'sendMessage', chat_id: chatId, text: 'Connected' });
  await press('mina', 'again');
  const sent = (await telegram.messagesIn(chatId)).at(-1);
  expect(sent).toMatchObject({ from: 'bot', text: 'Connected' });
});

test('the webhook can be set, read and deleted', async () => {
  const { bot } = telegram;
  const url = `${product.url}/hook`;
  const set = await bot('setWebhook', { url, secret_token: 'another', allowed_updates: ['message'] });
  expect(set).toEqual({ ok: true, result: true, description: 'Webhook was set' });
  await press('mina');
  expect(lastSecret()).toBe('another');
  const info = { url, pending_update_count: 0, allowed_updates: ['message'] };
  expect((await bot('getWebhookInfo')).result).toMatchObject(info);
  await block('mina');
  expect(product.received).toHaveLength(1);
  await bot('deleteWebhook');
  expect(await press('mina')).toMatchObject({ isDelivered: false });
  expect((await bot('deleteWebhook', { drop_pending_updates: true })).ok).toBe(true);
  expect((await bot('getWebhookInfo')).result).toMatchObject({ url: '', pending_update_count: 0 });
});

test.each([
  [{ url: 'https://somewhere.example/hook' }, 'of this machine only'],
  [{ url: 'not a url' }, 'of this machine only'],
  [{ url: 'http://127.0.0.1:1/hook', secret_token: 'with spaces' }, 'unallowed characters'],
])('the webhook cannot be set with invalid parameters: %o', async (parameters, reason) => {
  const description = expect.stringContaining(reason);
  const refusal = { ok: false, error_code: 400, description };
  expect(await telegram.bot('setWebhook', parameters)).toMatchObject(refusal);
});

describe('sendMessage', () => {
  let chatId: number;
  beforeEach(async () => void ({ chatId } = await press('mina')));
  const send = (parameters: object) => telegram.bot('sendMessage', { chat_id: chatId, ...parameters });
  const withButton = (url: string) => ({ reply_markup: { inline_keyboard: [[{ text: 'Open', url }]] } });

  test('sendMessage returns and stores the message', async () => {
    const text = 'Call ended: +12.5%';
    expect(await send({ text, ...withButton(product.url) })).toMatchObject({
      ok: true,
      result: { message_id: expect.any(Number), from: localBot, chat: { id: chatId }, text },
    });
    const buttons = [{ text: 'Open', url: product.url }];
    expect((await telegram.messagesIn(chatId)).at(-1)).toMatchObject({ from: 'bot', text, buttons });
  });

  test('sendMessage accepts JSON, forms and queries, and method names in any case', async () => {
    const { request } = telegram.environment;
    const path = `/telegram/bot${localBotToken}/sendmessage`;
    expect((await request(`${path}?chat_id=${chatId}&text=query`)).status).toBe(200);
    const body = new URLSearchParams({ chat_id: String(chatId), text: 'form' });
    expect((await request(path, { method: 'POST', body })).status).toBe(200);
    const all = await telegram.messagesIn(chatId);
    expect(all.slice(-2).map(({ text }) => text)).toEqual(['query', 'form']);
  });

  test.each<[object, string]>([
    [{ chat_id: 42, text: 'hi' }, 'Bad Request: chat not found'],
    [{ chat_id: '@mina', text: 'hi' }, 'Bad Request: chat not found'],
    [{ text: '' }, 'Bad Request: message text is empty'],
    [{ text: 'x'.repeat(4096) }, 'sent'],
    [{ text: 'x'.repeat(4097) }, 'Bad Request: message is too long'],
    [{ text: '<b>bold</b>', parse_mode: 'HTML' }, 'plain text only'],
    [{ text: 'hi', reply_markup: '{broken' }, 'Bad Request'],
    [{ text: 'hi', ...withButton('https://product') }, 'Wrong HTTP URL'],
    [{ text: 'hi', ...withButton('ftp://solcallers.test/') }, 'Wrong HTTP URL'],
    [{ text: 'hi', ...withButton('not a link') }, 'Wrong HTTP URL'],
    [{ text: 'hi', ...withButton('https://solcallers.test/call/1') }, 'sent'],
    [{ text: 'hi', ...withButton('http://localhost:8787/call/1') }, 'sent'],
  ])('the result of sendMessage with %j is: %s', async (parameters, result) => {
    const { ok, description } = await send(parameters);
    expect(ok).toBe(result === 'sent');
    expect(description ?? 'sent').toEqual(expect.stringContaining(result));
  });

  test('sendMessage fails with 403 if the user blocked the bot, until they press Start again', async () => {
    await block('mina');
    expect(product.updates('my_chat_member').at(-1).new_chat_member.status).toBe('kicked');
    expect(await send({ text: 'hello?' })).toEqual({
      ok: false,
      error_code: 403,
      description: 'Forbidden: bot was blocked by the user',
    });
    await press('mina');
    expect((await send({ text: 'hello!' })).ok).toBe(true);
  });

  test('chats, messages, commands and the webhook survive a restart of the local Telegram', async () => {
    const commands = [{ command: 'stop', description: 'Disconnect <this> chat' }];
    expect(await telegram.bot('setMyCommands', { commands })).toEqual({ ok: true, result: true });
    await telegram.bot('setWebhook', { url: `${product.url}/hook`, secret_token: 'kept' });
    await send({ text: 'Remember me' });
    await restart();
    expect((await telegram.messagesIn(chatId)).at(-1)).toMatchObject({ text: 'Remember me' });
    expect((await press('mina')).chatId).toBe(chatId);
    expect(lastSecret()).toBe('kept');
    expect(await telegram.bot('getMyCommands')).toEqual({ ok: true, result: commands });
  });
});

test('sendMessage refuses a 31st message in a second, and a sixth message in one chat within 5 seconds', async () => {
  const { bot, environment } = telegram;
  const ids: number[] = [];
  for (let number = 0; number < 7; number += 1) ids.push((await press(`reader_${number}`)).chatId);
  const send = (chatId: number | undefined) => bot('sendMessage', { chat_id: chatId, text: 'more' });
  for (let number = 0; number < 30; number += 1) expect((await send(ids[number % 6])).ok).toBe(true);
  const refused = (seconds: number) => ({
    ok: false,
    error_code: 429,
    description: `Too Many Requests: retry after ${seconds}`,
    parameters: { retry_after: seconds },
  });
  expect(await send(ids[6])).toEqual(refused(1));
  expect(await send(ids[0])).toEqual(refused(5));
  expect((await bot('getMe')).ok).toBe(true);
  environment.clock.now += 1_000;
  expect((await send(ids[6])).ok).toBe(true);
  expect(await send(ids[0])).toEqual(refused(4));
  environment.clock.now += 4_000;
  expect((await send(ids[0])).ok).toBe(true);
});

test.each([['stop'], [[{ command: 'Stop!', description: 'x' }]], [[{ command: 'stop', description: '' }]]])(
  'the bot’s commands cannot be set to %j',
  async (commands) => {
    expect((await telegram.bot('setMyCommands', { commands })).error_code).toBe(400);
  },
);

test('registerWebhook sets the webhook, the update kinds and the commands', async () => {
  const vars = {
    TELEGRAM_API_URL: `${telegram.environment.url}/telegram`,
    TELEGRAM_BOT_TOKEN: localBotToken,
    TELEGRAM_WEBHOOK_SECRET: 'another-secret',
  };
  await registerWebhook({ productUrl: product.url, vars });
  expect((await telegram.bot('getWebhookInfo')).result).toMatchObject({
    url: `${product.url}/api/telegram/webhook`,
    allowed_updates: TELEGRAM_UPDATES,
  });
  const commandsOf = async (type: string) =>
    (await telegram.bot('getMyCommands', { scope: { type } })).result;
  expect(await commandsOf('all_private_chats')).toEqual(BOT_COMMANDS);
  expect(await commandsOf('all_group_chats')).toEqual(GROUP_COMMANDS);
  await expect(registerWebhook({ productUrl: 'https://elsewhere.example', vars })).rejects.toThrow(
    'refused setWebhook',
  );
});

test('getMe returns the bot, and unknown methods and malformed tokens get a 404', async () => {
  expect(await telegram.bot('getMe')).toMatchObject({ ok: true, result: localBot });
  const notFound = { ok: false, error_code: 404, description: 'Not Found' };
  expect(await telegram.bot('sendGift')).toEqual(notFound);
  expect(await telegram.bot('function Object() { [native code] }')).toEqual(notFound);
  expect((await telegram.environment.request('/telegram/bot123:x/getMe')).body).toEqual(notFound);
});

test('the deep link opens the chat page, whose Start button starts the bot', async () => {
  const { request, url } = telegram.environment;
  const page = await request(`/telegram/${localBot.username}?start=%22%3Cb%3E`);
  expect(page.status).toBe(200);
  expect(page.body).toContain('name="start" value="&quot;&lt;b&gt;"');
  expect((await request('/telegram/some_other_bot')).status).toBe(404);
  const headers = { origin: url, 'sec-fetch-site': 'same-origin' };
  const body = new URLSearchParams({ handle: '@mina', payload: 'n' });
  const started = await request('/telegram/_chat/start', { method: 'POST', headers, body });
  expect(started.headers.get('location')).toBe('/telegram?as=mina');
  const chat = await request('/telegram?as=mina');
  expect(chat.body.match(/<p>\/start n<\/p>/g)).toHaveLength(1);
});
