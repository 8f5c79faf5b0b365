import { beforeEach, expect, test } from 'vitest';
import { ACCESS_RIGHTS, type TestProduct, type TestTelegram, useTestTelegram } from './test-product.ts';

let product: TestProduct;
let telegram: TestTelegram;
let chatId: number;
let link: string;
let userId: number;
useTestTelegram((scene) => void ({ product, telegram } = scene));
beforeEach(async () => {
  chatId = await telegram.newChat('channel');
  await telegram.promoteBot(chatId, ACCESS_RIGHTS);
  const created = await telegram.bot('createChatInviteLink', {
    chat_id: chatId,
    name: 'Followers',
    creates_join_request: true,
  });
  link = created.result.invite_link;
  userId = (await telegram.control('users', { firstName: 'Nina' })).id;
  product.reset();
});

const request = () => telegram.act('join', { as: String(userId), link });
const requester = () => ({ chat_id: chatId, user_id: userId });

test('a repeated request to join sends another update only after the first request was declined', async () => {
  await request();
  await request();
  expect(product.updates('chat_join_request')).toHaveLength(1);
  await telegram.bot('declineChatJoinRequest', requester());
  expect(await telegram.refusal('declineChatJoinRequest', requester())).toBe(
    'Bad Request: HIDE_REQUESTER_MISSING',
  );
  expect(await telegram.statusOf(chatId, userId)).toBe('left');
  await request();
  expect(product.updates('chat_join_request')).toHaveLength(2);
});

test('the bot may write to a user for five minutes after a request to join, or until it is approved', async () => {
  const write = () => telegram.refusal('sendMessage', { chat_id: userId, text: 'Welcome' });
  expect(await write()).toBe('Bad Request: chat not found');
  await request();
  expect(await write()).toBeUndefined();
  telegram.environment.clock.now += 300_000;
  expect(await write()).toBe("Forbidden: bot can't initiate conversation with a user");
  await telegram.act('decline', { as: 'owner_tele', chatId, user: String(userId) });
  await request();
  expect(await write()).toBeUndefined();
  await telegram.bot('approveChatJoinRequest', requester());
  expect(await write()).toBe("Forbidden: bot can't initiate conversation with a user");
  await telegram.environment.request('/_control/telegram/start', { json: { handle: String(userId) } });
  expect(await write()).toBeUndefined();
});

test('a request to join is removed when an administrator adds the user', async () => {
  await request();
  await telegram.act('add', { as: 'owner_tele', chatId, user: String(userId) });
  const group = (await telegram.environment.request(`/_control/telegram/chats/${chatId}`)).body;
  expect(group.requests).toEqual([]);
  expect(await telegram.refusal('approveChatJoinRequest', requester())).toBe(
    'Bad Request: USER_ALREADY_PARTICIPANT',
  );
});

test('a bot without the right to invite users neither gets nor approves requests to join', async () => {
  await telegram.promoteBot(chatId, ['can_restrict_members']);
  product.reset();
  await request();
  expect(product.received).toEqual([]);
  expect(await telegram.refusal('approveChatJoinRequest', requester())).toBe(
    'Bad Request: not enough rights to manage chat join requests',
  );
  expect(await telegram.refusal('createChatInviteLink', { chat_id: chatId })).toBe(
    'Bad Request: not enough rights to manage chat invite link',
  );
});

test('the update about an approved request without a link has via_join_request', async () => {
  const group = await telegram.newChat('supergroup', { username: 'alpha_public' });
  await telegram.promoteBot(group, ACCESS_RIGHTS);
  await telegram.act('change-chat', { as: 'owner_tele', chatId: group, joinByRequest: true });
  product.reset();
  await telegram.act('join', { as: String(userId), chatId: group });
  expect(product.updates('chat_join_request')[0].invite_link).toBeUndefined();
  await telegram.bot('approveChatJoinRequest', { chat_id: group, user_id: userId });
  await telegram.delivered();
  expect(product.updates('chat_member')[0]).toMatchObject({ via_join_request: true });
});

test('the update about a new member has the invite link even if the bot didn’t create it', async () => {
  const plain = (await telegram.act('create-link', { as: 'owner_tele', chatId, name: 'Friends' })).url;
  await telegram.act('join', { as: String(userId), link: plain });
  expect(product.updates('chat_member')[0]).toMatchObject({
    from: { id: userId },
    invite_link: { invite_link: plain, creator: { username: 'owner_tele' }, creates_join_request: false },
  });
});

test('a revoked invite link accepts no requests to join', async () => {
  await telegram.act('revoke-link', { as: 'owner_tele', chatId, link });
  expect((await request()).error).toContain('expired');
});
