import { beforeEach, expect, it } from 'vitest';
import { MAX_MUTED_CALLERS, NOTIFICATION_KINDS } from '#schema/constants/messages.ts';
import type { NotificationSettings } from '#schema/contracts/notifications.ts';
import { expectRefusal, expectRefusalWithoutTrace, readResponse } from '#test/responses.ts';
import { createCaller } from '#test/people/callers.ts';
import { query } from '#test/database/database.ts';
import { runScript } from '#test/database/run-script.ts';
import { createTestApp, type Person, type TestApp } from '#test/test-app.ts';

const ALL_ON = Object.fromEntries(NOTIFICATION_KINDS.map((kind) => [kind, true]));
let app: TestApp;
let person: Person;
let caller: Person;

beforeEach(async () => {
  app = await createTestApp();
  person = await app.signIn('mina_x');
  caller = await createCaller(app, 'amara_calls');
});

const read = (requester = person) =>
  readResponse<NotificationSettings>(requester.get('/api/user/notifications'));
const turn = (kind: unknown, isOn: unknown, requester = person) =>
  requester.patch('/api/user/notifications', { kind, isOn });
const mutePath = (callerId: string) => `/api/user/notifications/mutes/${callerId}`;
const mute = (callerId = caller.id, requester = person) => requester.put(mutePath(callerId));
const unmute = (callerId = caller.id, requester = person) => requester.delete(mutePath(callerId));
const mutedOf = async (requester = person) =>
  (await read(requester)).mutedCallers.map(({ twitterHandle }) => twitterHandle);
/** Creates `count` callers and mutes them. */
const muteMany = (count: number) =>
  runScript(
    `INSERT INTO users (id, x_user_id, twitter_handle, first_name, last_name, created_at, updated_at)
     SELECT 'm' || i, 'm' || i, 'm' || i, 'Made', 'Up', 0, 0 FROM n;
     INSERT INTO notification_mutes (user_id, caller_id, at) SELECT '${person.id}', 'm' || i, 0 FROM n;`,
    { count },
  );

it('each kind of notification can be switched off and on repeatedly', async () => {
  const kinds: Record<string, boolean> = { ...ALL_ON };
  for (const kind of NOTIFICATION_KINDS) {
    for (const isOn of [false, false, true, true, false]) {
      kinds[kind] = isOn;
      expect(await readResponse(turn(kind, isOn))).toEqual({ kinds, mutedCallers: [] });
    }
  }
  expect(await read()).toEqual({ kinds, mutedCallers: [] });
});

it('notification settings are all on by default, and each user has their own', async () => {
  await readResponse(turn('call_opened', false));
  await readResponse(mute());
  const other = await app.signIn('other_x');
  expect(await read(other)).toEqual({ kinds: ALL_ON, mutedCallers: [] });
  await readResponse(turn('call_opened', true, other));
  await readResponse(unmute(caller.id, other));
  expect(await read()).toMatchObject({ kinds: { call_opened: false }, mutedCallers: [{ id: caller.id }] });
});

it('notification settings reject unknown kinds and values', async () => {
  for (const [kind, isOn] of [
    ['payout_changed', false],
    ['call_opened', 'false'],
  ]) {
    await expectRefusalWithoutTrace(() => turn(kind, isOn), 'request.invalid');
  }
});

it('a muted caller is listed with public fields only', async () => {
  const settings = await readResponse<NotificationSettings>(mute());
  expect(settings.mutedCallers).toEqual([
    {
      id: caller.id,
      firstName: expect.any(String),
      lastName: expect.any(String),
      twitterHandle: 'amara_calls',
      profileImageUrl: expect.anything(),
      isVerified: false,
    },
  ]);
  expect(await read()).toEqual(settings);
});

it('a muted caller can be muted and unmuted repeatedly', async () => {
  for (const isMuted of [true, true, false, false, true]) {
    await readResponse(isMuted ? mute() : unmute());
    expect(await mutedOf()).toEqual(isMuted ? ['amara_calls'] : []);
  }
});

it('simultaneous requests that mute and unmute the same caller all succeed', async () => {
  const requests = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? mute() : unmute()));
  expect(new Set((await Promise.all(requests)).map(({ status }) => status))).toEqual(new Set([200]));
});

it('muted callers are listed alphabetically, ignoring upper and lower case', async () => {
  const others = [await createCaller(app, 'zoe_calls'), await createCaller(app, 'bea_calls')];
  await query("UPDATE users SET first_name = 'amara' WHERE id = ?", caller.id);
  for (const [index, first] of ['Zoe', 'Bea'].entries()) {
    await query('UPDATE users SET first_name = ? WHERE id = ?', first, others[index]?.id);
  }
  for (const { id } of [...others, caller]) await readResponse(mute(id));
  expect(await mutedOf()).toEqual(['amara_calls', 'bea_calls', 'zoe_calls']);
});

it('users can mute neither themselves nor a user who is not a caller', async () => {
  await expectRefusalWithoutTrace(() => mute(caller.id, caller), 'notifications.mute_self');
  await expectRefusalWithoutTrace(() => mute(person.id), 'notifications.mute_self');
  const other = await app.signIn('other_x');
  for (const id of [other.id, 'nothing', '%00', "'%20OR%20'1'='1", 'a'.repeat(5_000)]) {
    await expectRefusalWithoutTrace(() => mute(id), 'callers.not_found');
    await expectRefusalWithoutTrace(() => unmute(id), 'callers.not_found');
  }
});

it(`a user can mute at most ${MAX_MUTED_CALLERS} callers at a time`, async () => {
  await muteMany(MAX_MUTED_CALLERS - 1);
  await readResponse(mute());
  const another = await createCaller(app, 'one_too_many');
  await expectRefusalWithoutTrace(() => mute(another.id), 'notifications.too_many_mutes');
  await readResponse(mute());
  await readResponse(unmute());
  await readResponse(mute(another.id));
  await expectRefusal(mute(), 'notifications.too_many_mutes');
});

it('only one of eight simultaneous requests to mute succeeds if the limit allows one more mute', async () => {
  await muteMany(MAX_MUTED_CALLERS - 1);
  const callers = [];
  for (let number = 0; number < 8; number += 1) callers.push(await createCaller(app, `late_${number}`));
  const statuses = await Promise.all(callers.map(async ({ id }) => (await mute(id)).status));
  expect(statuses.toSorted()).toEqual([200, ...Array.from({ length: 7 }, () => 422)]);
});
