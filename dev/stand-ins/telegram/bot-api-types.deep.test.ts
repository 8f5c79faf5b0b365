import { join } from 'node:path';
import { Validator, type Schema } from '@cfworker/json-schema';
import { createGenerator } from 'ts-json-schema-generator';
import { beforeAll, expect, test } from 'vitest';
import { localBotToken } from './local-bot.ts';
import { ALL_UPDATES, BOT, type TestProduct, type TestTelegram, useTestTelegram } from './test-product.ts';
import { root } from '../../settings.ts';
import { portraitPng } from '../x/portrait.ts';

/** The types of the Bot API's results, by method. All other methods return true. */
const RESULTS = {
  getMe: 'UserFromGetMe',
  getWebhookInfo: 'WebhookInfo',
  getChat: 'ChatFullInfo',
  getChatMember: 'ChatMember',
  createChatInviteLink: 'ChatInviteLink',
  sendMessage: 'Message',
  sendPhoto: 'Message',
  editMessageText: 'Message',
} as const;
const types = [...new Set(Object.values(RESULTS)), 'Update'];

let product: TestProduct;
let telegram: TestTelegram;
let definitions: NonNullable<Schema['definitions']>;
useTestTelegram((scene) => void ({ product, telegram } = scene));
beforeAll(() => {
  const path = join(root, 'node_modules/@grammyjs/types/*.d.ts');
  const options = { path, skipTypeCheck: true, additionalProperties: false, jsDoc: 'none' } as const;
  const schema = createGenerator(options).createSchema(types);
  definitions = JSON.parse(JSON.stringify(schema.definitions));
}, 60_000);

/** Telegram's source still sends these, although its documentation no longer has them. */
const UNDOCUMENTED = [
  'all_members_are_administrators',
  'new_chat_participant',
  'left_chat_participant',
  'new_chat_member',
];
const undocumentedIn = (value: object) =>
  UNDOCUMENTED.filter((key) => key !== 'new_chat_member' || 'new_chat_members' in value);

function withoutUndocumented(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_key, each: unknown) => {
    if (typeof each !== 'object' || each === null || Array.isArray(each)) return each;
    const left = undocumentedIn(each);
    return Object.fromEntries(Object.entries(each).filter(([key]) => !left.includes(key)));
  });
}

/** The schema's innermost complaints. */
function problemsOf(type: string, value: unknown): string[] {
  const validator = new Validator({ $ref: `#/definitions/${type}`, definitions }, '7', false);
  return validator
    .validate(withoutUndocumented(value))
    .errors.filter(({ keyword }) => !['$ref', 'anyOf', 'properties'].includes(keyword))
    .map(({ instanceLocation, error }) => `${type} ${instanceLocation}: ${error}`);
}

async function call(method: keyof typeof RESULTS, parameters: object = {}) {
  const { ok, result, description } = await telegram.bot(method, parameters);
  expect([ok, description]).toEqual([true, undefined]);
  expect(problemsOf(RESULTS[method], result)).toEqual([]);
  return result;
}

test('the bot’s settings and webhook have the members and types of the Bot API', async () => {
  await call('getMe');
  await call('getWebhookInfo');
});

