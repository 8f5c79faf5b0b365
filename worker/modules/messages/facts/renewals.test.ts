import type { Keypair } from '@solana/web3.js';
import { beforeEach, expect, it, vi } from 'vitest';
import { NOTICE_LIFETIME_MS, NOTIFICATION_LIFETIME_MS } from '#schema/constants/messages.ts';
import { RENEWAL_REMINDER_DAYS } from '#schema/constants/money.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#schema/constants/time.ts';
import { endsAtStage, type RenewalStage } from '#schema/rules/access/renewal.ts';
import { readResponse } from '#test/responses.ts';
import { createCaller, createPaidCaller, keepCallersActive } from '#test/people/callers.ts';
import { createFundedWallet } from '#test/payments/chain.ts';
import { gatherFollowers } from '#test/people/crowd.ts';
import { countRows } from '#test/database/count-rows.ts';
import { setPayout } from '#test/people/payout.ts';
import { query, readDatabase } from '#test/database/database.ts';
import { land, pay } from '#test/payments/payments.ts';
import { openRefund, searchRefunds, signRefund } from '#test/payments/refunds.ts';
import { connectTelegram, messagesIn, writtenTo } from '#test/messages/telegram.ts';
import { control, createTestApp, testEnv, type Person, type TestApp } from '#test/test-app.ts';
import { describeTime } from '../../../shared/plain-text.ts';
import { FACTS_PER_PAGE } from './messages-writer.ts';

let app: TestApp;
let caller: Person;
let payout: Keypair;
let follower: Person;
let payer: Keypair;
let chatId: number;

beforeEach(async () => {
  app = await createTestApp();
  ({ caller, payout } = await createPaidCaller(app, { handle: 'amara_calls' }));
  await keepCallersActive();
  await query('DELETE FROM facts');
  follower = await app.signIn('follower');
  payer = await createFundedWallet();
  chatId = await connectTelegram(app, follower);
});

/** Lets the follower pay. Returns the end of the subscription. */
async function subscribe(): Promise<number> {
  follower = await app.signIn('follower');
  const { subscription } = await pay({ person: follower, payer, callerId: caller.id });
  return Date.parse(subscription.endDate ?? '');
}

const setFee = async (monthlyFee: string | null) =>
  readResponse((await app.signIn('amara_calls')).patch('/api/user/caller-profile', { monthlyFee }));
const goTo = (timestamp: number) => app.advance(timestamp - app.clock.now());
interface Reminder {
  readonly callerId?: string;
  readonly endsAt: number;
  readonly stage: RenewalStage;
}

/** A reminder event made by the test. */
const renewal = ({ callerId = caller.id, endsAt, stage }: Reminder) => ({
  kind: 'renewal',
  id: `test:${endsAt}:${stage}`,
  userId: follower.id,
  subject: `${follower.id}:${callerId}:${endsAt}:${stage}`,
});
/** The time when a reminder's stage begins. */
const beginOf = (stage: RenewalStage, endsAt: number) => endsAt - endsAtStage(stage, 0).until;
const remind = async () => {
  await app.runJobs('messages', 'subscriptions');
  expect(await app.sender.deliver()).toEqual([]);
};
/** Goes to each of these times and sends the reminders that are due then. */
const remindAt = async (...timestamps: readonly number[]) => {
  for (const timestamp of timestamps) {
    await goTo(timestamp);
    await remind();
  }
};
/** The messages without those about the follower's own payments. */
const received = async () => (await writtenTo(chatId)).filter((text) => !text.startsWith('You paid '));
/** The times of the follower's next reminders. */
const planned = async () =>
  (
    await query<{ at: number }>(
      "SELECT at FROM facts WHERE user_id = ? AND kind = 'renewal' ORDER BY at",
      follower.id,
    )
  ).map(({ at }) => at);
const statuses = async () =>
  (await query<{ status: string }>('SELECT status FROM subscriptions ORDER BY starts_at')).map(
    ({ status }) => status,
  );

interface Crowd {
  readonly count: number;
  /** The end of the first subscription, unix ms. */
  readonly endsFrom: number;
  /** The number of subscriptions that end in the same ms. */
  readonly perMs?: number;
}

