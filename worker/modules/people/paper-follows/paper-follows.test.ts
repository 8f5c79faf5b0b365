import { beforeEach, expect, it } from 'vitest';
import { MAX_CALCULATOR_STAKE_USD } from '#schema/constants/market.ts';
import { MAX_PAPER_FOLLOWS } from '#schema/constants/people.ts';
import { MINUTE_MS } from '#schema/constants/time.ts';
import type { PaperFollow } from '#schema/contracts/paper-follows.ts';
import { query } from '#test/database/database.ts';
import { insertCallers } from '#test/database/insert-rows.ts';
import { createCaller, createPaidCaller } from '#test/people/callers.ts';
import { expectRefusal, expectRefusalWithoutTrace, readResponse } from '#test/responses.ts';
import { createTestApp, type Person, type TestApp } from '#test/test-app.ts';

let app: TestApp;
let person: Person;
let caller: Person;

beforeEach(async () => {
  app = await createTestApp();
  person = await app.signIn('paper_follower');
  caller = await createCaller(app, 'amara_calls');
});

const pathOf = (id: string) => `/api/paper-follows/${id}`;
const follow = (amountUsd: unknown, { id = caller.id, by = person } = {}) =>
  app.request(pathOf(id), { method: 'PUT', cookie: by.cookie, body: { amountUsd } });
const unfollow = (id = caller.id) => person.delete(pathOf(id));
const list = (by = person) => readResponse<PaperFollow[]>(by.get('/api/paper-follows'));
const amounts = async (by = person) => (await list(by)).map(({ amountUsd }) => amountUsd);

/** Creates callers with the ids m1, m2, … and follows them. */
async function followMany(count: number) {
  const ids = Array.from({ length: count }, (_, index) => `m${index + 1}`);
  await insertCallers(ids);
  await query(
    'INSERT INTO paper_follows (user_id, caller_id, amount_usd, since) SELECT ?, value, 1, 0 FROM json_each(?)',
    person.id,
    JSON.stringify(ids),
  );
}

it('a caller followed on paper is listed with the amount, the time and public fields only', async () => {
  const { caller: paid } = await createPaidCaller(app);
  const since = new Date(app.clock.now()).toISOString();
  await readResponse(follow(100));
  await app.advance(MINUTE_MS);
  const follows = await readResponse<PaperFollow[]>(follow(null, { id: paid.id }));
  expect(follows).toMatchObject([
    { caller: { id: paid.id }, amountUsd: null },
    { caller: { id: caller.id }, amountUsd: 100, since },
  ]);
  expect(Object.keys(follows[0]?.caller ?? {}).toSorted()).toEqual([
    'firstName',
    'id',
    'isVerified',
    'lastName',
    'profileImageUrl',
    'twitterHandle',
  ]);
  expect(await list()).toEqual(follows);
  expect(await list(caller)).toEqual([]);
});

it('following on paper again restarts the follow only if the amount changes', async () => {
  const [first] = await readResponse<PaperFollow[]>(follow(100));
  await app.advance(MINUTE_MS);
  expect(await readResponse(follow(100))).toEqual([first]);
  const [watched] = await readResponse<PaperFollow[]>(follow(null));
  expect(Date.parse(watched?.since ?? '') - Date.parse(first?.since ?? '')).toBe(MINUTE_MS);
  await app.advance(MINUTE_MS);
  expect(await readResponse(follow(null))).toEqual([watched]);
});

it('a user can remove a paper follow repeatedly, but not another user’s', async () => {
  await readResponse(follow(100));
  await readResponse(follow(5, { by: caller }));
  for (const id of [caller.id, caller.id, 'nothing']) expect(await readResponse(unfollow(id))).toEqual([]);
  expect(await amounts(caller)).toEqual([5]);
});

it('the amount of a paper follow is null or a whole number of dollars within the calculator’s limits', async () => {
  for (const amount of [0, -1, 1.5, MAX_CALCULATOR_STAKE_USD + 1, '100', undefined, [1], true]) {
    await expectRefusalWithoutTrace(() => follow(amount), 'request.invalid');
  }
  for (const amount of [1, MAX_CALCULATOR_STAKE_USD, null]) {
    await readResponse(follow(amount));
    expect(await amounts()).toEqual([amount]);
  }
});

it('following an unknown or hidden caller on paper is refused', async () => {
  for (const id of [person.id, 'nothing', '%00', 'a'.repeat(5_000)]) {
    await expectRefusalWithoutTrace(() => follow(100, { id }), 'callers.not_found');
  }
  await query('UPDATE callers SET is_hidden = 1 WHERE caller_id = ?', caller.id);
  await expectRefusalWithoutTrace(() => follow(100), 'callers.not_found');
});

it(`a user can follow at most ${MAX_PAPER_FOLLOWS} callers on paper, even with simultaneous requests`, async () => {
  await followMany(MAX_PAPER_FOLLOWS - 1);
  const callers = [];
  for (let number = 0; number < 4; number += 1) callers.push(await createCaller(app, `late_${number}`));
  const statuses = await Promise.all(callers.map(async ({ id }) => (await follow(1, { id })).status));
  expect(statuses.toSorted()).toEqual([200, 422, 422, 422]);
  await expectRefusal(follow(1), 'paper_follows.too_many');
  expect(await readResponse(follow(2, { id: 'm1' }))).toHaveLength(MAX_PAPER_FOLLOWS);
  await readResponse(unfollow('m1'));
  await readResponse(follow(1));
});
