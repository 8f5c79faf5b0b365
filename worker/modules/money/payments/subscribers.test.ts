import type { Keypair } from '@solana/web3.js';
import { beforeEach, expect, it } from 'vitest';
import { ENDS_SOON_MS, SUBSCRIBER_NAMED_MS, SUBSCRIPTION_PERIOD_MS } from '#schema/constants/money.ts';
import { DAY_MS } from '#schema/constants/time.ts';
import type { Earning } from '#schema/contracts/payments.ts';
import {
  SUBSCRIBER_FILTERS,
  type Subscriber,
  type SubscriberFilter,
} from '#schema/contracts/subscriptions.ts';
import { createCaller } from '#test/people/callers.ts';
import { query } from '#test/database/database.ts';
import { createPaymentScene, settle } from '#test/payments/payment-scene.ts';
import { pay } from '#test/payments/payments.ts';
import { askForRefund, openRefund, searchRefunds, sendRefund, signRefund } from '#test/payments/refunds.ts';
import { expectRefusal, readPages, readResponse } from '#test/responses.ts';
import type { Person, TestApp } from '#test/test-app.ts';

const LIST = '/api/payments/subscribers';
const CSV_HEADER = 'Name,Handle,Since (UTC),Until (UTC),Renewals\r\n';

let app: TestApp;
let caller: Person;
let payout: Keypair;
let follower: Person;
let payer: Keypair;

beforeEach(async () => {
  ({ app, caller, payout, follower, payer } = await createPaymentScene());
});

const payAs = (person: Person) => pay({ person, payer, callerId: caller.id });
const isoOf = (time: number) => new Date(time).toISOString();
const listOf = (person: Person, show?: SubscriberFilter) =>
  readResponse<Subscriber[]>(person.get(show === undefined ? LIST : `${LIST}?show=${show}`));
const csvOf = async (person: Person) => (await person.get(`${LIST}.csv`)).text();
const handlesOf = (subscribers: readonly Subscriber[]) =>
  subscribers.map(({ subscriber }) => subscriber?.twitterHandle ?? null);
/** The handles that the caller sees under each filter, and in the earnings. */
const seen = async () => {
  const again = await app.signIn(caller.handle);
  const earnings = await readResponse<Earning[]>(again.get('/api/payments/earnings'));
  return {
    running: handlesOf(await listOf(again)),
    ending: handlesOf(await listOf(again, 'ending')),
    ended: handlesOf(await listOf(again, 'ended')),
    earnings: earnings.map(({ subscriber }) => subscriber?.twitterHandle ?? null),
  };
};

it('a caller sees who pays, with name, handle, dates and renewals, and nobody else sees it', async () => {
  const { subscription: first } = await payAs(follower);
  await app.advance(DAY_MS);
  const { subscription: second } = await payAs(follower);
  const [name] = await query<{ first_name: string; last_name: string }>(
    'SELECT first_name, last_name FROM users WHERE id = ?',
    follower.id,
  );
  const listed: Subscriber = {
    id: follower.id,
    subscriber: {
      firstName: name?.first_name ?? '',
      lastName: name?.last_name ?? '',
      twitterHandle: follower.handle,
    },
    since: first.startDate,
    until: second.endDate ?? '',
    renewals: 1,
  };
  expect(await listOf(caller)).toEqual([listed]);
  const other = await createCaller(app, 'other');
  for (const person of [follower, other]) {
    for (const show of SUBSCRIBER_FILTERS) {
      expect(await listOf(person, show)).toEqual([]);
    }
    expect(await csvOf(person)).toBe(CSV_HEADER);
  }
  for (const path of [LIST, `${LIST}.csv`]) await expectRefusal(app.request(path), 'auth.required');
});