/** Inserts connected subscribers. */
const insertSubscribers = async ({ count, endsFrom, perMs = 1 }: Crowd) => {
  await gatherFollowers({ callerId: caller.id, count });
  await query('UPDATE subscriptions SET ends_at = ? + CAST(substr(id, 2) AS INTEGER) / ?', endsFrom, perMs);
  await query('UPDATE callers SET subscriber_count = ? WHERE caller_id = ?', count, caller.id);
  await query(
    `INSERT INTO facts (is_reminder, at, kind, subject, user_id)
    SELECT 1, ends_at - ${7 * DAY_MS}, 'renewal', id, subscriber_id FROM subscriptions`,
  );
};

it('a subscriber gets reminders a week before, a day before and at the end, each with how to renew', async () => {
  const endsAt = await subscribe();
  const name = '\u2068Amara Lanternby\u2069 (@\u2060amara_calls)';
  const link = `https://solcallers.test/caller/${caller.id}#subscribe`;
  const when = describeTime(endsAt);
  const week = `Your subscription to ${name} ends in 7 days, on ${when}.\n\nRenew it for 0.5 SOL: 30 more days, added to the time you have left.\n\n${link}`;
  const day = `Your subscription to ${name} ends within 24 hours, on ${when}.\n\nRenew it for 0.5 SOL: 30 more days, added to the time you have left.\n\n${link}`;
  const ended = `Your subscription to ${name} ended on ${when}.\n\nRenew it for 0.5 SOL: 30 more days.\n\n${link}`;
  for (const [timestamp, texts] of [
    [endsAt - 7 * DAY_MS - 1, []],
    [endsAt - 7 * DAY_MS, [week]],
    [endsAt - 7 * DAY_MS + MINUTE_MS, [week]],
    [endsAt - DAY_MS - 1, [week]],
    [endsAt - DAY_MS, [week, day]],
    [endsAt - 1, [week, day]],
    [endsAt, [week, day, ended]],
    [endsAt + DAY_MS, [week, day, ended]],
  ] as const) {
    await remindAt(timestamp, timestamp);
    expect(await received()).toEqual(texts);
  }
  const buttons = (await messagesIn(chatId)).flatMap((message) => message.buttons);
  expect(buttons).toEqual(Array.from({ length: 3 }, () => ({ text: 'Renew', url: link })));
  expect(await planned()).toEqual([]);
  expect(await statuses()).toEqual(['expired']);
});

it('overlapping cron runs send a subscriber each reminder only once', async () => {
  const endsAt = await subscribe();
  for (const stage of RENEWAL_REMINDER_DAYS) {
    await goTo(beginOf(stage, endsAt));
    await Promise.all(
      Array.from({ length: stage === 7 ? 2 : 8 }, () => app.runJobs('messages', 'subscriptions')),
    );
    await app.sender.deliver();
    await app.sender.deliver();
  }
  expect(await received()).toHaveLength(3);
});

it('a subscriber gets a separate reminder for each caller', async () => {
  const endsAt = await subscribe();
  const { caller: other } = await createPaidCaller(app, { handle: 'other_calls', fee: '0.25' });
  await keepCallersActive();
  await pay({ person: follower, payer, callerId: other.id });
  await remindAt(endsAt - 7 * DAY_MS);
  await app.advance(HOUR_MS);
  await remind();
  expect((await received()).map((text) => /@\u2060(\w+)/.exec(text)?.[1])).toEqual([
    'amara_calls',
    'other_calls',
  ]);
  expect((await received())[1]).toContain('Renew it for 0.25 SOL');
});

it.each<[string, (endsAt: number) => Promise<unknown>]>([
  ['is deleting the account', (endsAt) => query('UPDATE callers SET deletes_at = ?', endsAt + DAY_MS)],
  ['has no payout wallet', () => setPayout(null, { at: app.clock.now() })],
  ['is suspended', () => query('UPDATE users SET is_suspended = 1 WHERE id = ?', caller.id)],
])('a reminder says that renewing is impossible while the caller %s', async (_why, change) => {
  const endsAt = await subscribe();
  await change(endsAt);
  await goTo(endsAt - DAY_MS);
  await app.runJobs('messages', 'subscriptions');
  await app.sender.deliver();
  expect(await received()).toEqual([
    expect.stringContaining('\n\nIt cannot be renewed: the caller takes no payments now.\n\n'),
  ]);
});

