import { beforeEach, expect, it, vi } from 'vitest';
import { NOTICE_LIFETIME_MS, NOTIFICATION_KINDS } from '#schema/constants/messages.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#schema/constants/time.ts';
import { START_AT_ONCE } from '#schema/rules/text/start-at-once.ts';
import { shortenAddress } from '#schema/rules/text/format.ts';
import { readResponse } from '#test/responses.ts';
import { createCaller, createPaidCaller, proveWallet } from '#test/people/callers.ts';
import { createFundedWallet } from '#test/payments/chain.ts';
import { setPayout } from '#test/people/payout.ts';
import { query } from '#test/database/database.ts';
import { insertPastPayments } from '#test/payments/past-payments.ts';
import { pay } from '#test/payments/payments.ts';
import { connectTelegram, writtenTo } from '#test/messages/telegram.ts';
import { control, createTestApp, type Person, type TestApp } from '#test/test-app.ts';
import { describeTime } from '../../../shared/plain-text.ts';

const OLD = 'OldPayoutWa11etMadeUpForTests111111111111111';
const NEW = 'NewPayoutWa11etMadeUpForTests111111111111111';

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

/** Inserts finalized payments with their notices. */
const finalize = (count = 1, at = app.clock.now()) =>
  insertPastPayments({ userId: subscriber.id, callerId: caller.id, count, from: at, tie: count });
/** Changes the payout wallet directly in the database. */
const changeWallet = (address: string | null) => setPayout(address, { at: app.clock.now() });
const announce = async () => {
  await app.runJobs('messages');
  expect(await app.sender.deliver()).toEqual([]);
};
const received = () => writtenTo(chatId);
const countNew = async () => (await query('SELECT * FROM facts WHERE is_reminder = 0')).length;

it('the notice of a payment names the payer if the payer is also a caller', async () => {
  await readResponse(subscriber.post('/api/user/become-caller', { subscriptionPrice: '' }), 201);
  await query("UPDATE users SET first_name = 't.me/scam', last_name = 'Tele' WHERE id = ?", subscriber.id);
  await finalize();
  await announce();
  expect((await received())[0]).toContain('from \u2068t.\u2060me/\u2060scam Tele\u2069 (@\u2060mina_x).');
});

it('both sides of a payment hear of it once it is final, the payer also that access began at once', async () => {
  const { caller: paid } = await createPaidCaller(app, { handle: 'paid_calls', fee: '0.3' });
  const [chat, ownChat] = [await connectTelegram(app, paid), await connectTelegram(app, subscriber)];
  const { subscription } = await pay({ person: subscriber, callerId: paid.id });
  const [{ id: subject } = { id: '' }] = await query<{ id: string }>('SELECT id FROM payments');
  await announce();
  await app.sender.add({ kind: 'payment_received', id: 'early', userId: paid.id, subject });
  expect(await app.sender.deliver()).toEqual([]);
  const payments = async () =>
    (await writtenTo(chat)).filter((text) => !text.startsWith('Your payout wallet'));
  expect(await payments()).toEqual([]);
  await app.advance(MINUTE_MS);
  await app.runJobs('payments', 'messages');
  await app.sender.deliver();
  expect(await payments()).toEqual([
    expect.stringMatching(/^You received 0\.27 SOL from a subscriber\.[^]*\/payments\/earnings$/),
  ]);
  const end = describeTime(Date.parse(subscription.endDate ?? ''));
  expect((await payments())[0]).toContain(`until ${end}.`);
  const [own = '', ...others] = await writtenTo(ownChat);
  expect(own).toMatch(/^You paid 0\.3 SOL for 30 days of .*\(@\u2060paid_calls\)\./);
  expect(own).toContain(` until ${end}.\n\n${START_AT_ONCE.record}\n\nhttps://solcallers.test/payments/`);
  expect(others).toEqual([]);
});

