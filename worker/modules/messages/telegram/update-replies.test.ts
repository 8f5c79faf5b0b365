import { beforeEach, expect, it } from 'vitest';
import { createCaller, makeCall, MINTS } from '#test/people/callers.ts';
import { query } from '#test/database/database.ts';
import { connectGroup } from '#test/messages/telegram-chats.ts';
import { connectTelegram, openBotChat } from '#test/messages/telegram.ts';
import { readResponse } from '#test/responses.ts';
import { createTestApp, type Person, type TestApp } from '#test/test-app.ts';

let app: TestApp;
let caller: Person;
let chat: ReturnType<typeof openBotChat>;

beforeEach(async () => {
  app = await createTestApp();
  caller = await createCaller(app, 'amara_calls');
  chat = openBotChat(app, await connectTelegram(app, caller));
  await readResponse(caller.patch('/api/user/telegram-calls', { isOn: true }));
  await makeCall({ caller, mint: MINTS.WIF, price: 2 });
});

const sendUpdate = async () => (await chat.send('/update Half sold.')).text;
const IN_GROUP = 'Update Sent on \u2068WIF\u2069: it goes to the group \u2068Alpha\u2069';

it('the reply to /update names the call and the group, and counts the private messages', async () => {
  await connectGroup(app, caller, { isPaid: false });
  expect(await sendUpdate()).toBe(`${IN_GROUP}.`);
  const follower = await app.signIn('follower_x');
  await connectTelegram(app, follower);
  await readResponse(follower.post('/api/subscriptions/free', { callerId: caller.id }), 201);
  expect(await sendUpdate()).toBe(`${IN_GROUP}, and in private messages to 1 subscriber.`);
  await query("UPDATE telegram_chats SET problem = 'no_post_right'");
  expect(await sendUpdate()).toBe(
    'Update Sent on \u2068WIF\u2069: it goes in private messages to 1 subscriber.',
  );
});

it('the reply to /update omits the chat of a caller who has just become Paid, even before the cron has checked the chat', async () => {
  await connectGroup(app, caller, { isPaid: false });
  await readResponse(caller.patch('/api/user/caller-profile', { monthlyFee: '1' }));
  expect(await sendUpdate()).toBe('Update on \u2068WIF\u2069 saved. Nobody gets it on Telegram yet.');
});