test.each(['group', 'supergroup', 'channel'])(
  'updates and results about a %s have the members and types of the Bot API',
  async (type) => {
    const { act, newChat, promoteBot, control, userId } = telegram;
    const owner = { as: 'owner_tele' };
    await control('start', { handle: 'mina', payload: 'x' });
    const chatId = await newChat(type, { members: ['member_tele', 'admin_tele', 'limited_tele'] });
    await promoteBot(chatId);
    await act('promote', { ...owner, chatId, user: 'admin_tele' });
    if (type === 'supergroup') {
      await act('restrict', { ...owner, chatId, user: 'limited_tele' });
      await act('change-chat', { ...owner, chatId, isForum: true });
      const { topicId } = await act('create-topic', { ...owner, chatId, name: 'Calls' });
      await act('write', { ...owner, chatId, topicId, text: '/connect' });
      await act('close-topic', { ...owner, chatId, topicId });
      await act('reopen-topic', { ...owner, chatId, topicId });
      await call('sendMessage', { chat_id: chatId, text: 'hi', message_thread_id: topicId });
    }
    await act('change-chat', { ...owner, chatId, isProtected: true });
    await call('getChat', { chat_id: chatId });
    const people = ['owner_tele', 'admin_tele', 'member_tele', 'limited_tele', 'mina'];
    for (const handle of people) {
      await call('getChatMember', { chat_id: chatId, user_id: await userId(handle) });
    }
    await call('getChatMember', { chat_id: chatId, user_id: BOT });
    await act('write', { ...owner, chatId, text: '/connect' });
    const link = await call('createChatInviteLink', {
      chat_id: chatId,
      name: 'Followers',
      // By grammY's types, nobody asks to join a basic group.
      creates_join_request: type !== 'group',
    });
    await act('join', { as: 'mina', link: link.invite_link });
    await telegram.bot('approveChatJoinRequest', { chat_id: chatId, user_id: await userId('mina') });
    const keyboard = [[{ text: 'Open', url: 'https://solcallers.test/' }]];
    const sent = await call('sendMessage', {
      chat_id: chatId,
      text: 'hi',
      reply_markup: { inline_keyboard: keyboard },
    });
    await call('editMessageText', { chat_id: chatId, message_id: sent.message_id, text: 'changed' });
    await act('remove', { ...owner, chatId, user: 'member_tele' });
    if (type === 'group') await act('migrate', { ...owner, chatId });
    await telegram.delivered();
    const kinds = new Set(product.received.flatMap(({ update }) => Object.keys(update)));
    const expected = ['my_chat_member', 'chat_member', type === 'channel' ? 'chat_join_request' : 'message'];
    expect([...kinds]).toEqual(expect.arrayContaining(expected));
    expect(product.received.flatMap(({ update }) => problemsOf('Update', update))).toEqual([]);
  },
);

test('updates and results of a private chat and of a discussion group have the members and types of the Bot API', async () => {
  const { act, newChat, promoteBot, control, environment } = telegram;
  const { chatId } = await control('start', { handle: 'owner_tele' });
  await call('getChat', { chat_id: chatId });
  await call('getChatMember', { chat_id: chatId, user_id: chatId });
  const rights = { can_post_messages: true };
  const request = { request_id: 1, chat_is_channel: true };
  const pick = {
    text: 'Pick',
    request_chat: { ...request, user_administrator_rights: rights, bot_administrator_rights: rights },
  };
  await call('sendMessage', { chat_id: chatId, text: 'Pick', reply_markup: { keyboard: [[pick]] } });
  const channel = await newChat('channel', { username: 'alpha_public' });
  await act('share-chat', { as: 'owner_tele', chatId: channel, button: 'Pick' });
  const inline_keyboard = [[{ text: 'Mute', callback_data: 'mute' }]];
  const sent = await call('sendMessage', { chat_id: chatId, text: 'hi', reply_markup: { inline_keyboard } });
  await act('press', { as: 'owner_tele', chatId, messageId: sent.message_id, button: 'mute' });

  const group = await newChat('supergroup');
  await act('change-chat', { as: 'owner_tele', chatId: channel, linkedChatId: group });
  await promoteBot(group);
  await call('getChat', { chat_id: channel });
  await act('change-chat', { as: 'owner_tele', chatId: group, isAnonymous: true });
  await act('write', { as: 'owner_tele', chatId: group, text: 'anonymous' });
  const png = new Blob([await portraitPng({ name: 'recap', size: 64 })], { type: 'image/png' });
  const body = new FormData();
  body.set('chat_id', String(channel));
  body.set('photo', png, 'recap.png');
  body.set('caption', 'This week');
  const path = `/telegram/bot${localBotToken}/sendPhoto`;
  const photo = await environment.request(path, { method: 'POST', body });
  expect(problemsOf('Message', photo.body.result)).toEqual([]);
  await telegram.delivered();
  const kinds = new Set(product.received.flatMap(({ update }) => Object.keys(update)));
  expect([...kinds]).toEqual(expect.arrayContaining(['message', 'callback_query', 'my_chat_member']));
  expect(ALL_UPDATES).toEqual(expect.arrayContaining([...kinds].filter((kind) => kind !== 'update_id')));
  expect(product.received.flatMap(({ update }) => problemsOf('Update', update))).toEqual([]);
});