it('the notice of a changed payout wallet has both wallets, the time and what to do after a theft', async () => {
  await changeWallet(OLD);
  await announce();
  await app.advance(HOUR_MS);
  await changeWallet(NEW);
  const at = app.clock.now();
  await announce();
  expect((await received()).slice(1)).toEqual([
    `Your payout wallet was changed.\n\nFrom: OldP…1111\nTo: NewP…1111\nWhen: ${describeTime(at)}\n\nIf you didn't change it, someone else can sign in to your account. On X, change your password and log out of all other sessions. Then, in your settings, end all others and choose your own wallet again.\n\nhttps://solcallers.test/settings/wallets`,
  ]);
});

it('the notice of a changed payout wallet is sent for each change in order, but not for a new fee', async () => {
  const wallet = await createFundedWallet(1);
  await proveWallet(caller, wallet);
  await readResponse(caller.patch('/api/user/caller-profile', { monthlyFee: null }));
  await changeWallet(NEW);
  await changeWallet(OLD);
  await changeWallet(NEW);
  await changeWallet(null);
  await announce();
  const address = shortenAddress(wallet.publicKey.toBase58());
  expect((await received()).map((text) => text.split('\n').slice(2, 4))).toEqual([
    ['From: none', `To: ${address}`],
    [`From: ${address}`, 'To: NewP…1111'],
    ['From: NewP…1111', 'To: OldP…1111'],
    ['From: OldP…1111', 'To: NewP…1111'],
    ['From: NewP…1111', 'To: none'],
  ]);
});

it('the notice of a changed payout wallet is sent even after 23 hours and if all messages are switched off', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  for (const kind of NOTIFICATION_KINDS) {
    await query('INSERT INTO notification_opt_outs (user_id, kind) VALUES (?, ?)', caller.id, kind);
  }
  await changeWallet(OLD);
  await finalize();
  await app.runJobs('messages');
  await control('POST', '/faults', { service: 'telegram', path: 'sendMessage', status: 500, count: 1 });
  await app.advance(DAY_MS - HOUR_MS);
  expect(await app.sender.deliver()).toEqual([10]);
  expect(await app.sender.deliver()).toEqual([]);
  expect(await received()).toEqual([expect.stringMatching(/^Your payout wallet/)]);
});

it('a day-old notice about a payout wallet is still sent, but a day-old notice about a payment is not', async () => {
  await finalize(1, app.clock.now() - NOTICE_LIFETIME_MS);
  await setPayout(OLD, { at: 0 });
  expect(await app.services.messagesWriter.write()).toBe(2);
  await app.sender.deliver();
  expect([await received(), await countNew()]).toEqual([[expect.stringMatching(/^Your payout wallet/)], 0]);
});

it('notices are not sent to a user without Telegram, not even after connecting Telegram', async () => {
  await readResponse(caller.delete('/api/user/telegram-disconnect'));
  await finalize();
  await changeWallet(OLD);
  expect(await app.services.messagesWriter.write()).toBe(2);
  expect([await app.sender.events(), await countNew()]).toEqual([[], 0]);
  chatId = await connectTelegram(app, caller);
  await announce();
  expect(await received()).toEqual([]);
});

it('a notice event that names another user sends nothing', async () => {
  await finalize();
  await changeWallet(OLD);
  await announce();
  expect(await received()).toHaveLength(2);
  const others = [await createCaller(app, 'other_calls'), subscriber];
  const chats = await Promise.all(others.map((person) => connectTelegram(app, person)));
  const [{ seq } = { seq: 0 }] = await query<{ seq: number }>(
    'SELECT seq FROM payout_changes WHERE caller_id = ?',
    caller.id,
  );
  const subjects = [
    ['payment_received', 'payment-000000'],
    ['payout_changed', String(seq)],
  ] as const;
  for (const { id: userId } of others) {
    for (const [kind, subject] of subjects) {
      await app.sender.add({ kind, id: `${kind} ${userId}`, userId, subject });
    }
  }
  expect(await app.sender.deliver()).toEqual([]);
  expect((await Promise.all(chats.map(writtenTo))).flat()).toEqual([]);
  for (const [kind, subject] of subjects) {
    await app.sender.add({ kind, id: kind, userId: caller.id, subject });
  }
  await app.sender.deliver();
  expect(await received()).toHaveLength(4);
});
