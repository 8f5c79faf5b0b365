import { beforeEach, expect, it } from 'vitest';
import type { TelegramChats } from '#schema/contracts/telegram-chats.ts';
import { insertRows } from '#test/database/insert-rows.ts';
import { act, createChat, deliverUpdates, postsIn, RIGHTS } from '#test/messages/telegram-chats.ts';
import { connectTelegram, writtenTo } from '#test/messages/telegram.ts';
import { createPaidCaller, endCall, makeCall, MINTS } from '#test/people/callers.ts';
import { readResponse } from '#test/responses.ts';
import { createTestApp, type Person, type TestApp } from '#test/test-app.ts';

let app: TestApp;
let caller: Person;
let privateId: number;
let chatId: number;

/** A group with topics, of the caller. */
beforeEach(async () => {
  app = await createTestApp();
  ({ caller } = await createPaidCaller(app, { handle: 'amara_calls' }));
  privateId = await connectTelegram(app, caller);
  chatId = await createChat({ owner: privateId });
  await act('change-chat', privateId, { chatId, isForum: true });
  await act('add-bot', privateId, { chatId, rights: RIGHTS });
  await deliverUpdates(app);
});

const createTopic = async (name: string) =>
  (await act<{ topicId: number }>('create-topic', privateId, { chatId, name })).topicId;
/** Sends /connect in a topic, or in General. Returns the bot's response. */
const connectIn = async (topicId?: number, as = privateId) => {
  await act('write', as, { chatId, topicId, text: '/connect' });
  await deliverUpdates(app);
  return (await postsIn(chatId)).at(-1);
};
const read = async () => (await readResponse<TelegramChats>(caller.get('/api/user/telegram-chats'))).chats[0];
const deliver = async () => {
  await app.chatSender.deliver();
  await app.runJobs('messages');
  await app.sender.deliver();
};
const open = async (mint: string = MINTS.WIF) => {
  const call = await makeCall({ caller, mint, price: 2 });
  await deliver();
  return call;
};
const update = async (callId: string, message: string) => {
  await readResponse(caller.post('/api/telegram/send-update', { callId, message }));
  await deliver();
};
/** The bot's messages about calls, by topic. */
const callsIn = async () =>
  (await postsIn(chatId))
    .filter(({ text }) => !text.startsWith('Connected'))
    .map(({ text, topicId }) => [topicId, text.split(/[ :\n]/, 1)[0]]);
const problems = async () => (await writtenTo(privateId)).filter((text) => text.startsWith('A problem'));
const addFollower = async () => {
  const follower = await app.signIn('follower');
  const pair = { subscriber_id: follower.id, caller_id: caller.id };
  await insertRows('subscriptions', [{ id: 's', ...pair, ends_at: Number.MAX_SAFE_INTEGER }]);
  const personId = await connectTelegram(app, follower);
  await act('add', privateId, { chatId, user: String(personId) });
  await deliverUpdates(app);
  return personId;
};

it('/connect in a topic posts calls, updates and ends there, and says so in the topic and in the settings', async () => {
  const topicId = await createTopic('Calls');
  expect(await connectIn(topicId)).toMatchObject({
    topicId,
    text: expect.stringMatching(
      /posted in the topic .*Calls.* of the group .*\n\nTo have them posted in/,
    ) as string,
  });
  expect(await read()).toMatchObject({ topicName: 'Calls', problem: null });
  const call = await open();
  await update(call.id, 'Sell half.');
  await endCall({ caller, call, price: 3 });
  await deliver();
  expect(await callsIn()).toEqual([
    [topicId, 'Call'],
    [topicId, 'Update'],
    [topicId, 'Call'],
  ]);
});

it('/connect in another topic moves what comes later there', async () => {
  const [one, other] = [await createTopic('One'), await createTopic('Other')];
  await connectIn(one);
  const call = await open();
  await connectIn(other);
  await update(call.id, 'First.');
  expect(await callsIn()).toEqual([
    [one, 'Call'],
    [other, 'Update'],
  ]);
});

it('after /connect in General, calls are posted there, and replies stay with their calls while that is possible', async () => {
  const topicId = await createTopic('Calls');
  await connectIn(topicId);
  const call = await open();
  expect((await connectIn())?.topicId).toBeNull();
  expect(await read()).toMatchObject({ topicName: null });
  await update(call.id, 'First.');
  await act('close-topic', privateId, { chatId, topicId });
  await update(call.id, 'Second.');
  await open(MINTS.BONK);
  expect(await callsIn()).toEqual([
    [topicId, 'Call'],
    [topicId, 'Update'],
    [null, 'Update'],
    [null, 'Call'],
  ]);
  expect(await read()).toMatchObject({ problem: null });
});

it('a member who is no caller, and a caller who is no administrator, can’t choose a topic', async () => {
  const topicId = await createTopic('Calls');
  await connectIn(topicId);
  const other = await createTopic('Other');
  const member = await addFollower();
  const { caller: rival } = await createPaidCaller(app, { handle: 'rival_calls' });
  const rivalId = await connectTelegram(app, rival);
  await act('add', privateId, { chatId, user: String(rivalId) });
  const before = (await postsIn(chatId)).length;
  await connectIn(other, member);
  expect((await postsIn(chatId)).length).toBe(before);
  expect((await connectIn(other, rivalId))?.text).toMatch(/^Only the owner of the group/);
  expect(await read()).toMatchObject({ topicName: 'Calls' });
});

it.each([
  ['close-topic', 'topic_closed', /topic for your calls is closed\. Reopen it/],
  ['delete-topic', 'topic_gone', /topic for your calls doesn't exist anymore/],
] as const)(
  'after %s, the caller is told once, followers get events in private, and /connect in a topic solves it',
  async (change, problem, text) => {
    const topicId = await createTopic('Calls');
    await connectIn(topicId);
    const follower = await addFollower();
    const call = await open();
    await act(change, privateId, { chatId, topicId });
    await deliverUpdates(app);
    await update(call.id, 'First.');
    await update(call.id, 'Second.');
    expect(await read()).toMatchObject({ problem });
    expect(await problems()).toEqual([expect.stringMatching(text)]);
    const updates = () =>
      writtenTo(follower).then((texts) => texts.filter((each) => each.includes('Update on')));
    expect(await updates()).toEqual([expect.stringContaining('First.'), expect.stringContaining('Second.')]);
    const other = await createTopic('Other');
    await connectIn(other);
    expect(await read()).toMatchObject({ topicName: 'Other', problem: null });
    await update(call.id, 'Third.');
    expect((await callsIn()).at(-1)).toEqual([other, 'Update']);
    expect(await updates()).toHaveLength(2);
  },
);

it('a topic that is reopened gets calls again at once', async () => {
  const topicId = await createTopic('Calls');
  await connectIn(topicId);
  await act('close-topic', privateId, { chatId, topicId });
  const call = await open();
  expect(await read()).toMatchObject({ problem: 'topic_closed' });
  await act('reopen-topic', privateId, { chatId, topicId });
  await deliverUpdates(app);
  expect(await read()).toMatchObject({ problem: null });
  await update(call.id, 'Back.');
  expect((await callsIn()).at(-1)?.[0]).toBe(topicId);
});

it('a closed General is a problem, too, which another topic solves', async () => {
  await connectIn();
  await act('close-topic', privateId, { chatId, topicId: 1 });
  const call = await open();
  expect(await read()).toMatchObject({ problem: 'topic_closed' });
  const topicId = await createTopic('Calls');
  await connectIn(topicId);
  await update(call.id, 'Here.');
  expect((await callsIn()).at(-1)?.[0]).toBe(topicId);
});
