import { beforeEach, expect, it } from 'vitest';
import { DAY_MS, MINUTE_MS, SUBSCRIPTION_PERIOD_MS } from '#schema/constants.ts';
import type { AcceptedInvitation, ChatInvitation, JoinLink } from '#schema/contracts/telegram-access.ts';
import { query } from '../../../test-support/database/database.ts';
import { connectTelegram, messagesIn } from '../../../test-support/messages/telegram.ts';
import {
  act,
  connectGroup,
  deliverUpdates,
  isInside,
  takeUpdates,
  type TestChat,
} from '../../../test-support/messages/telegram-chats.ts';
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
