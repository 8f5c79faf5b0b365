import { beforeEach, describe, expect, test } from 'vitest';
import { localBot } from './local-bot.ts';
import { BOT, type TestProduct, type TestTelegram, useTestTelegram } from './test-product.ts';

let product: TestProduct;
let telegram: TestTelegram;
useTestTelegram((scene) => void ({ product, telegram } = scene));

const owner = { as: 'owner_tele' };

test('the bot gets an update when somebody makes it an administrator, changes its rights or removes it', async () => {
  const { newChat, promoteBot, act, userId } = telegram;
  const chatId = await newChat('supergroup');
  await promoteBot(chatId, ['can_invite_users', 'can_restrict_members']);
  await promoteBot(chatId, ['can_invite_users']);
  await act('remove', { ...owner, chatId, user: BOT });
  const changes = product.updates('my_chat_member');
  const statuses = changes.map((change) => [change.old_chat_member.status, change.new_chat_member.status]);
  expect(statuses).toEqual([
    ['left', 'administrator'],
    ['administrator', 'administrator'],
    ['administrator', 'kicked'],
  ]);
  expect(changes[0]).toMatchObject({
    chat: { id: chatId, type: 'supergroup', title: 'Alpha' },
    from: { id: await userId('owner_tele'), is_bot: false, username: 'owner_tele' },
    new_chat_member: { user: localBot, can_invite_users: true, can_restrict_members: true },
  });
  expect(changes[1].new_chat_member.can_restrict_members).toBe(false);
  expect(await telegram.bot('sendMessage', { chat_id: chatId, text: 'hi' })).toEqual({
    ok: false,
    error_code: 403,
    description: 'Forbidden: bot was kicked from the supergroup chat',
  });
});

test('the bot cannot be a plain member of a channel, or join a group if canJoinGroups is off', async () => {
  const { newChat, act, control, bot } = telegram;
  const [channel, group] = [await newChat('channel'), await newChat('supergroup')];
  expect((await act('add', { ...owner, chatId: channel, user: BOT })).error).toContain('administrators');
  expect((await bot('getMe')).result).toMatchObject({
    can_join_groups: true,
    can_read_all_group_messages: false,
  });
  await control('bot', { canJoinGroups: false, hasPrivacyMode: false });
  expect((await bot('getMe')).result).toMatchObject({
    can_join_groups: false,
    can_read_all_group_messages: true,
  });
  expect((await act('add', { ...owner, chatId: group, user: BOT })).error).toContain("can't be added");
});

test('a demoted bot is removed from a channel, but stays a member of a group', async () => {
  const statuses = [];
  for (const type of ['channel', 'supergroup', 'group']) {
    const chatId = await telegram.newChat(type);
    await telegram.promoteBot(chatId);
    await telegram.act('demote', { ...owner, chatId, user: BOT });
    statuses.push(product.updates('my_chat_member').at(-1).new_chat_member.status);
  }
  expect(statuses).toEqual(['left', 'member', 'member']);
});

test('getChat finds a public chat by its username, but does not find a private chat that the bot was never in', async () => {
  const secret = await telegram.newChat('supergroup');
  await telegram.newChat('channel', { username: 'alpha_public' });
  expect(await telegram.refusal('getChat', { chat_id: secret })).toBe('Bad Request: chat not found');
  expect(await telegram.refusal('getChat', {})).toBe('Bad Request: chat_id is empty');
  expect((await telegram.bot('getChat', { chat_id: '@Alpha_Public' })).result).toMatchObject({
    type: 'channel',
    username: 'alpha_public',
  });
  expect(await telegram.refusal('sendMessage', { chat_id: '@alpha_public', text: 'x' })).toBe(
    'Forbidden: bot is not a member of the channel chat',
  );
});

