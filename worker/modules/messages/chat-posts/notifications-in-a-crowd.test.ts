import { expect, it } from 'vitest';
import type { DeliveryLogEntry } from '#schema/contracts/notifications.ts';
import { insertRows } from '#test/database/insert-rows.ts';
import { connectChat } from '#test/messages/telegram-chats.ts';
import { newHandle, openChat, type ChatMessage } from '#test/messages/telegram.ts';
import { createPaidCaller, endCall, makeCall, MINTS } from '#test/people/callers.ts';
import { gatherFollowers } from '#test/people/crowd.ts';
import { readResponse } from '#test/responses.ts';
import { control, createTestApp } from '#test/test-app.ts';

const IN_GROUP = 200;
const OUTSIDE = 40;

it('Telegram notifies each of 200 followers in the group and 40 outside once of each update and of the end', async () => {
  const app = await createTestApp();
  const { caller } = await createPaidCaller(app, { handle: 'amara_calls' });
  const chat = await connectChat({ caller });
  const people: number[] = [];
  for (let number = 0; number < IN_GROUP + OUTSIDE; number += 1) people.push(await openChat(newHandle()));
  await gatherFollowers({ callerId: caller.id, count: people.length, first: people[0] ?? 0 });
  const members = people.slice(0, IN_GROUP);
  for (const user of members) await chat.act('add', { user: String(user) });
  await insertRows(
    'chat_members',
    members.map((id) => ({ chat_id: String(chat.chatId), person_id: String(id) })),
  );
  const call = await makeCall({ caller, mint: MINTS.WIF, price: 2 });

  let seen = (await control<ChatMessage[]>('GET', '/messages')).length;
  /** Sends what waits. Returns how often each person was notified meanwhile. */
  const notify = async () => {
    await app.chatSender.deliver();
    while ((await app.sender.deliver()).length > 0) await app.advance(1_000);
    const messages = await control<ChatMessage[]>('GET', '/messages');
    const notified = messages.slice(seen).flatMap((each) => each.notified);
    seen = messages.length;
    return people.map((id) => notified.filter((each) => each === id).length);
  };
  const once = people.map(() => 1);
  const update = (message: string) =>
    readResponse(caller.post('/api/telegram/send-update', { callId: call.id, message }));

  expect(await notify()).toEqual(once);
  await update('Take half off.');
  expect(await notify()).toEqual(once);
  await update('Sell now.');
  expect(await notify()).toEqual(once);
  await endCall({ caller, call, price: 3 });
  expect(await notify()).toEqual(once);
  const log = await readResponse<DeliveryLogEntry[]>(caller.get('/api/telegram/deliveries'));
  // The bot and the owner are members, too.
  const chats = [{ kind: 'group', members: IN_GROUP + 2 }];
  const counts = { recipients: OUTSIDE, delivered: OUTSIDE, chats };
  expect(log).toMatchObject([counts, counts, counts, counts]);
}, 120_000);