it('a follower is reminded of the end of a free follow, and after paying only of the subscription’s end', async () => {
  await setFee(null);
  await readResponse(follower.post('/api/subscriptions/free', { callerId: caller.id }), 201);
  await setFee('0.75');
  await app.advance(23 * DAY_MS);
  await remind();
  const free = expect.stringMatching(/^Your free access to .*Subscribe for 0\.75 SOL/s) as string;
  expect(await received()).toEqual([free]);
  await app.advance(DAY_MS);
  const endsAt = await subscribe();
  await remindAt(app.clock.now() + 6 * DAY_MS, endsAt - DAY_MS);
  const paid = expect.stringMatching(/^Your subscription to .* ends within 24 hours/) as string;
  expect(await received()).toEqual([free, paid]);
});

const forget = async (signature: string) => {
  await control('POST', '/solana/forget', { signature });
  await app.advance(5 * MINUTE_MS);
  await app.runJobs('payments');
};
const refund = async (signature: string) => {
  await app.advance(MINUTE_MS);
  await app.runJobs('payments');
  const owner = await app.signIn('amara_calls');
  const terms = await openRefund(owner, signature, payout);
  await land(signRefund({ terms, from: payout }));
  await app.advance(MINUTE_MS);
  await searchRefunds(app);
};

it.each([
  ['a fork has removed', forget],
  ['the caller has refunded', refund],
])('after %s a renewal, the next cron run reminds the subscriber of the earlier end', async (_what, undo) => {
  const endsAt = await subscribe();
  await goTo(endsAt - 7 * DAY_MS);
  const { signature } = await pay({ person: await app.signIn('follower'), payer, callerId: caller.id });
  await remind();
  expect(await received()).toEqual([]);
  await undo(signature);
  for (const _ of [1, 2]) await remind();
  const reminders = (await received()).filter((text) => !text.startsWith('You received a refund'));
  expect(reminders).toEqual([expect.stringContaining(`in 7 days, on ${describeTime(endsAt)}`)]);
});

it('after a fork has removed the renewal of a period that has ended since, the subscriber is told of the end', async () => {
  const endsAt = await subscribe();
  await goTo(endsAt - MINUTE_MS);
  const { signature } = await pay({ person: await app.signIn('follower'), payer, callerId: caller.id });
  await remind();
  await control('POST', '/solana/forget', { signature });
  await app.advance(5 * MINUTE_MS);
  await app.runJobs('subscriptions');
  expect(await statuses()).toEqual(['expired', 'active']);
  await app.runJobs('payments');
  await remind();
  expect(await received()).toEqual([expect.stringMatching(/^Your subscription to .* ended on /)]);
});

it('a late cron run reminds all subscribers if silent days change the order of their ends', async () => {
  await insertSubscribers({ count: 3, endsFrom: app.clock.now() + 3 * DAY_MS });
  await query(`UPDATE subscriptions SET ends_at = ends_at - ${1.5 * DAY_MS}, moves_from = 0 WHERE id = 's0'`);
  await query(
    'INSERT INTO silent_days (caller_id, number, at, since, day_of_silence) VALUES (?, 1, ?, 0, 1)',
    caller.id,
    app.clock.now() - (app.clock.now() % DAY_MS),
  );
  expect(await app.services.messagesWriter.write()).toBe(3);
});

it('after a renewal, the next reminder is sent a week before the new end', async () => {
  const first = await subscribe();
  await remindAt(first - 7 * DAY_MS);
  const second = await subscribe();
  await remindAt(first - DAY_MS, first, second - 8 * DAY_MS);
  expect(await received()).toHaveLength(1);
  await remindAt(...RENEWAL_REMINDER_DAYS.map((stage) => beginOf(stage, second)));
  expect(await received()).toHaveLength(4);
});