it('a follower without a fee isn’t listed, also after the caller has begun to charge', async () => {
  const free = await createCaller(app, 'free_caller');
  await readResponse(follower.post('/api/subscriptions/free', { callerId: free.id }), 201);
  expect(await listOf(free)).toEqual([]);
  await query('UPDATE callers SET fee_lamports = 500000000 WHERE caller_id = ?', free.id);
  await query('INSERT INTO fee_changes (caller_id, charged_at) VALUES (?, ?)', free.id, app.clock.now());
  expect([await listOf(free), await listOf(free, 'ended')]).toEqual([[], []]);
});

it('a subscriber’s name is gone 30 days after the end, from Subscribers and from the earnings', async () => {
  await payAs(follower);
  const named = [follower.handle];
  expect(await seen()).toEqual({ running: named, ending: [], ended: [], earnings: named });
  await app.advance(SUBSCRIPTION_PERIOD_MS - ENDS_SOON_MS);
  expect(await seen()).toEqual({ running: named, ending: named, ended: [], earnings: named });
  await app.advance(ENDS_SOON_MS);
  expect(await seen()).toEqual({ running: [], ending: [], ended: named, earnings: named });
  await app.advance(SUBSCRIBER_NAMED_MS);
  expect(await seen()).toEqual({ running: [], ending: [], ended: [], earnings: [null] });
});

it('silent days move the end of a subscription between the filters', async () => {
  const { subscription } = await payAs(follower);
  const end = Date.parse(subscription.endDate ?? '');
  await app.advance(end - 2 * DAY_MS - app.clock.now());
  const midnight = app.clock.now() - (app.clock.now() % DAY_MS);
  await query('INSERT INTO silent_days VALUES (?, 1, ?, 1, 1)', caller.id, midnight);
  await app.advance(2 * DAY_MS);
  const again = await app.signIn(caller.handle);
  expect(await listOf(again, 'ending')).toMatchObject([{ until: isoOf(end + DAY_MS) }]);
  expect(await listOf(again, 'ended')).toEqual([]);
});

it('a refund ends a subscription in the list, and doesn’t count as a renewal', async () => {
  const { signature } = await payAs(follower);
  await payAs(follower);
  await settle({ app });
  await askForRefund(follower, signature);
  const transfer = signRefund({ terms: await openRefund(caller, signature, payout), from: payout });
  await readResponse(sendRefund(caller, signature, transfer));
  await app.advance(DAY_MS);
  await searchRefunds(app);
  const until = isoOf(app.clock.now() + SUBSCRIPTION_PERIOD_MS);
  expect(await listOf(caller)).toMatchObject([{ until, renewals: 0 }]);
});

it('a deleted account is listed without a name at once', async () => {
  await payAs(follower);
  await readResponse(follower.post('/api/user/deletion', { handle: follower.handle }));
  expect(await seen()).toEqual({ running: [null], ending: [], ended: [], earnings: [null] });
  expect(await csvOf(caller)).toContain('\r\nDeleted account,,');
});

it('the list of subscribers has each of them once, by their end, in pages and in the CSV', async () => {
  const people = [follower, await app.signIn('second'), await app.signIn('third')];
  for (const person of people) await payAs(person);
  // Periods with equal ends.
  await query('UPDATE subscriptions SET extended_to = (SELECT MAX(ends_at) FROM subscriptions)');
  await query('UPDATE users SET first_name = ? WHERE id = ?', '=PAY(1)', follower.id);
  const pages = await readPages<Subscriber>(caller.get, `${LIST}?limit=1`);
  expect(pages.map((page) => page.length)).toEqual([1, 1, 1]);
  const listed = handlesOf(pages.flat());
  expect(listed.toSorted()).toEqual(people.map(({ handle }) => handle).toSorted());
  const [header, ...lines] = (await csvOf(caller)).trimEnd().split('\r\n');
  expect(`${header}\r\n`).toBe(CSV_HEADER);
  expect(lines.map((line) => line.split(',')[1])).toEqual(listed);
  expect(lines.filter((line) => line.startsWith("'=PAY(1)"))).toHaveLength(1);
});
