import { beforeEach, expect, it, vi } from 'vitest';
import { SUBSCRIPTION_PERIOD_MS } from '#schema/constants/money.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#schema/constants/time.ts';
import type { ChatOther, JoinLink } from '#schema/contracts/telegram-access.ts';
import type { TelegramChats } from '#schema/contracts/telegram-chats.ts';
import { makeCall, MINTS } from '#test/people/callers.ts';
import { countRows } from '#test/database/count-rows.ts';
import { insertRows } from '#test/database/insert-rows.ts';
import { query } from '#test/database/database.ts';
import {
  connectTelegram,
  messagesIn,
  openChat,
  postUpdate,
  requestLink,
  takeReply,
  textUpdate,
} from '#test/messages/telegram.ts';
import {
  act,
  BOT,
  connectGroup,
  deliverUpdates,
  isInside,
  takeUpdates,
} from '#test/messages/telegram-chats.ts';
import { pay } from '#test/payments/payments.ts';
import { createPaymentScene, type PaymentScene } from '#test/payments/payment-scene.ts';
import { readResponse } from '#test/responses.ts';
import { control, createTestApp, testEnv } from '#test/test-app.ts';
import { createDatabase } from '../../../shared/database.ts';
import { createAccessRepository } from './access.repository.ts';

let scene: PaymentScene;
let chat: Awaited<ReturnType<typeof connectGroup>>;

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

/** Creates a person on Telegram whom the bot doesn't know. */
async function newPerson(firstName = 'Grace'): Promise<number> {
  const { id } = await control<{ id: number }>('POST', '/telegram/users', { firstName });
  return id;
}

async function ask(personId: number): Promise<void> {
  await act('join', personId, { link: chat.joinLink });
  await deliverUpdates(scene.app);
}

/** The bot's messages to a person, with their buttons. */
const writtenWithButtons = async (personId: number) =>
  (await messagesIn(personId)).map(({ text, buttons }) => ({ text, buttons }));

const newestTo = async (personId: number) =>
  (await writtenWithButtons(personId)).at(-1) ?? { text: '', buttons: [] };

/** The follower opens the dashboard's Start link with a Telegram account. */
async function pressStartAs(personId: number): Promise<void> {
  const payload = await requestLink(scene.follower);
  await control('POST', '/telegram/start', { handle: String(personId), payload });
  await deliverUpdates(scene.app);
}

const letInMessage = () => ({
  text: 'You can read \u2068Alpha\u2069 now.',
  buttons: [{ text: 'Open the chat', url: chat.joinLink }],
});

it('a subscriber with connected Telegram joins the chat immediately and is removed when the period ends', async () => {
  const personId = await connectTelegram(scene.app, scene.follower);
  await payNow();
  await deliverUpdates(scene.app);
  const before = await messagesIn(personId);
  await ask(personId);
  expect(await isInside(chat, personId)).toBe(true);
  expect(await messagesIn(personId)).toEqual(before);
  await scene.app.advance(SUBSCRIPTION_PERIOD_MS - 3 * MINUTE_MS);
  await tick();
  expect(await isInside(chat, personId)).toBe(true);
  await tick();
  await tick();
  expect(await isInside(chat, personId)).toBe(false);
  for (let run = 0; run < 2; run += 1) {
    await scene.app.runJobs('messages');
    await scene.app.sender.deliver();
    await tick();
  }
  const removals = (await messagesIn(personId)).filter(({ text }) =>
    text.startsWith('You were removed from'),
  );
  expect(removals).toMatchObject([
    {
      text: expect.stringContaining(`for subscribers of @\u2060${scene.caller.handle}`) as string,
      buttons: [{ text: 'Subscribe', url: `https://solcallers.test/caller/${scene.caller.id}#join` }],
    },
  ]);
});

it('after the bot was no administrator, a subscriber in the chat gets private messages until Telegram names them again', async () => {
  const { app, caller } = scene;
  const personId = await connectTelegram(app, scene.follower);
  await payNow();
  await ask(personId);
  for (const action of ['demote', 'promote']) {
    await chat.act(action, { user: BOT });
    await deliverUpdates(app);
  }
  await tick();
  const before = (await messagesIn(personId)).length;
  await makeCall({ caller, mint: MINTS.BONK, price: 1 });
  await app.chatSender.deliver();
  await app.sender.deliver();
  expect((await messagesIn(personId)).length).toBe(before + 1);
  expect(await isInside(chat, personId)).toBe(true);
  await app.advance(5_000);
  await chat.act('promote', { user: String(personId), rights: [] });
  await deliverUpdates(app);
  const seen = (await messagesIn(personId)).length;
  await makeCall({ caller, mint: MINTS.WIF, price: 1 });
  await app.chatSender.deliver();
  await app.sender.deliver();
  expect((await messagesIn(personId)).length).toBe(seen);
});

