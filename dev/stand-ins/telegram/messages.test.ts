import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { localBot, localBotToken } from './local-bot.ts';
import { BOT, type TestProduct, type TestTelegram, useTestTelegram } from './test-product.ts';

let product: TestProduct;
let telegram: TestTelegram;
useTestTelegram((scene) => void ({ product, telegram } = scene));

const owner = { as: 'owner_tele' };
const button = (text: string, data: string) => ({ inline_keyboard: [[{ text, callback_data: data }]] });

/** A chat of the owner where the bot is an administrator. */
async function newChatWithBot(type: string, rights?: readonly string[]): Promise<number> {
  const chatId = await telegram.newChat(type, { members: ['member_tele'] });
  await telegram.promoteBot(chatId, rights);
  product.reset();
  return chatId;
}

const send = async (chatId: number, json: object = {}) =>
  (await telegram.bot('sendMessage', { chat_id: chatId, text: 'New call', ...json })).result;

test('a message of a bot without the right to write is refused with the Bot API’s error', async () => {
  const channel = await newChatWithBot('channel', ['can_invite_users']);
  expect(await telegram.refusal('sendMessage', { chat_id: channel, text: 'x' })).toBe(
    'Bad Request: need administrator rights in the channel chat',
  );
  const group = await newChatWithBot('supergroup');
  await telegram.act('restrict', { ...owner, chatId: group, user: BOT });
  expect(await telegram.refusal('sendMessage', { chat_id: group, text: 'x' })).toBe(
    'Bad Request: not enough rights to send text messages to the chat',
  );
});

test('Telegram forwards a channel’s post and its edits into the discussion group', async () => {
  const [channel, group] = [await newChatWithBot('channel'), await newChatWithBot('supergroup')];
  await telegram.act('change-chat', { ...owner, chatId: channel, linkedChatId: group });
  const post = await send(channel, { reply_markup: button('Refresh', 'r') });
  await telegram.delivered();
  expect(product.updates('message')).toEqual([
    expect.objectContaining({
      from: { id: 777_000, is_bot: false, first_name: 'Telegram' },
      sender_chat: expect.objectContaining({ id: channel }),
      chat: expect.objectContaining({ id: group }),
      is_automatic_forward: true,
      forward_origin: expect.objectContaining({ type: 'channel', message_id: post.message_id }),
      text: 'New call',
    }),
  ]);
  expect(product.updates('message')[0].reply_markup).toBeUndefined();
  const place = { chat_id: channel, message_id: post.message_id };
  await telegram.bot('editMessageText', { ...place, text: 'Ended' });
  expect((await telegram.messagesIn(group)).at(-1)).toMatchObject({ text: 'Ended' });
});

test('a group or channel gets at most 20 messages and edits a minute', async () => {
  const group = await newChatWithBot('supergroup');
  const { environment, bot } = telegram;
  for (let number = 0; number < 19; number += 1) {
    expect(await send(group)).toBeDefined();
    environment.clock.now += 1_000;
  }
  const { message_id: messageId } = await send(group);
  environment.clock.now += 1_000;
  const edit = () =>
    bot('editMessageText', { chat_id: group, message_id: messageId, text: String(environment.clock.now) });
  expect(await edit()).toMatchObject({ error_code: 429, parameters: { retry_after: 40 } });
  environment.clock.now += 39_000;
  expect(await edit()).toMatchObject({ error_code: 429, parameters: { retry_after: 1 } });
  environment.clock.now += 1_000;
  expect((await edit()).ok).toBe(true);
  await telegram.control('limits', { isEnforced: false });
  expect((await edit()).ok).toBe(false);
  environment.clock.now += 1;
  expect((await edit()).ok).toBe(true);
});

test('an edit replaces a message’s text and buttons, and is refused if it changes nothing', async () => {
  const group = await newChatWithBot('supergroup');
  const { bot, refusal, act } = telegram;
  const { message_id: messageId } = await send(group, { reply_markup: button('End', 'e') });
  const place = { chat_id: group, message_id: messageId };
  const same = { ...place, text: 'New call', reply_markup: button('End', 'e') };
  expect(await refusal('editMessageText', same)).toMatch(/^Bad Request: message is not modified: /);
  const edited = (await bot('editMessageText', { ...place, text: 'Ended' })).result;
  expect(edited).toMatchObject({ text: 'Ended', edit_date: expect.any(Number) });
  expect(edited.reply_markup).toBeUndefined();
  await act('delete-message', { ...owner, chatId: group, messageId });
  expect(product.received).toEqual([]);
  expect(await refusal('editMessageText', { ...place, text: 'x' })).toBe(
    'Bad Request: message to edit not found',
  );
});

test('the bot edits its own messages only', async () => {
  const group = await newChatWithBot('supergroup', ['can_invite_users']);
  const { act, refusal } = telegram;
  const { messageId } = await act('write', { as: 'member_tele', chatId: group, text: 'gm' });
  const place = { chat_id: group, message_id: messageId };
  expect(await refusal('editMessageText', { ...place, text: 'x' })).toBe(
    "Bad Request: message can't be edited",
  );
});

test('a bot in privacy mode gets no group messages except commands to the bot, replies to the bot and service messages', async () => {
  const group = await telegram.newChat('supergroup', { members: ['member_tele'] });
  const { act } = telegram;
  await act('add', { ...owner, chatId: group, user: BOT });
  product.reset();
  const write = (text: string, replyTo?: number) =>
    act('write', { as: 'member_tele', chatId: group, text, ...(replyTo === undefined ? {} : { replyTo }) });
  await write('gm');
  await write('/stats');
  await write('/stats@other_bot');
  await write(`/stats@${localBot.username}`);
  const { message_id: messageId } = await send(group);
  await write('/first MINT');
  await write('nice', messageId);
  await act('leave', { as: 'member_tele', chatId: group });
  await telegram.delivered();
  const seen = product.updates('message').map(({ text, left_chat_member: left }) => text ?? left.username);
  expect(seen).toEqual([`/stats@${localBot.username}`, '/first MINT', 'nice', 'member_tele']);
  expect(product.updates('message')[2].reply_to_message).toMatchObject({ message_id: messageId });
});

