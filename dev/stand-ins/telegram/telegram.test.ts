import { beforeEach, describe, expect, test } from 'vitest';
import { BOT_COMMANDS, GROUP_COMMANDS, TELEGRAM_UPDATES } from '#schema/constants/messages.ts';
import { localBot, localBotToken } from './local-bot.ts';
import { registerWebhook } from '../../telegram/register-webhook.ts';
import { type TestProduct, type TestTelegram, useTestTelegram } from './test-product.ts';

let product: TestProduct;
let telegram: TestTelegram;
useTestTelegram((scene) => void ({ product, telegram } = scene));

const press = (handle: string, payload = '') => telegram.control('start', { handle, payload });
const block = (handle: string) => telegram.control('block', { handle, isBlocked: true });
const texts = () => product.updates('message').map(({ text }) => text);

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
