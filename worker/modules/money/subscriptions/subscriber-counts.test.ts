import { beforeEach, expect, it } from 'vitest';
import { COUNTED_PERIOD, SUBSCRIPTION_PERIOD_MS } from '#schema/constants/money.ts';
import { DAY_MS } from '#schema/constants/time.ts';
import type { CallerListItem } from '#schema/contracts/callers.ts';
import { createCaller, keepCallersActive } from '#test/people/callers.ts';
import { landPayment } from '#test/payments/land-payment.ts';
import { readResponse } from '#test/responses.ts';
import { createTestApp, type Person, type TestApp } from '#test/test-app.ts';

const COUNTED = COUNTED_PERIOD.platformLamports;

let app: TestApp;
let caller: Person;
let other: Person;

beforeEach(async () => {
  app = await createTestApp();
  caller = await createCaller(app, 'caller');
  other = await createCaller(app, 'other');
  await keepCallersActive();
});

const signIn = (handle: string) => app.signIn(handle);
const payFor = (callerId: string, { id: userId }: Person, platformLamports: number) =>
  landPayment({ userId, callerId, now: app.clock.now(), platformLamports });
const bySubscribers = () => readResponse<CallerListItem[]>(app.request('/api/callers?sort=subscribers'));
const countsOf = async ({ id }: Person) => {
  const row = (await bySubscribers()).find((each) => each.id === id);
  // The repair counts again from the periods.
  expect(await app.services.statisticsRepair.repair()).toBe(0);
  return [row?.subscriberCount, row?.followerCount];
};

it('a period with a commission one lamport below 0.005 SOL makes a follower, the next one a subscriber', async () => {
  const person = await signIn('person');
  await payFor(caller.id, person, COUNTED - 1);
  expect(await countsOf(caller)).toEqual([0, 1]);
  await payFor(caller.id, person, COUNTED);
  expect(await countsOf(caller)).toEqual([1, 0]);
  await payFor(caller.id, person, COUNTED);
  await payFor(caller.id, await signIn('second'), COUNTED);
  expect(await countsOf(caller)).toEqual([2, 0]);
});

it('somebody whose counted periods have lapsed is a follower until the last period ends', async () => {
  const person = await signIn('person');
  await payFor(caller.id, person, COUNTED);
  await payFor(caller.id, person, COUNTED);
  await payFor(caller.id, person, COUNTED - 1);
  const expected = [
    [1, 0],
    [0, 1],
    [0, 0],
  ];
  for (const counts of expected) {
    await app.advance(SUBSCRIPTION_PERIOD_MS);
    await app.services.subscriptions.expireLapsed();
    expect(await countsOf(caller)).toEqual(counts);
  }
});

it('all periods of a person that lapse in one run are subtracted once', async () => {
  for (const handle of ['one', 'two']) {
    for (let paid = 0; paid < 2; paid += 1) await payFor(caller.id, await signIn(handle), COUNTED);
  }
  await app.advance(2 * SUBSCRIPTION_PERIOD_MS + DAY_MS);
  await app.services.subscriptions.expireLapsed();
  expect(await countsOf(caller)).toEqual([0, 0]);
});

it('twelve accounts that follow for free gain no place by Subscribers', async () => {
  await payFor(other.id, await signIn('payer'), COUNTED);
  for (let number = 0; number < 12; number += 1) {
    const follower = await signIn(`follower_${number}`);
    await readResponse(follower.post('/api/subscriptions/free', { callerId: caller.id }), 201);
  }
  expect((await bySubscribers()).map(({ id }) => id)).toEqual([other.id, caller.id]);
  expect(await countsOf(caller)).toEqual([0, 12]);
});