it('no reminder is sent about a free follow without an end', async () => {
  const free = await createCaller(app, 'free_caller');
  await readResponse(follower.post('/api/subscriptions/free', { callerId: free.id }), 201);
  await app.advance(40 * DAY_MS);
  await remind();
  expect([await received(), await planned()]).toEqual([[], []]);
});

it.each([
  [
    'of a caller who is now Free, even without a free follow',
    'DELETE FROM subscriptions WHERE ends_at IS NULL',
    ['expired'],
  ],
  [
    'that continues as a free follow without an end',
    'UPDATE callers SET fee_lamports = 1',
    ['expired', 'active'],
  ],
])('no reminder is sent about a paid period %s', async (_when, sql, ends) => {
  const endsAt = await subscribe();
  await setFee(null);
  await query(sql);
  await remindAt(endsAt - 7 * DAY_MS, endsAt - DAY_MS, endsAt);
  expect([await received(), await planned(), await statuses()]).toEqual([[], [], ends]);
});

it('a subscriber without Telegram gets no reminders, and no missed reminders after connecting Telegram', async () => {
  const endsAt = await subscribe();
  await readResponse(follower.delete('/api/user/telegram-disconnect'));
  await remindAt(endsAt - 7 * DAY_MS, endsAt - DAY_MS);
  expect(await app.sender.events()).toEqual([]);
  expect(await planned()).toEqual([endsAt]);
  follower = await app.signIn('follower');
  chatId = await connectTelegram(app, follower);
  await remind();
  expect(await received()).toEqual([]);
  await remindAt(endsAt);
  expect(await received()).toEqual([expect.stringContaining('ended on')]);
});

it.each([
  [
    'sends only the reminder of the last day, twelve hours before the end',
    -DAY_MS / 2,
    ['ends within 24 hours'],
    1,
  ],
  [
    'sends only the reminder of the end, just under three days after the end',
    3 * DAY_MS - 1,
    ['ended on'],
    0,
  ],
  ['sends no reminder three days after the end', 3 * DAY_MS, [], 0],
])('a late cron run %s', async (_when, distance, texts, left) => {
  const endsAt = await subscribe();
  await remindAt(endsAt + distance);
  expect(await received()).toEqual(texts.map((text) => expect.stringContaining(text)));
  expect(await planned()).toHaveLength(left);
  await app.advance(MINUTE_MS / 2);
  await remind();
  expect(await received()).toHaveLength(texts.length);
  expect(await statuses()).toEqual([distance < 0 ? 'active' : 'expired']);
});

const BATCHES = 3;
const queued = async () => (await app.sender.waiting()).map(({ userId }) => userId);
const countOf = async () =>
  (await query<{ subscriber_count: number }>('SELECT subscriber_count FROM callers'))[0]?.subscriber_count;

it.each([
  ['before the end', DAY_MS, 'active'],
  ['at the end', 0, 'expired'],
])(
  'every reminder is queued exactly once if the sender fails during a cron run %s',
  async (_when, distance, status) => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    // Some ends are equal, because a page must be able to end between two equal ends.
    await insertSubscribers({ count: 605, endsFrom: app.clock.now() + distance - 7, perMs: 90 });
    app.sender.failAfter(1);
    await app.runJobs('messages', 'subscriptions');
    expect((await queued()).length).toBe(FACTS_PER_PAGE);
    app.sender.failAfter(BATCHES);
    await app.runJobs('messages', 'subscriptions');
    expect([new Set(await queued()).size, (await queued()).length]).toEqual([605, 605]);
    expect([...new Set(await statuses())]).toEqual([status]);
    await app.runJobs('messages', 'subscriptions');
    expect(await queued()).toHaveLength(605);
    expect(await countOf()).toBe(status === 'active' ? 605 : 0);
  },
);

/** Queues the follower's reminder `distance` ms before the end. Returns the end. */
const queueReminder = async (distance: number) => {
  const endsAt = await subscribe();
  await goTo(endsAt - distance);
  await app.runJobs('messages', 'subscriptions');
  expect(await app.sender.waiting()).toEqual([
    expect.objectContaining({
      eventId: expect.stringContaining(`renewal:${follower.id}:${caller.id}:${endsAt}:`) as string,
      userId: follower.id,
    }),
  ]);
  return endsAt;
};