it('a repeated old update about the lost rights ends no doubt about members', async () => {
  const doubts: unknown[] = [];
  await chat.act('demote', { user: BOT });
  const old = await takeUpdates();
  await scene.app.advance(5_000);
  for (const action of ['promote', 'demote']) await chat.act(action, { user: BOT });
  await deliverUpdates(scene.app);
  doubts.push(await query('SELECT doubted_before FROM telegram_chats'));
  for (const update of old) await postUpdate(scene.app, update);
  doubts.push(await query('SELECT doubted_before FROM telegram_chats'));
  expect(doubts[1]).toEqual(doubts[0]);
});

it('a stranger who requests to join, then pays and then presses Start is let in', async () => {
  const personId = await newPerson();
  await ask(personId);
  const { text, buttons } = await newestTo(personId);
  expect(text).toContain(`is for subscribers of @\u2060${scene.caller.handle}`);
  // The link has no secret, so it connects nothing if another person opens it.
  expect(buttons).toEqual([
    { text: 'Get access', url: `https://solcallers.test/caller/${scene.caller.id}#join` },
  ]);
  await payNow();
  const links = await readResponse<JoinLink[]>(
    scene.follower.get(`/api/callers/${scene.caller.id}/telegram-chats`),
  );
  expect(links).toEqual([{ kind: 'group', title: 'Alpha', url: chat.joinLink }]);
  await tick();
  expect(await isInside(chat, personId)).toBe(false);
  await pressStartAs(personId);
  // The approval of the request doesn't wait for the reply to Start.
  await expect.poll(() => writtenWithButtons(personId)).toContainEqual(letInMessage());
  expect(await isInside(chat, personId)).toBe(true);
});

it('a stranger gets the instructions to join later if the first attempt to send them fails', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  await control('POST', '/faults', { service: 'telegram', status: 500, path: 'sendMessage', count: 1 });
  const personId = await newPerson();
  await ask(personId);
  expect(warn.mock.calls.join('\n')).toContain('chat.refused');
  expect((await newestTo(personId)).text).toBe('');
  for (const _ of [1, 2, 3]) await tick();
  expect((await messagesIn(personId)).map(({ text }) => text)).toEqual([
    expect.stringContaining('is for subscribers of'),
  ]);
});

it('Start shows a subscriber the links to callers’ chats, and shows none to a person without a subscription', async () => {
  const start = async () =>
    (
      await takeReply(
        scene.app,
        textUpdate({ chatId: await newPerson(), text: `/start ${await requestLink(scene.follower)}` }),
      )
    )?.reply_markup?.inline_keyboard ?? [];
  expect(await start()).toEqual([]);
  await payNow();
  expect(await start()).toEqual([[{ text: 'Join the group \u2068Alpha\u2069', url: chat.joinLink }]]);
});

it('a request to join is recorded even in the second in which the chat became subscribers-only', async () => {
  await query('UPDATE telegram_chats SET paid_since = paid_since - paid_since % 1000 + 999');
  const personId = await connectTelegram(scene.app, scene.follower);
  await payNow();
  await scene.app.services.telegramLinks.disconnect(scene.follower.id);
  await ask(personId);
  expect(await query('SELECT status FROM chat_members')).toEqual([{ status: 'asking' }]);
});

