import { beforeEach, expect, it, vi } from 'vitest';
import { CHAT_CHECK_MS } from '#schema/constants/messages.ts';
import { SECOND_MS } from '#schema/constants/time.ts';
import type { TelegramChats } from '#schema/contracts/telegram-chats.ts';
import { createCaller } from '#test/people/callers.ts';
import { insertCallers } from '#test/database/insert-rows.ts';
import { query, readDatabase } from '#test/database/database.ts';
import { act, BOT, createChat, postBotUpdate, RIGHTS } from '#test/messages/telegram-chats.ts';
import {
  connectTelegram,
  messagesIn,
  postUpdate,
  pressUpdate,
  takeReply,
  textUpdate,
  writtenTo,
} from '#test/messages/telegram.ts';
import { readResponse } from '#test/responses.ts';
import { control, createTestApp, type Person, type TestApp } from '#test/test-app.ts';

let app: TestApp;
let caller: Person;
/** The caller's private chat, and their id on Telegram. */
let privateId: number;

beforeEach(async () => {
  app = await createTestApp();
  caller = await createCaller(app, 'amara_calls');
  privateId = await connectTelegram(app, caller);
});

const read = () => readResponse<TelegramChats>(caller.get('/api/user/telegram-chats'));
const chats = async () => (await read()).chats;
const addBot = async (chatId: number) => {
  await act('add-bot', privateId, { chatId, rights: RIGHTS });
  await postBotUpdate(app, { chatId, byId: privateId, rights: RIGHTS });
};
const newChat = (type: 'channel' | 'supergroup' | 'group' = 'supergroup', username = '') =>
  createChat({ owner: privateId, type, username });
/** Presses a button of the bot's question. Returns the text that replaces the question. */
const press = async (choice: string, chatId: number, personId = privateId) => {
  const update = pressUpdate({ chatId: personId, action: `chat:${choice}:${chatId}` });
  const reply = await takeReply(app, update);
  expect(reply?.method).toBe('editMessageText');
  return reply?.text ?? '';
};
const connect = async (chatId: number) => {
  await addBot(chatId);
  return press('yes', chatId);
};
/** Chooses a channel or group for the bot. */
const pick = async (chatId: number, personId = privateId) => {
  const { message, ...update } = textUpdate({ chatId: personId, text: '' });
  const picked = { ...message, text: undefined, chat_shared: { request_id: 1, chat_id: chatId } };
  return (await takeReply(app, { ...update, message: picked })) ?? { text: '' };
};
const setFee = (monthlyFee: string | null) =>
  readResponse(caller.patch('/api/user/caller-profile', { monthlyFee }));
const runCheck = async () => {
  await app.runJobs('chats');
  await app.runJobs('messages');
  await app.sender.deliver();
};
const checkLater = async () => {
  await app.advance(CHAT_CHECK_MS);
  await runCheck();
};
const problems = async () => (await writtenTo(privateId)).filter((text) => text.startsWith('A problem'));

it('a caller who adds the bot to a chat is asked in private, and the chat is connected only after Yes', async () => {
  const chatId = await newChat();
  await addBot(chatId);
  expect((await messagesIn(privateId)).at(-1)).toMatchObject({
    text: expect.stringMatching(/^You added the bot to the group .*Alpha.*before you press Yes\.$/) as string,
    buttons: [
      { text: 'Yes', data: `chat:yes:${chatId}` },
      { text: 'No', data: `chat:no:${chatId}` },
    ],
  });
  expect(await chats()).toEqual([]);
  expect(await press('yes', chatId)).toMatch(/^Connected\. Your calls are posted in the group/);
  expect(await chats()).toMatchObject([
    { id: String(chatId), kind: 'group', title: 'Alpha', problem: null, removesOthers: true },
  ]);
  expect(await writtenTo(chatId)).toEqual([]);
});

