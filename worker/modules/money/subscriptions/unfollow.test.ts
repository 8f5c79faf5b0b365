import { beforeEach, expect, it } from 'vitest';
import { FREE_TO_PAID_GRACE_MS } from '#schema/constants/money.ts';
import { DAY_MS } from '#schema/constants/time.ts';
import type { CallerProfile } from '#schema/contracts/callers.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import type { NotificationSettings } from '#schema/contracts/notifications.ts';
import type { MySubscription, Subscription } from '#schema/contracts/subscriptions.ts';
import { expectRefusal, expectRefusalWithoutTrace, readResponse } from '#test/responses.ts';
import {
  createCaller,
  createPaidCaller,
  endCall,
  makeCall,
  MINTS,
  makeEndedCall,
} from '#test/people/callers.ts';
import { query } from '#test/database/database.ts';
import { pay } from '#test/payments/payments.ts';
import { connectTelegram, writtenTo } from '#test/messages/telegram.ts';
import { createTestApp, type Person, type TestApp } from '#test/test-app.ts';

let app: TestApp;
let caller: Person;
let follower: Person;

beforeEach(async () => {
  app = await createTestApp();
  ({ caller } = await createPaidCaller(app, { handle: 'amara_calls' }));
  await setFee(null);
  follower = await app.signIn('follower');
});

const follow = (person = follower) =>
  readResponse<Subscription>(person.post('/api/subscriptions/free', { callerId: caller.id }), 201);
const sendRequest = (person = follower, callerId = caller.id) =>
  person.delete(`/api/subscriptions/free/${callerId}`);
const unfollow = (person = follower) => readResponse(sendRequest(person));
const setFee = (monthlyFee: string | null) =>
  readResponse(caller.patch('/api/user/caller-profile', { monthlyFee }));
const listMine = () => readResponse<MySubscription[]>(follower.get('/api/subscriptions/my'));
const profile = () => readResponse<CallerProfile>(follower.get(`/api/callers/${caller.id}`));
const followedCalls = () => readResponse<TokenCall[]>(follower.get('/api/subscriptions/calls'));
/** Subscribers and followers. */
const subscriberCount = async () => {
  const { subscriberCount: subscribers, followerCount } = await profile();
  return subscribers + followerCount;
};

it('unfollowing a Free caller ends the subscription, lowers the subscriber count, and allows following again', async () => {
  await follow(await app.signIn('another'));
  for (let round = 0; round < 2; round += 1) {
    await follow();
    expect(await listMine()).toMatchObject([{ isCurrentlyActive: true, canUnfollow: true }]);
    expect((await profile()).viewer).toMatchObject({ isSubscribed: true, canUnfollow: true });
    expect(await subscriberCount()).toBe(2);
    await unfollow();
    expect(await listMine()).toEqual([]);
    expect((await profile()).viewer).toMatchObject({ isSubscribed: false, canUnfollow: false });
    expect(await subscriberCount()).toBe(1);
  }
});

it('unfollowing a subscription that the cron has just expired is rejected and does not lower the count again', async () => {
  await follow(await app.signIn('another'));
  await follow();
  await setFee('0.5');
  // The cron's clock is a little ahead of the request's.
  await query(
    `UPDATE subscriptions SET status = 'expired' WHERE subscriber_id = '${follower.id}' RETURNING id`,
  );
  await query(`UPDATE callers SET subscriber_count = 1 WHERE caller_id = '${caller.id}' RETURNING caller_id`);
  expect((await sendRequest()).status).toBe(409);
  expect(await subscriberCount()).toBe(1);
});

it('after unfollowing, a former paid subscriber’s dashboard has only the caller’s ended calls', async () => {
  await setFee('0.5');
  await pay({ person: follower, callerId: caller.id });
  await app.advance(31 * DAY_MS);
  caller = await app.signIn('amara_calls');
  follower = await app.signIn('follower');
  await setFee(null);
  await follow();
  const ended = await makeEndedCall({ caller });
  const active = await makeCall({ caller, mint: MINTS.JUP, price: 1 });
  expect((await followedCalls()).map(({ id }) => id)).toEqual([active.id, ended.id]);
  await unfollow();
  expect((await followedCalls()).map(({ id }) => id)).toEqual([ended.id]);
  expect(await listMine()).toMatchObject([{ isCurrentlyActive: false, canUnfollow: false }]);
});