test('a bot that is an administrator gets all messages except its own', async () => {
  const group = await newChatWithBot('supergroup');
  await send(group);
  await telegram.act('write', { as: 'member_tele', chatId: group, text: 'gm' });
  expect(product.updates('message').map(({ text }) => text)).toEqual(['gm']);
});

test('the update about a pressed button has the button’s message, and the bot can respond once within 15 seconds', async () => {
  const group = await newChatWithBot('supergroup');
  const { act, bot, refusal, environment } = telegram;
  const { message_id: messageId } = await send(group, { reply_markup: button('Confirm', 'confirm:1') });
  const press = () => act('press', { as: 'member_tele', chatId: group, messageId, button: 'Confirm' });
  const { queryId } = await press();
  expect(product.updates('callback_query')).toEqual([
    expect.objectContaining({
      id: queryId,
      from: expect.objectContaining({ username: 'member_tele' }),
      data: 'confirm:1',
      message: expect.objectContaining({ message_id: messageId, text: 'New call' }),
    }),
  ]);
  const answer = { callback_query_id: queryId, text: 'Done', show_alert: true };
  expect(await bot('answerCallbackQuery', answer)).toEqual({ ok: true, result: true });
  const late = 'Bad Request: query is too old and response timeout expired or query ID is invalid';
  expect(await refusal('answerCallbackQuery', answer)).toBe(late);
  const { queryId: second } = await press();
  environment.clock.now += 15_000;
  expect(await refusal('answerCallbackQuery', { callback_query_id: second })).toBe(late);
  expect((await environment.request('/_control/telegram/answers')).body[0].answer).toEqual({
    text: 'Done',
    showAlert: true,
  });
  const outsider = await act('press', { as: 'stranger_tele', chatId: group, messageId, button: 'Confirm' });
  expect(outsider.error).toContain('private');
});

test.each([
  [button('Call', 'x'.repeat(65)), 'Bad Request: BUTTON_DATA_INVALID'],
  [button(' ', 'x'), 'Bad Request: inline keyboard button text must be non-empty'],
  [
    button('Call', ''),
    "Bad Request: can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard",
  ],
])('an invalid button is refused: %o', async (markup, expected) => {
  const group = await newChatWithBot('supergroup');
  expect(await telegram.refusal('sendMessage', { chat_id: group, text: 'x', reply_markup: markup })).toBe(
    expected,
  );
});

/** A PNG header with this size, without pixels. */
function png(width: number, height: number): Uint8Array<ArrayBuffer> {
  const header = Buffer.alloc(24);
  header.write('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1');
  header.writeUInt32BE(width, 16);
  header.writeUInt32BE(height, 20);
  return new Uint8Array(Buffer.concat([header, deflateSync('')]));
}

describe('photos', () => {
  const upload = async (
    chatId: number,
    { bytes, part = 'photo', ...fields }: { bytes: Uint8Array<ArrayBuffer>; part?: string; caption?: string },
  ) => {
    const form = new FormData();
    form.set('chat_id', String(chatId));
    const file = new File([bytes], 'recap.png', { type: 'image/png' });
    form.set(part, file);
    if (part !== 'photo') form.set('photo', `attach://${part}`);
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    const path = `/telegram/bot${localBotToken}/sendPhoto`;
    return (await telegram.environment.request(path, { method: 'POST', body: form })).body;
  };

  test('invalid photos and long captions are refused', async () => {
    const group = await newChatWithBot('supergroup');
    const refusalOf = async (bytes: Uint8Array<ArrayBuffer>, caption = '') =>
      (await upload(group, { bytes, caption })).description;
    expect(await refusalOf(png(9_000, 1_001))).toBe('Bad Request: PHOTO_INVALID_DIMENSIONS');
    expect(await refusalOf(png(2_100, 100))).toBe('Bad Request: PHOTO_INVALID_DIMENSIONS');
    expect(await refusalOf(new Uint8Array(30))).toBe('Bad Request: IMAGE_PROCESS_FAILED');
    expect(await refusalOf(png(10, 10), 'x'.repeat(1025))).toBe('Bad Request: message caption is too long');
    const byAddress = { chat_id: group, photo: 'https://example.com/card.png' };
    expect(await telegram.refusal('sendPhoto', byAddress)).toBe(
      'Bad Request: there is no photo in the request',
    );
  });
});

test('an undelivered button press delays no message, and is dropped after 150 seconds', async () => {
  const { act, environment, bot } = telegram;
  const group = await newChatWithBot('supergroup');
  const { message_id: messageId } = await send(group, { reply_markup: button('Confirm', 'c') });
  const press = { as: 'member_tele', chatId: group, messageId, button: 'c' };
  product.response.fails = 'callback_query';
  expect(await act('press', press)).toMatchObject({ isDelivered: false });
  const text = { as: 'member_tele', chatId: group, text: 'gm' };
  expect(await act('write', text)).toMatchObject({ isDelivered: true });
  environment.clock.now += 150_000;
  expect(await act('press', press)).toMatchObject({ isDelivered: false });
  expect((await bot('getWebhookInfo')).result.pending_update_count).toBe(1);
});
