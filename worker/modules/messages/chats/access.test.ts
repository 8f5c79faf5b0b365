import { beforeEach, expect, it } from 'vitest';
import { DAY_MS, MINUTE_MS, SUBSCRIPTION_PERIOD_MS } from '#schema/constants.ts';
import type {
  AcceptedInvitation,
  ChatInvitation,
  ChatOther,
  JoinLink,
} from '#schema/contracts/telegram-access.ts';
import { query } from '../../../test-support/database/database.ts';
import {
  connectTelegram,
  messagesIn,
  postUpdate,
  pressStart,
} from '../../../test-support/messages/telegram.ts';
import {
  act,
  connectGroup,
  deliverUpdates,
  isInside,
  takeUpdates,
  type TestChat,
} from '../../../test-support/messages/telegram-chats.ts';
import { makeCall, MINTS } from '../../../test-support/people/callers.ts';
import { pay } from '../../../test-support/payments/payments.ts';
import { createPaymentScene, type PaymentScene } from '../../../test-support/payments/payment-scene.ts';
import { readResponse } from '../../../test-support/responses.ts';
import { control } from '../../../test-support/test-app.ts';

let scene: PaymentScene;
let chat: TestChat;

beforeEach(async () => {
  scene = await createPaymentScene();
  chat = await connectGroup(scene.app, scene.caller);
});

const payNow = () => pay({ person: scene.follower, payer: scene.payer, callerId: scene.caller.id });

async function tick(): Promise<void> {
  await scene.app.advance(MINUTE_MS);
  await scene.app.runJobs('chats');
  await deliverUpdates(scene.app);
}

/** Somebody on Telegram whom the bot doesn't know. */
async function newPerson(firstName = 'Grace'): Promise<number> {
  const { id } = await control<{ id: number }>('POST', '/telegram/users', { firstName });
  return id;
}

async function ask(personId: number): Promise<void> {
  await act('join', personId, { link: chat.joinLink });
  await deliverUpdates(scene.app);
}

/** The path of the newest button that the bot sent to a person. */
async function invitedTo(personId: number): Promise<string> {
  const button = (await messagesIn(personId)).at(-1)?.buttons[0];
  return new URL(button?.url ?? '').href.replace(/^https?:\/\/[^/]+/, '');
}

it('a subscriber with a connected Telegram gets in at once, and is removed within a minute of the end', async () => {
  const personId = await connectTelegram(scene.app, scene.follower);
  await payNow();
  await ask(personId);
  expect(await isInside(chat, personId)).toBe(true);
  await scene.app.advance(SUBSCRIPTION_PERIOD_MS - 3 * MINUTE_MS);
  await tick();
  expect(await isInside(chat, personId)).toBe(true);
  await tick();
  await tick();
  expect(await isInside(chat, personId)).toBe(false);
});

it('a stranger who asks is led through the site once, and gets in with the payment', async () => {
  const personId = await newPerson();
  await ask(personId);
  const path = await invitedTo(personId);
  const url = `/api/telegram${path}`;
  expect(await readResponse<ChatInvitation>(scene.follower.get(url))).toEqual({
    title: 'Alpha',
    kind: 'group',
    telegramName: 'Grace',
    callerUsername: scene.caller.handle,
    isReplacing: false,
  });
  const accept = () => scene.follower.post('/api/telegram/join', { token: path.replace('/join/', '') });
  expect(await readResponse<AcceptedInvitation>(accept())).toEqual({
    callerUsername: scene.caller.handle,
    hasAccess: false,
  });
  expect((await accept()).status).toBe(404);
  expect(await isInside(chat, personId)).toBe(false);
  await payNow();
  // The payment approves the request after its response.
  await expect.poll(() => isInside(chat, personId)).toBe(true);
  const links = await readResponse<JoinLink[]>(
    scene.follower.get(`/api/callers/${scene.caller.id}/telegram-chats`),
  );
  expect(links).toEqual([{ kind: 'group', title: 'Alpha', url: chat.joinLink }]);
});

it('a request to join isn’t lost in the second in which the chat became one for subscribers', async () => {
  await query('UPDATE telegram_chats SET paid_since = paid_since - paid_since % 1000 + 999');
  const personId = await connectTelegram(scene.app, scene.follower);
  await payNow();
  await scene.app.services.telegramLinks.disconnect(scene.follower.id);
  await ask(personId);
  expect(await query('SELECT status FROM chat_members')).toEqual([{ status: 'asking' }]);
});