it('unfollowing a Free caller stops all messages immediately, including a queued message', async () => {
  await follow();
  const chatId = await connectTelegram(app, follower);
  const call = await makeCall({ caller, mint: MINTS.WIF, price: 1 });
  await unfollow();
  await app.sender.deliver();
  await endCall({ caller, call, price: 2 });
  await app.sender.deliver();
  expect(await writtenTo(chatId)).toEqual([]);
});

it('unfollowing a Free caller also unmutes the caller', async () => {
  await follow();
  await readResponse(follower.put(`/api/user/notifications/mutes/${caller.id}`));
  await unfollow();
  expect(await readResponse<NotificationSettings>(follower.get('/api/user/notifications'))).toMatchObject({
    mutedCallers: [],
  });
});

it('the subscriber count is lowered only once for six simultaneous requests to unfollow a Free caller', async () => {
  await follow();
  await follow(await app.signIn('another'));
  const responses = await Promise.all(Array.from({ length: 6 }, () => sendRequest()));
  expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 404, 404, 404, 404, 404]);
  expect(await subscriberCount()).toBe(1);
});

it('unfollowing is rejected for callers whom the user does not follow', async () => {
  const other = await createCaller(app, 'other');
  await follow();
  await expectRefusalWithoutTrace(() => sendRequest(follower, other.id), 'subscriptions.not_found');
  await expectRefusalWithoutTrace(() => sendRequest(caller), 'subscriptions.not_found');
  await expectRefusalWithoutTrace(() => sendRequest(follower, 'nobody'), 'callers.not_found');
});

it('unfollowing a caller who has become Paid ends the free access immediately', async () => {
  await follow();
  await app.advance(DAY_MS);
  await setFee('0.5');
  await makeCall({ caller, mint: MINTS.WIF, price: 1 });
  expect(await followedCalls()).toHaveLength(1);
  expect((await profile()).viewer).toMatchObject({ canSeeActiveCalls: true, canUnfollow: true });
  await unfollow();
  expect(await followedCalls()).toEqual([]);
  expect((await profile()).viewer).toMatchObject({ canSeeActiveCalls: false, canUnfollow: false });
  await expectRefusal(follower.get(`/api/token-calls/caller/${caller.id}/active`), 'calls.not_entitled');
  await expectRefusal(
    follower.post('/api/subscriptions/free', { callerId: caller.id }),
    'subscriptions.not_free',
  );
});

it('unfollowing a caller who has become Paid cancels the reminder of the end of free access', async () => {
  await follow();
  await setFee('0.5');
  const chatId = await connectTelegram(app, follower);
  await unfollow();
  await app.advance(FREE_TO_PAID_GRACE_MS - DAY_MS / 2);
  await app.runCron();
  await app.sender.deliver();
  expect(await writtenTo(chatId)).toEqual([]);
});

const payOnce = async () => pay({ person: follower, callerId: caller.id });
const periods = () => query('SELECT * FROM subscriptions ORDER BY starts_at');

it.each([
  ['to a caller who charges', false, '0.5'],
  ['to a caller who became Free', false, null],
  ['that continues free access', true, '0.5'],
])('a paid subscription %s cannot be unfollowed and stays unchanged', async (_which, isAfterFree, fee) => {
  if (isAfterFree) await follow();
  await setFee('0.5');
  await payOnce();
  await setFee(fee);
  const before = await periods();
  expect((await listMine()).map(({ canUnfollow }) => canUnfollow)).toEqual([false]);
  expect((await profile()).viewer).toMatchObject({ isSubscribed: true, canUnfollow: false });
  await expectRefusalWithoutTrace(() => sendRequest(), 'subscriptions.paid_time_left');
  expect(await periods()).toEqual(before);
});

it('a paid subscription that has ended does not prevent unfollowing a later free follow', async () => {
  await setFee('0.5');
  await payOnce();
  await setFee(null);
  await app.advance(31 * DAY_MS);
  follower = await app.signIn('follower');
  expect(await listMine()).toMatchObject([{ isCurrentlyActive: true, canUnfollow: true }]);
  await unfollow();
  await app.runJobs('subscriptions');
  expect(await periods()).toMatchObject([{ payment_id: expect.any(String), status: 'expired' }]);
  expect(await subscriberCount()).toBe(0);
});
