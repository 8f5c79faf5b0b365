import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  DAY_MS,
  MINUTE_MS,
  NOTICE_LIFETIME_MS,
  OUTBOX_BATCH_SIZE,
  SUBSCRIPTION_PERIOD_MS,
} from '#schema/constants.ts';
import { readAnswer } from '../../../test-support/answers.ts';
import { createCaller, createPaidCaller } from '../../../test-support/people/callers.ts';
import { createFundedWallet } from '../../../test-support/payments/chain.ts';
import { query } from '../../../test-support/database/database.ts';
import { insertPastPayments } from '../../../test-support/payments/past-payments.ts';
import { pay } from '../../../test-support/payments/payments.ts';
import { connectTelegram, writtenTo } from '../../../test-support/messages/telegram.ts';
import { createTestApp, type Person, type TestApp } from '../../../test-support/test-app.ts';
import { describeMoment } from '../../../shared/plain-text.ts';

let app: TestApp;
let caller: Person;
let subscriber: Person;
let chatId: number;

beforeEach(async () => {
  app = await createTestApp();
  caller = await createCaller(app, 'amara_calls', '0.5');
  subscriber = await app.signIn('mina_x');
  chatId = await connectTelegram(app, caller);
});

afterEach(() => vi.restoreAllMocks());

/** Inserts settled payments; a trigger writes a notice for each. */
const settle = (count = 1, at = app.clock.now()) =>
  insertPastPayments({ userId: subscriber.id, callerId: caller.id, count, from: at, tie: count });
const announce = async () => {
  const queued = await app.services.paymentNotices.notifyAll();
  expect(await app.sender.deliver()).toEqual([]);
  return queued;
};
const received = () => writtenTo(chatId);
const countNew = async () =>
  (await query('SELECT payment_id FROM payment_notices WHERE queued_at IS NULL')).length;

describe('a caller who was paid', () => {
  it('gets one message with the amount and the end date when the payment is final', async () => {
    const [payment] = await settle();
    await app.runCron();
    expect(await app.sender.deliver()).toEqual([]);
    await announce();
    const endsAt = (payment?.startsAt ?? 0) + SUBSCRIPTION_PERIOD_MS;
    expect(await received()).toEqual([
      `You received 0.45 SOL from a subscriber.\n\nTheir subscription runs until ${describeMoment(endsAt)}.\n\nhttps://solcallers.test/payments/earnings`,
    ]);
    expect(await countNew()).toBe(0);
  });

  it('sees the payer’s name if the payer is also a caller', async () => {
    await readAnswer(subscriber.post('/api/user/become-caller', { subscriptionPrice: '' }), 201);
    await query("UPDATE users SET first_name = 't.me/scam', last_name = 'Tele' WHERE id = ?", subscriber.id);
    await settle();
    await announce();
    expect((await received())[0]).toContain('from \u2068t.\u2060me/\u2060scam Tele\u2069 (@\u2060mina_x).');
  });

  it('gets no message before the payment is final, then one with the amount paid on the chain', async () => {
    const { caller: paid } = await createPaidCaller(app, { handle: 'paid_calls', fee: '0.3' });
    const chat = await connectTelegram(app, paid);
    const { subscription } = await pay({
      person: subscriber,
      payer: await createFundedWallet(),
      callerId: paid.id,
    });
    const [{ id } = { id: '' }] = await query<{ id: string }>('SELECT id FROM payments');
    await announce();
    await app.sender.add({ kind: 'payment_received', id: 'early', userId: paid.id, paymentId: id });
    expect(await app.sender.deliver()).toEqual([]);
    expect(await writtenTo(chat)).toEqual([]);
    await app.advance(MINUTE_MS);
    await app.runCron();
    await app.sender.deliver();
    const received = (await writtenTo(chat)).filter((text) => text.startsWith('You received'));
    expect(received).toEqual([expect.stringMatching(/^You received 0\.27 SOL from a subscriber\./)]);
    expect(received[0]).toContain(`until ${describeMoment(Date.parse(subscription.endDate ?? ''))}.`);
  });

  it('is the only recipient: an event that names another user or the subscriber sends nothing', async () => {
    await settle();
    const chats = [
      await connectTelegram(app, await createCaller(app, 'other_calls')),
      await connectTelegram(app, subscriber),
    ];
    const people = await query<{ user_id: string }>(
      'SELECT user_id FROM telegram_links WHERE user_id <> ?',
      caller.id,
    );
    for (const { user_id: userId } of people) {
      await app.sender.add({ kind: 'payment_received', id: userId, userId, paymentId: 'payment-000000' });
    }
    expect(await app.sender.deliver()).toEqual([]);
    expect(people).toHaveLength(2);
    expect((await Promise.all(chats.map(writtenTo))).flat()).toEqual([]);
  });

  it('gets a message for each of many payments, over several pages', async () => {
    await settle(OUTBOX_BATCH_SIZE + 3);
    expect(await app.services.paymentNotices.notifyAll()).toBe(OUTBOX_BATCH_SIZE + 3);
    expect([(await app.sender.events()).length, await countNew()]).toEqual([OUTBOX_BATCH_SIZE + 3, 0]);
  });

  it('gets one message when eight cron runs overlap', async () => {
    await settle();
    await Promise.all(Array.from({ length: 8 }, () => app.services.paymentNotices.notifyAll()));
    await app.sender.deliver();
    await app.sender.deliver();
    expect(await received()).toHaveLength(1);
  });

  it('gets the message later if the sender rejects the event at first', async () => {
    await settle();
    app.sender.failAfter(0);
    await expect(app.services.paymentNotices.notifyAll()).rejects.toThrow('The sender rejected');
    expect(await countNew()).toBe(1);
    app.sender.failAfter(1);
    await announce();
    expect([(await received()).length, await countNew()]).toEqual([1, 0]);
  });

  it('gets no message about a payment that is a day old, which is marked as handled', async () => {
    await settle(1, app.clock.now() - NOTICE_LIFETIME_MS);
    expect(await announce()).toBe(0);
    await app.advance(DAY_MS);
    expect([await announce(), await received(), await countNew()]).toEqual([0, [], 0]);
  });

  it('gets no message without Telegram, and no backlog after connecting Telegram', async () => {
    await readAnswer(caller.delete('/api/user/telegram-disconnect'));
    await settle();
    expect([await announce(), await app.sender.events(), await countNew()]).toEqual([0, [], 0]);
    chatId = await connectTelegram(app, caller);
    await announce();
    expect(await received()).toEqual([]);
  });
});