it('a request to join without a payment is declined after 24 hours', async () => {
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

it('a person who requests to join again and again gets at most five messages an hour', async () => {
  const personId = await newPerson();
  for (let count = 0; count < 8; count++) {
    await scene.app.advance(2_000);
    await ask(personId);
    await chat.act('decline', { user: String(personId) });
  }
  expect((await messagesIn(personId)).filter(({ from }) => from === 'bot')).toHaveLength(5);
});

it('chat members whom the bot did not admit are listed, and removed if the caller turns that on', async () => {
  await query('UPDATE telegram_chats SET removes_others = 0');
  const [guest, admin] = [await newPerson('Guest'), await newPerson('Admin')];
  for (const id of [guest, admin]) {
    // Telegram's times are in whole seconds, and members from before the chat was Paid may stay for a while.
    await scene.app.advance(1_000);
    await chat.act('add', { user: String(id) });
  }
  await chat.act('promote', { user: String(admin), rights: [] });
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

it('a page of the others reads no more rows in a chat with 5,000 of them', async () => {
  await query(`
    WITH RECURSIVE numbers (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM numbers LIMIT 5000)
    INSERT INTO chat_members (chat_id, person_id, name, status, is_by_us, since)
    SELECT ${chat.chatId}, 1000000 + value, 'Guest', 'in', 0, value FROM numbers`);
  let read = 0;
  const DB = countRows(testEnv.DB, ({ sql, rows }) => {
    if (sql.includes('FROM chat_members')) read += rows;
  });
  const app = await createTestApp({ bindings: { DB } });
  const url = `/api/user/telegram-chats/${chat.chatId}/others?limit=20`;
  expect(await readResponse(app.browser(scene.caller).get(url))).toHaveLength(20);
  expect(read).toBeLessThan(100);
});

it('a change to Free reads no members of a chat with 10,000, and lets in those who ask in slices by the cron', async () => {
  const asking = await newPerson();
  await ask(asking);
  await query(`
    WITH RECURSIVE numbers (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM numbers LIMIT 10000)
    INSERT INTO chat_members (chat_id, person_id, name, status, is_by_us, since)
    SELECT ${chat.chatId}, 1000000 + value, 'Guest', 'in', 0, value FROM numbers`);
  let read: number[] = [];
  const DB = countRows(testEnv.DB, ({ rows }) => read.push(rows));
  const app = await createTestApp({ bindings: { DB } });
  const caller = app.browser(scene.caller);
  await readResponse(caller.patch('/api/user/caller-profile', { monthlyFee: null }));
  expect(Math.max(...read)).toBeLessThan(100);
  for (let run = 0; run < 6; run += 1) {
    read = [];
    await app.advance(MINUTE_MS);
    await app.runJobs('chats');
    expect(Math.max(...read)).toBeLessThan(2 * 2_000 + 100);
  }
  expect(await isInside(chat, asking)).toBe(true);
  expect(await query('SELECT recheck_after FROM telegram_chats')).toEqual([{ recheck_after: null }]);
  // A member of a Free caller's chat needn't be checked.
  expect(await query('SELECT COUNT(*) AS due FROM chat_members WHERE check_at <= 1')).toEqual([{ due: 0 }]);
});

it('the bot’s lost and regained rights read no members of a chat with 10,000, and failed checks are repeated in slices', async () => {
  const failedAt = scene.app.clock.now() + HOUR_MS;
  await query(`
    WITH RECURSIVE numbers (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM numbers LIMIT 10000)
    INSERT INTO chat_members (chat_id, person_id, name, status, is_by_us, since, check_at)
    SELECT ${chat.chatId}, 1000000 + value, 'Guest', 'in', 0, value, ${failedAt} FROM numbers`);
  let read: number[] = [];
  const DB = countRows(testEnv.DB, ({ rows }) => read.push(rows));
  const app = await createTestApp({ bindings: { DB } });
  for (const action of ['demote', 'promote']) {
    await chat.act(action, { user: BOT });
    await deliverUpdates(app);
  }
  expect(Math.max(...read)).toBeLessThan(100);
  for (let run = 0; run < 6; run += 1) {
    read = [];
    await app.advance(MINUTE_MS);
    await app.runJobs('chats');
    expect(Math.max(...read)).toBeLessThan(3 * 2_000 + 100);
  }
  expect(await query('SELECT 1 FROM chat_members WHERE check_at = ?', failedAt)).toEqual([]);
});

it('a chat with 2,500 members whose rules change every minute keeps no other chat waiting', async () => {
  await query('UPDATE telegram_chats SET recheck_after = NULL, removes_others = 0');
  const guest = await newPerson('Guest');
  await scene.app.advance(1_000);
  await chat.act('add', { user: String(guest) });
  await deliverUpdates(scene.app);
  await tick();
  const crowded = { chat_id: '-1', caller_id: scene.follower.id, kind: 'group', checked_at: 9e15 };
  await insertRows('callers', [{ caller_id: scene.follower.id, fee_lamports: 1_000 }]);
  await insertRows('telegram_chats', [{ ...crowded, paid_since: 1 }]);
  // Their rows are older than the guest's.
  await query(`
    WITH RECURSIVE numbers (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM numbers LIMIT 2500)
    INSERT INTO chat_members (rowid, chat_id, person_id, name, status, is_by_us, since)
    SELECT -value, '-1', 1000000 + value, 'Guest', 'admin', 0, value FROM numbers`);
  const isGuestIn: boolean[] = [];
  for (let run = 0; run < 20; run += 1) {
    await query("UPDATE telegram_chats SET removes_others = 1 - removes_others WHERE chat_id = '-1'");
    if (run === 2) await query("UPDATE telegram_chats SET removes_others = 1 WHERE chat_id <> '-1'");
    await tick();
    isGuestIn.push(await isInside(chat, guest));
  }
  expect([isGuestIn[0], isGuestIn.at(-1)]).toEqual([true, false]);
});

it('a claim reads no more rows with 10,000 members due, first those who are due by themselves', async () => {
  await query(`
    WITH RECURSIVE numbers (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM numbers LIMIT 10000)
    INSERT INTO chat_members (chat_id, person_id, name, status, is_by_us, since, check_at)
    SELECT ${chat.chatId}, 1000000 + value, 'Guest', 'in', 0, value, value > 9990 FROM numbers`);
  const read: number[] = [];
  const DB = countRows(testEnv.DB, ({ sql, rows }) => {
    if (sql.startsWith('UPDATE chat_members')) read.push(rows);
  });
  const app = await createTestApp({ bindings: { DB } });
  const claimed = await createAccessRepository(createDatabase(DB)).claimDue({
    now: app.clock.now(),
    limit: 20,
  });
  expect(claimed.filter(({ personId }) => Number(personId) > 1_009_990)).toHaveLength(10);
  expect(claimed).toHaveLength(20);
  expect(Math.max(...read)).toBeLessThan(150);
});

it('a request that Telegram refuses for a while is retried when it says, and holds up no other request', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  await payNow();
  await deliverUpdates(scene.app);
  const [first, second] = [await connectTelegram(scene.app, scene.follower), await newPerson('Other')];
  await control('POST', '/faults', {
    service: 'telegram',
    status: 429,
    path: 'approveChatJoinRequest',
    count: 1,
  });
  await act('join', first, { link: chat.joinLink });
  await act('join', second, { link: chat.joinLink });
  await deliverUpdates(scene.app);
  expect(await isInside(chat, first)).toBe(false);
  expect((await newestTo(second)).text).toContain('is for subscribers of');
  const before = scene.app.clock.now();
  await scene.app.rebroadcaster.fireJoins();
  expect(await isInside(chat, first)).toBe(true);
  expect(scene.app.clock.now() - before).toBeLessThan(MINUTE_MS);
});

it.each(['approve', 'decline'])(
  'a request that an administrator has decided meanwhile (%s) is not retried, and the next one is approved',
  async (decision) => {
    const warnings = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    await payNow();
    const person = await connectTelegram(scene.app, scene.follower);
    const fault = { service: 'telegram', status: 429, path: 'approveChatJoinRequest', count: 1 };
    await control('POST', '/faults', fault);
    await ask(person);
    await chat.act(decision, { user: String(person) });
    warnings.mockClear();
    await scene.app.rebroadcaster.fireJoins();
    await tick();
    expect(warnings).not.toHaveBeenCalled();
    if (decision === 'decline') await ask(person);
    expect(await isInside(chat, person)).toBe(true);
  },
);

it('a revoked link for subscribers is replaced within the hour', async () => {
  await chat.act('revoke-link', { link: chat.joinLink });
  const linkNow = async () =>
    (await query<{ link: string }>('SELECT join_link AS link FROM telegram_chats'))[0]?.link ?? '';
  await scene.app.advance(HOUR_MS + MINUTE_MS);
  await scene.app.runJobs('chats');
  expect(await linkNow()).not.toBe(chat.joinLink);
  const personId = await newPerson();
  await act('join', personId, { link: await linkNow() });
  expect(await takeUpdates()).toHaveLength(1);
});

it('the caller gets a new link for subscribers, and the old one stops working', async () => {
  const url = `/api/user/telegram-chats/${chat.chatId}`;
  const { chats } = await readResponse<TelegramChats>(scene.caller.patch(url, { newLink: true }));
  expect(chats[0]?.joinLink).toMatch(/^http/);
  expect(chats[0]?.joinLink).not.toBe(chat.joinLink);
  await expect(act('join', await newPerson(), { link: chat.joinLink })).rejects.toThrow('expired');
});

it('the bot writes to somebody who asks to join in the chat that Telegram names', async () => {
  const [personId, contactId] = [await newPerson(), await openChat()];
  await act('join', personId, { link: chat.joinLink });
  for (const update of await takeUpdates()) {
    const { chat_join_request: request, ...rest } = update as { chat_join_request?: object } & typeof update;
    const named = request && { chat_join_request: { ...request, user_chat_id: contactId } };
    await postUpdate(scene.app, { ...rest, ...named });
  }
  expect((await newestTo(contactId)).text).toContain('is for subscribers of');
});