describe('members', () => {
  let chatId: number;
  let memberId: number;
  beforeEach(async () => {
    chatId = await telegram.newChat('supergroup', { members: ['member_tele', 'admin_tele'] });
    await telegram.act('promote', { ...owner, chatId, user: 'admin_tele', rights: ['can_pin_messages'] });
    await telegram.promoteBot(chatId);
    memberId = await telegram.userId('member_tele');
    product.reset();
  });
  const member = () => ({ chat_id: chatId, user_id: memberId });

  test('unbanChatMember removes a member without a ban, and sends updates with the statuses “kicked” and “left”', async () => {
    expect(await telegram.bot('unbanChatMember', member())).toEqual({ ok: true, result: true });
    await telegram.delivered();
    const changes = product.updates('chat_member');
    expect(changes.map(({ new_chat_member: to }) => to.status)).toEqual(['kicked', 'left']);
    expect(changes[0]).toMatchObject({ from: localBot, new_chat_member: { until_date: expect.any(Number) } });
    expect(product.updates('message').at(-1)).toMatchObject({ left_chat_member: { id: memberId } });
    expect(await telegram.statusOf(chatId, memberId)).toBe('left');
  });

  test('unbanChatMember with only_if_banned lifts a ban, but doesn’t remove a member', async () => {
    await telegram.bot('unbanChatMember', { ...member(), only_if_banned: true });
    expect(await telegram.statusOf(chatId, memberId)).toBe('member');
    await telegram.act('remove', { ...owner, chatId, user: 'member_tele' });
    expect(await telegram.statusOf(chatId, memberId)).toBe('kicked');
    const link = (await telegram.bot('createChatInviteLink', { chat_id: chatId })).result.invite_link;
    expect((await telegram.act('join', { as: 'member_tele', link })).error).toContain('removed');
    await telegram.bot('unbanChatMember', { ...member(), only_if_banned: true });
    expect((await telegram.act('join', { as: 'member_tele', link })).status).toBe('member');
  });

  test('the bot cannot remove the owner, an administrator or, without can_restrict_members, anybody', async () => {
    const { refusal, userId, promoteBot } = telegram;
    const of = async (handle: string) => ({ chat_id: chatId, user_id: await userId(handle) });
    expect(await refusal('unbanChatMember', await of('owner_tele'))).toBe(
      "Bad Request: can't remove chat owner",
    );
    expect(await refusal('unbanChatMember', await of('admin_tele'))).toBe(
      'Bad Request: user is an administrator of the chat',
    );
    await promoteBot(chatId, ['can_invite_users']);
    expect(await refusal('unbanChatMember', member())).toBe(
      'Bad Request: not enough rights to restrict/unrestrict chat member',
    );
  });

  test('getChatMember has different errors for unknown accounts and for people who never wrote to the bot', async () => {
    const stranger = (await telegram.control('users', { firstName: 'No Name' })).id;
    const of = (userId: unknown) => ({ chat_id: chatId, user_id: userId });
    expect(await telegram.refusal('getChatMember', of(stranger))).toBe('Bad Request: PARTICIPANT_ID_INVALID');
    expect(await telegram.refusal('getChatMember', of(42))).toBe('Bad Request: user not found');
    expect(await telegram.refusal('getChatMember', of('x'))).toBe('Bad Request: invalid user_id specified');
    await telegram.environment.request('/_control/telegram/start', { json: { handle: String(stranger) } });
    expect((await telegram.bot('getChatMember', of(stranger))).result).toEqual({
      user: { id: stranger, is_bot: false, first_name: 'No Name', language_code: 'en' },
      status: 'left',
    });
  });

  test('the bot gets chat_member updates only as an administrator, and only if its webhook requests them', async () => {
    const { act, bot } = telegram;
    await act('leave', { as: 'member_tele', chatId });
    expect(product.updates('chat_member')).toHaveLength(1);
    await bot('setWebhook', { url: product.url, allowed_updates: [] });
    await act('add', { ...owner, chatId, user: 'member_tele' });
    await bot('setWebhook', { url: product.url, allowed_updates: ['chat_member'] });
    await act('demote', { ...owner, chatId, user: BOT });
    await act('leave', { as: 'member_tele', chatId });
    expect(product.updates('chat_member')).toHaveLength(1);
  });

  test('a restricted member can neither write nor act as an administrator', async () => {
    const { act } = telegram;
    await act('restrict', { ...owner, chatId, user: 'member_tele' });
    expect(await telegram.statusOf(chatId, memberId)).toBe('restricted');
    expect((await act('write', { as: 'member_tele', chatId, text: 'hi' })).error).toContain("can't write");
    expect((await act('remove', { as: 'member_tele', chatId, user: 'admin_tele' })).error).toContain(
      'can_restrict_members',
    );
    expect((await act('demote', { ...owner, chatId, user: 'owner_tele' })).error).toContain('owner');
    expect((await act('change-chat', { as: 'member_tele', chatId, title: 'Mine' })).error).toContain('owner');
  });
});

test.each([
  ['group', 'Forbidden: the group chat was deleted'],
  ['supergroup', 'Forbidden: bot was kicked from the supergroup chat'],
  ['channel', 'Forbidden: bot was kicked from the channel chat'],
])('a deleted %s refuses messages', async (type, expected) => {
  const chatId = await telegram.newChat(type);
  await telegram.promoteBot(chatId);
  await telegram.act('delete-chat', { ...owner, chatId });
  expect(product.updates('my_chat_member').at(-1).new_chat_member.status).toBe('left');
  expect(await telegram.refusal('sendMessage', { chat_id: chatId, text: 'hi' })).toBe(expected);
});

test('the bot gets an update about a new title, but not about a new username or discussion group', async () => {
  const { newChat, promoteBot, act, bot } = telegram;
  const [channel, group] = [await newChat('channel'), await newChat('supergroup')];
  await promoteBot(channel);
  await promoteBot(group);
  product.reset();
  await act('change-chat', { ...owner, chatId: group, title: 'Beta', username: 'beta_public' });
  await act('change-chat', { ...owner, chatId: channel, linkedChatId: group });
  expect(product.received.map(({ update }) => update.message.new_chat_title)).toEqual(['Beta']);
  expect((await bot('getChat', { chat_id: group })).result).toMatchObject({
    title: 'Beta',
    username: 'beta_public',
    linked_chat_id: channel,
  });
  expect((await bot('getChat', { chat_id: channel })).result.linked_chat_id).toBe(group);
  const taken = await act('change-chat', { ...owner, chatId: channel, username: 'Beta_Public' });
  expect(taken.error).toContain('taken');
  await act('change-chat', { ...owner, chatId: group, username: '' });
  expect((await bot('getChat', { chat_id: group })).result.username).toBeUndefined();
});