it('a caller who adds the bot without administrator rights is told that the bot isn’t an administrator', async () => {
  const chatId = await newChat();
  await postBotUpdate(app, { chatId, byId: privateId, rights: null, status: 'member' });
  expect((await messagesIn(privateId)).at(-1)).toMatchObject({
    text: expect.stringMatching(/^The bot is in the group .*Alpha.*, but isn't an administrator\./) as string,
    buttons: [],
  });
  expect(await chats()).toEqual([]);
});

it('after pressing Yes, a Paid caller gets the chat’s link for subscribers, and a Free caller gets none', async () => {
  const chatId = await newChat();
  expect(await connect(chatId)).not.toContain('Link for subscribers');
  await readResponse(caller.delete(`/api/user/telegram-chats/${chatId}`));
  await setFee('1');
  const reply = await press('yes', chatId);
  const [chat] = await chats();
  expect(chat).toMatchObject({
    problem: null,
    joinLink: expect.stringMatching(/\/\+[\w-]+$/) as string,
  });
  expect(reply.endsWith(`\n\nLink for subscribers: ${chat?.joinLink}`)).toBe(true);
});

it('pressing No connects no chat, and neither does a later Yes if the bot has left the chat', async () => {
  const chatId = await newChat('channel');
  await addBot(chatId);
  expect(await press('no', chatId)).toMatch(/^Nothing is posted there/);
  expect(await chats()).toEqual([]);
  await act('remove', privateId, { chatId, user: BOT });
  expect(await press('yes', chatId)).toMatch(/^Nothing was connected\. Make the bot an administrator/);
  expect(await chats()).toEqual([]);
});

it('a chat is ignored if a stranger, an anonymous administrator or a follower adds the bot', async () => {
  const follower = await connectTelegram(app, await app.signIn('follower_x'));
  const chatId = await newChat();
  const before = await readDatabase();
  for (const byId of [4_242, 1_087_968_824, follower]) {
    await postBotUpdate(app, { chatId, byId, rights: RIGHTS });
    await postBotUpdate(app, { chatId, byId, rights: null, status: 'member' });
    await postBotUpdate(app, { chatId, byId, rights: null });
  }
  await postUpdate(app, textUpdate({ chatId, text: '/connect', type: 'group' }));
  expect(await readDatabase()).toEqual(before);
  expect([await writtenTo(chatId), await writtenTo(follower)]).toEqual([[], []]);
});

it('/connect offers a choice of chats, and connects a chat only for its owner or a full administrator', async () => {
  const chatId = await newChat('channel');
  await act('add-bot', privateId, { chatId, rights: RIGHTS });
  const reply = await takeReply(app, textUpdate({ chatId: privateId, text: '/connect' }));
  const buttons = [
    { request_chat: { chat_is_channel: true, bot_administrator_rights: { can_post_messages: true } } },
    { request_chat: { chat_is_channel: false, user_administrator_rights: { can_invite_users: true } } },
  ];
  expect(reply?.reply_markup).toMatchObject({ keyboard: [buttons] });
  const rival = await createCaller(app, 'rival_x');
  const rivalId = await connectTelegram(app, rival);
  expect(await pick(chatId, rivalId)).toMatchObject({
    text: expect.stringMatching(/^Only the owner of the channel/) as string,
    reply_markup: { remove_keyboard: true },
  });
  expect(await chats()).toEqual([]);
  expect((await pick(chatId)).text).toMatch(/^Connected/);
  const user = String(rivalId);
  await act('promote', privateId, { chatId, user, rights: ['can_edit_messages'] });
  expect((await pick(chatId, rivalId)).text).toMatch(/^Only the owner of the channel/);
  await act('promote', privateId, { chatId, user });
  expect((await pick(chatId, rivalId)).text).toMatch(/^Another caller has connected the channel/);
  expect((await pick(await newChat('channel'))).text).toMatch(/^Nothing was connected/);
});

it('the owner of a group can take over its connection from another administrator', async () => {
  const rival = await createCaller(app, 'rival_x');
  const rivalId = await connectTelegram(app, rival);
  const chatId = await newChat();
  await act('add', privateId, { chatId, user: String(rivalId) });
  await act('promote', privateId, { chatId, user: String(rivalId) });
  await addBot(chatId);
  expect((await pick(chatId, rivalId)).text).toMatch(/^Connected/);
  const other = await newChat();
  await connect(other);
  expect((await pick(chatId)).text).toMatch(/^Another caller has connected/);
  await readResponse(caller.delete(`/api/user/telegram-chats/${other}`));
  expect((await pick(chatId)).text).toMatch(/^Connected/);
  expect(await chats()).toMatchObject([{ id: String(chatId) }]);
  expect(await query('SELECT caller_id FROM telegram_chats')).toEqual([{ caller_id: caller.id }]);
});

it('/connect works only in a private chat that is connected to a caller’s account', async () => {
  const followerId = await connectTelegram(app, await app.signIn('follower_x'));
  const chatId = await createChat({ owner: followerId });
  await act('add-bot', followerId, { chatId, rights: RIGHTS });
  expect((await pick(chatId, followerId)).text).toMatch(/^Only callers can do this/);
  const asked = await takeReply(app, textUpdate({ chatId: followerId, text: '/connect' }));
  expect(asked).toMatchObject({ text: expect.stringMatching(/^Only callers can do this/) as string });
  await postUpdate(app, textUpdate({ chatId: followerId, text: '/stop' }));
  expect((await pick(chatId, followerId)).text).toMatch(
    /^Connect this chat with your SolCallers account first/,
  );
  expect(await query('SELECT 1 FROM telegram_chats')).toEqual([]);
});

it('a caller can connect only one channel and one group, even with simultaneous presses', async () => {
  const [one, other, channel] = [await newChat(), await newChat(), await newChat('channel')];
  for (const chatId of [one, other, channel]) {
    await act('add-bot', privateId, { chatId, rights: RIGHTS });
  }
  const texts = await Promise.all([one, other, channel].map((chatId) => press('yes', chatId)));
  expect(texts.filter((text) => text.startsWith('Connected'))).toHaveLength(2);
  expect(texts.filter((text) => text.startsWith('You have connected another group'))).toHaveLength(1);
  expect((await chats()).map(({ kind }) => kind)).toEqual(['channel', 'group']);
});

it('a button for a foreign or unknown chat and a repeated press change nothing', async () => {
  const chatId = await newChat();
  await connect(chatId);
  const rivalId = await connectTelegram(app, await createCaller(app, 'rival_x'));
  const before = await readDatabase();
  expect(await press('no', chatId, rivalId)).toMatch(/^This button doesn't work anymore/);
  expect(await press('paid', chatId, rivalId)).toMatch(/^This button doesn't work anymore/);
  expect(await press('yes', chatId, rivalId)).toMatch(/^Only the owner/);
  expect(await press('yes', -1_000_000_000_042)).toMatch(/^Nothing was connected/);
  expect(await press('no', chatId)).toMatch(/^This button doesn't work anymore/);
  expect(await press('yes', chatId)).toMatch(/^Connected/);
  const ignored = new Set(['checked_at']);
  const stable = (rows: unknown) =>
    JSON.stringify(rows, (key, value: unknown) => (ignored.has(key) ? 0 : value));
  expect(stable(await readDatabase())).toBe(stable(before));
});

it('a new problem of a chat is reported once in private and shown in the settings until it is solved', async () => {
  const chatId = await newChat('channel');
  await connect(chatId);
  await act('promote', privateId, { chatId, user: BOT, rights: ['can_invite_users'] });
  await postBotUpdate(app, { chatId, byId: privateId, rights: ['invite_users'] });
  await app.runJobs('messages');
  await postBotUpdate(app, { chatId, byId: privateId, rights: ['invite_users'] });
  await app.runJobs('messages');
  await app.sender.deliver();
  expect(await chats()).toMatchObject([{ problem: 'no_post_right' }]);
  expect(await problems()).toEqual([
    expect.stringMatching(
      /^A problem with the channel .*: The bot may not post.*No calls are posted/,
    ) as string,
  ]);
  await act('remove', privateId, { chatId, user: BOT });
  await checkLater();
  expect(await chats()).toMatchObject([{ problem: 'bot_removed' }]);
  expect(await problems()).toHaveLength(2);
  await act('add-bot', privateId, { chatId, rights: RIGHTS });
  await postBotUpdate(app, { chatId, byId: privateId, rights: RIGHTS });
  expect(await chats()).toMatchObject([{ problem: null }]);
});

it('the hourly check shows a chat’s new title and its deletion in the settings', async () => {
  const chatId = await newChat();
  await connect(chatId);
  await act('change-chat', privateId, { chatId, title: 'Beta' });
  await checkLater();
  expect(await chats()).toMatchObject([{ title: 'Beta', problem: null }]);
  await act('delete-chat', privateId, { chatId });
  await checkLater();
  expect(await chats()).toMatchObject([{ title: 'Beta', problem: 'bot_removed' }]);
});

it('a basic group that becomes a supergroup stays connected under its new id', async () => {
  const chatId = await newChat('group');
  expect(await connect(chatId)).toMatch(/^Connected, but the group .*Alpha.* has a problem\./);
  expect(await chats()).toMatchObject([{ problem: 'basic_group' }]);
  const { chatId: newId } = await act<{ chatId: number }>('migrate', privateId, { chatId });
  const migrated = textUpdate({ chatId, text: '', type: 'group' });
  const update = {
    ...migrated,
    message: { ...migrated.message, text: undefined, migrate_to_chat_id: newId },
  };
  await postUpdate(app, update);
  await postUpdate(app, update);
  await runCheck();
  expect(await chats()).toMatchObject([{ id: String(newId), problem: null }]);
  expect(await query('SELECT COUNT(*) AS n FROM telegram_chats')).toEqual([{ n: 1 }]);
});

it('after becoming Paid, a caller must confirm chats, make them private and connect their discussion groups', async () => {
  const [channel, group] = [await newChat('channel', 'alpha_calls'), await newChat()];
  await connect(channel);
  await setFee('1');
  expect(await chats()).toMatchObject([{ problem: 'unconfirmed' }]);
  await runCheck();
  const [notice] = (await messagesIn(privateId)).slice(-1);
  expect(notice).toMatchObject({
    text: expect.stringMatching(/^A problem with the channel .*: You charge a fee now/) as string,
    buttons: [{ text: 'Open' }, { text: 'Confirm', data: `chat:paid:${channel}` }],
  });
  expect(await press('paid', channel)).toMatch(/^Confirmed\. Only subscribers .* can stay for 30 days\.$/);
  expect(await chats()).toMatchObject([{ problem: 'public' }]);
  await act('change-chat', privateId, { chatId: channel, username: '', linkedChatId: group });
  await checkLater();
  expect(await chats()).toMatchObject([{ problem: 'discussion_not_connected' }]);
  await connect(group);
  expect(await chats()).toMatchObject([{ problem: null }, { problem: null }]);
  const { links } = await control<{ links: unknown[] }>('GET', `/telegram/chats/${group}`);
  expect(links).toHaveLength(1);
  await setFee(null);
  await app.advance(SECOND_MS);
  await setFee('1');
  expect(await chats()).toMatchObject([{ problem: 'unconfirmed' }, { problem: 'unconfirmed' }]);
  await runCheck();
  expect((await problems()).filter((text) => text.includes('You charge a fee now'))).toHaveLength(3);
  await readResponse(caller.patch(`/api/user/telegram-chats/${group}`, { confirmsPaid: true }));
  expect(await chats()).toMatchObject([{ problem: 'unconfirmed' }, { problem: null }]);
  const paidSince = () => query('SELECT paid_since FROM telegram_chats WHERE chat_id = ?', String(group));
  const before = await paidSince();
  await app.advance(SECOND_MS);
  await press('paid', group);
  expect(await paidSince()).toEqual(before);
});

it('a caller can configure and disconnect only their own chats', async () => {
  const chatId = await newChat();
  await connect(chatId);
  const url = `/api/user/telegram-chats/${chatId}`;
  expect(await readResponse(caller.patch(url, { removesOthers: false, postsRecap: true }))).toMatchObject({
    chats: [{ removesOthers: false, postsRecap: true }],
  });
  const rival = await createCaller(app, 'rival_x');
  for (const response of [
    rival.patch(url, { postsRecap: false }),
    rival.delete(url),
    rival.delete(`${url}0`),
  ]) {
    expect((await response).status).toBe(404);
  }
  const addUrl = (kind: string) =>
    expect.stringContaining(`?start${kind}&admin=post_messages+invite_users+restrict_members`) as string;
  expect((await read()).addUrls).toEqual({ channel: addUrl('channel'), group: addUrl('group') });
  expect(await readResponse(caller.delete(url))).toMatchObject({ chats: [] });
  expect((await caller.delete(url)).status).toBe(404);
  expect(await press('yes', chatId)).toMatch(/^Connected/);
});

it('checks of many chats are spread over runs, and begin with the chats whose last check is oldest', async () => {
  await insertCallers(Array.from({ length: 60 }, (_, index) => `many-${index + 1}`));
  await query(
    `INSERT INTO telegram_chats (chat_id, caller_id, kind, title, checked_at)
     SELECT '-7' || substr(caller_id, 6), caller_id, 'group', 'Many', -substr(caller_id, 6)
     FROM callers WHERE caller_id LIKE 'many-%'`,
  );
  const due = async () =>
    (await query<{ n: number }>(`SELECT checked_at AS n FROM telegram_chats WHERE checked_at < 0`)).map(
      ({ n }) => n,
    );
  await app.runJobs('chats');
  expect((await due()).toSorted((one, other) => one - other)[0]).toBe(-10);
  await app.runJobs('chats');
  expect(await due()).toEqual([]);
});

it('a check without a response from Telegram changes nothing and delays no other check', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const [channel, group] = [await newChat('channel'), await newChat()];
  await connect(channel);
  await connect(group);
  for (const chatId of [channel, group]) {
    await act('change-chat', privateId, { chatId, title: 'Beta' });
  }
  const { fetch } = globalThis;
  const failing = vi.spyOn(globalThis, 'fetch').mockImplementation((url, init) => {
    const isFailing = String(url).endsWith('/getChat') && String(init?.body).includes(String(channel));
    return isFailing ? Promise.resolve(new Response('', { status: 502 })) : fetch(url, init);
  });
  await checkLater();
  failing.mockRestore();
  expect(await chats()).toMatchObject([
    { title: 'Alpha', problem: null },
    { title: 'Beta', problem: null },
  ]);
});