it('a request without a payment is declined after 24 hours', async () => {
  const personId = await newPerson();
  await ask(personId);
  await scene.app.advance(DAY_MS - 2 * MINUTE_MS);
  await tick();
  expect(await query('SELECT status FROM chat_members')).toEqual([{ status: 'asking' }]);
  await tick();
  await tick();
  expect(await query('SELECT status FROM chat_members')).toEqual([]);
  await act('join', personId, { link: chat.joinLink });
  expect(await takeUpdates()).toHaveLength(1);
});

it('a person who has only asked to join gets no private messages until they start the bot', async () => {
  const personId = await newPerson();
  await ask(personId);
  const token = (await invitedTo(personId)).replace('/join/', '');
  await readResponse(scene.follower.post('/api/telegram/join', { token }));
  await payNow();
  await expect.poll(() => isInside(chat, personId)).toBe(true);
  // The bot doesn't tell a follower in private what they read in the chat.
  await act('leave', personId, { chatId: chat.chatId });
  await deliverUpdates(scene.app);
  await makeCall({ caller: scene.caller, mint: MINTS.BONK, price: 1 });
  const [event] = await query<{ id: string }>('SELECT id FROM call_events');
  const range = { eventId: event?.id ?? '', after: '', until: '~', limit: 10 };
  const recipients = async () =>
    (await scene.app.services.callEvents.listFollowers({ ...range, channel: 'telegram' })).userIds;
  expect(await recipients()).toEqual([]);
  await pressStart({ app: scene.app, chatId: personId, payload: '', username: null });
  expect(await recipients()).toEqual([scene.follower.id]);
});

it('a repeated request gets one message, and a person no more than five in an hour', async () => {
  const personId = await newPerson();
  const messages = async () => (await messagesIn(personId)).filter(({ from }) => from === 'bot').length;
  await act('join', personId, { link: chat.joinLink });
  const [update] = await takeUpdates();
  await postUpdate(scene.app, update);
  await postUpdate(scene.app, update);
  expect(await messages()).toBe(1);
  for (let count = 0; count < 8; count++) {
    await scene.app.advance(2_000);
    await act('decline', chat.owner, { chatId: chat.chatId, user: String(personId) });
    await ask(personId);
  }
  expect(await messages()).toBe(5);
});

it('an invitation connects no Telegram account of somebody else', async () => {
  const personId = await newPerson();
  await ask(personId);
  const token = (await invitedTo(personId)).replace('/join/', '');
  const stranger = await scene.app.signIn('stranger');
  await query(
    'INSERT INTO telegram_links (user_id, chat_id, connected_at, updated_at) VALUES (?, ?, 1, 1)',
    stranger.id,
    String(personId),
  );
  const response = await scene.follower.post('/api/telegram/join', { token });
  expect(response.status).toBe(409);
  expect(await query('SELECT user_id FROM telegram_links')).toEqual([{ user_id: stranger.id }]);
});

it('people who came without the bot are listed, with administrators, if they may stay', async () => {
  await query('UPDATE telegram_chats SET removes_others = 0');
  const [guest, admin] = [await newPerson('Guest'), await newPerson('Admin')];
  for (const id of [guest, admin]) {
    // Telegram's times are in whole seconds, and whoever came before the chat was Paid may stay for a while.
    await scene.app.advance(1_000);
    await act('add', chat.owner, { chatId: chat.chatId, user: String(id) });
  }
  await act('promote', chat.owner, { chatId: chat.chatId, user: String(admin), rights: [] });
  await deliverUpdates(scene.app);
  await tick();
  const url = `/api/user/telegram-chats/${chat.chatId}/others`;
  const others = await readResponse<ChatOther[]>(scene.caller.get(url));
  expect(others.map(({ name, isAdmin }) => ({ name, isAdmin }))).toEqual([
    { name: 'Admin', isAdmin: true },
    { name: 'Guest', isAdmin: false },
  ]);
  expect(await readResponse(scene.follower.get(url))).toEqual([]);
  await query('UPDATE telegram_chats SET removes_others = 1');
  await tick();
  expect(await Promise.all([guest, admin].map((id) => isInside(chat, id)))).toEqual([false, true]);
});
