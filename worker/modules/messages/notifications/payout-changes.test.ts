import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DAY_MS, HOUR_MS } from '#schema/constants.ts';
import { shortenAddress } from '#schema/rules/text/format.ts';
import { readAnswer } from '../../../test-support/answers.ts';
import { createCaller, proveWallet } from '../../../test-support/people/callers.ts';
import { createFundedWallet } from '../../../test-support/payments/chain.ts';
import { query } from '../../../test-support/database/database.ts';
import { connectTelegram, writtenTo } from '../../../test-support/messages/telegram.ts';
import { control, createTestApp, type Person, type TestApp } from '../../../test-support/test-app.ts';
import { describeMoment } from '../../../shared/plain-text.ts';

const OLD = 'OldPayoutWa11etMadeUpForTests111111111111111';
const NEW = 'NewPayoutWa11etMadeUpForTests111111111111111';

let app: TestApp;
let caller: Person;
let chatId: number;

beforeEach(async () => {
  app = await createTestApp();
  caller = await createCaller(app, 'amara_calls', '0.5');
  chatId = await connectTelegram(app, caller);
});

afterEach(() => vi.restoreAllMocks());

/** Changes the payout wallet directly in the database. */
const change = (address: string | null) =>
  query('UPDATE callers SET payout_address = ?, updated_at = ?', address, app.clock.now());
const announce = async () => {
  await app.runJobs('payouts');
  expect(await app.sender.deliver()).toEqual([]);
};
const received = () => writtenTo(chatId);
const countNew = async () => (await query('SELECT seq FROM payout_changes WHERE queued_at IS NULL')).length;

describe('a caller whose payout wallet changes', () => {
  it('gets one message with the old and new wallet, the time, and what to do if somebody else changed it', async () => {
    await change(OLD);
    await announce();
    await app.advance(HOUR_MS);
    await change(NEW);
    const at = app.clock.now();
    await announce();
    await announce();
    expect((await received()).slice(1)).toEqual([
      `Your payout wallet was changed.\n\nFrom: OldP…1111\nTo: NewP…1111\nWhen: ${describeMoment(at)}\n\nIf you didn't change it, someone else can sign in to your account. On X, change your password and log out of all other sessions. Then, on your dashboard, log out all others and choose your own wallet again.\n\nhttps://solcallers.test/dashboard`,
    ]);
    expect(await countNew()).toBe(0);
  });

  it('gets a message when the first payout wallet is set and when it is removed', async () => {
    const wallet = await createFundedWallet(1);
    await proveWallet(caller, wallet);
    await announce();
    await change(null);
    await announce();
    const address = shortenAddress(wallet.publicKey.toBase58());
    expect((await received()).map((text) => text.split('\n').slice(2, 4))).toEqual([
      ['From: none', `To: ${address}`],
      [`From: ${address}`, 'To: none'],
    ]);
  });

  it('gets one message per change, oldest first, including a change back', async () => {
    await change(OLD);
    await change(NEW);
    await change(OLD);
    await change(null);
    await announce();
    expect((await received()).map((text) => text.split('\n')[3])).toEqual([
      'To: OldP…1111',
      'To: NewP…1111',
      'To: OldP…1111',
      'To: none',
    ]);
  });

  it('gets one message when eight cron runs overlap', async () => {
    await change(OLD);
    await Promise.all(Array.from({ length: 8 }, () => app.runJobs('payouts')));
    await app.sender.deliver();
    await app.sender.deliver();
    expect(await received()).toHaveLength(1);
  });

  it('gets the message later if the sender rejects the event at first', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    await change(OLD);
    app.sender.failAfter(0);
    await app.runJobs('payouts');
    expect(await countNew()).toBe(1);
    app.sender.failAfter(1);
    await announce();
    expect([await received(), await countNew()]).toEqual([[expect.stringContaining('OldP…1111')], 0]);
  });

  it('gets no message without Telegram, and no backlog after connecting Telegram', async () => {
    await readAnswer(caller.delete('/api/user/telegram-disconnect'));
    await change(OLD);
    await announce();
    expect([await app.sender.events(), await countNew()]).toEqual([[], 0]);
    chatId = await connectTelegram(app, caller);
    await announce();
    expect(await received()).toEqual([]);
  });

  it('gets no message about a new fee', async () => {
    await readAnswer(caller.patch('/api/user/caller-profile', { monthlyFee: null }));
    await announce();
    expect(await received()).toEqual([]);
  });

  it('is the only recipient: an event that names another user sends nothing', async () => {
    const other = await createCaller(app, 'other_calls');
    const theirs = await connectTelegram(app, other);
    await change(OLD);
    const [{ seq } = { seq: 0 }] = await query<{ seq: number }>(
      'SELECT seq FROM payout_changes WHERE caller_id = ?',
      caller.id,
    );
    await app.sender.add({ kind: 'payout_changed', id: 'forged', userId: other.id, seq });
    expect(await app.sender.deliver()).toEqual([]);
    expect(await writtenTo(theirs)).toEqual([]);
  });

  it('gets a message that waited for 23 hours and failed once', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    await change(OLD);
    await app.runJobs('payouts');
    await control('POST', '/faults', { service: 'telegram', path: 'sendMessage', status: 500, count: 1 });
    await app.advance(DAY_MS - HOUR_MS);
    expect(await app.sender.deliver()).toEqual([10]);
    expect(await app.sender.deliver()).toEqual([]);
    expect(await received()).toHaveLength(1);
  });
});