it.each(
  Object.entries<() => Promise<unknown>>({
    renews: subscribe,
    'follows a caller who has become Free': () => setFee(null),
    'has only a paid period of a caller who has become Free': async () => {
      await setFee(null);
      await query('DELETE FROM subscriptions WHERE ends_at IS NULL');
    },
  }),
)('a queued reminder is dropped if the subscriber %s', async (_what, change) => {
  await queueReminder(DAY_MS);
  await change();
  expect([await app.sender.deliver(), await received()]).toEqual([[], []]);
});

it.each([
  [DAY_MS, 'ends within 24 hours'],
  [6 * DAY_MS + SECOND_MS, 'ends in 6 days'],
])(
  'a reminder that is sent late, %d ms before the end, says that the subscription %s',
  async (left, words) => {
    const endsAt = await queueReminder(7 * DAY_MS);
    await remindAt(endsAt - left);
    expect(await received()).toEqual([expect.stringContaining(words)]);
  },
);

it('a reminder is sent even if the sender’s clock is a minute behind', async () => {
  const endsAt = await subscribe();
  await goTo(endsAt - 7 * DAY_MS - MINUTE_MS);
  await app.sender.add(renewal({ endsAt, stage: 7 }));
  expect(await app.sender.deliver()).toEqual([]);
  expect(await received()).toHaveLength(1);
});

it('a failing reminder is retried for a day and then recorded for operators', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  await queueReminder(7 * DAY_MS);
  await control('POST', '/faults', { service: 'telegram', path: 'sendMessage', status: 500, count: 2 });
  await app.advance(NOTIFICATION_LIFETIME_MS);
  expect(await app.sender.deliver()).toHaveLength(1);
  await app.advance(NOTICE_LIFETIME_MS - NOTIFICATION_LIFETIME_MS);
  expect(await app.sender.deliver()).toEqual([]);
  expect([await app.sender.waiting(), await received()]).toEqual([[], []]);
  expect(await query('SELECT messages FROM failed_deliveries')).toEqual([{ messages: 1 }]);
});

it('a reminder event with a wrong end or caller sends nothing', async () => {
  const endsAt = await subscribe();
  await app.sender.add(
    renewal({ endsAt: endsAt + 1, stage: 7 }),
    renewal({ endsAt, stage: 1, callerId: follower.id }),
    renewal({ endsAt: endsAt - 1, stage: 0 }),
  );
  expect(await app.sender.deliver()).toEqual([]);
  expect(await received()).toEqual([]);
});

it('a run writes nothing if no reminder is due', async () => {
  const before = await readDatabase();
  expect(await app.services.messagesWriter.write()).toBe(0);
  expect(await readDatabase()).toEqual(before);
});

it('a reminder run handles less than the sender sends in half a minute, and the next runs handle the rest', async () => {
  const count = 1_500;
  await insertSubscribers({ count, endsFrom: app.clock.now() + DAY_MS - 5 * MINUTE_MS });
  // Without chats the sender sends nothing, which makes this test faster.
  await query('UPDATE telegram_links SET chat_id = NULL');
  const noted: number[] = [];
  for (let run = 0; run < 4; run++) noted.push(await app.services.messagesWriter.write());
  expect(noted).toEqual([700, 700, 100, 0]);
});

it('a reminder run does not read a subscription again after an earlier run has queued its reminder', async () => {
  let rowsRead = 0;
  const DB = countRows(testEnv.DB, ({ rows }) => {
    rowsRead += rows;
  });
  const counted = await createTestApp({ bindings: { DB } });
  await insertSubscribers({ count: 600, endsFrom: app.clock.now() + 3 * DAY_MS });
  // Without chats the sender sends nothing, which makes this test faster.
  await query('UPDATE telegram_links SET chat_id = NULL');
  const noted: number[] = [];
  for (let run = 0; run < 3; run++) {
    rowsRead = 0;
    noted.push(await counted.services.messagesWriter.write());
    await app.advance(HOUR_MS);
  }
  expect(noted).toEqual([600, 0, 0]);
  expect(rowsRead).toBeLessThan(50);
});
