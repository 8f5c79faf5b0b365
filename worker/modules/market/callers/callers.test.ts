import { beforeEach, expect, it } from 'vitest';
import { SHOWN_PRICE_WINDOW_MS } from '#schema/constants/prices.ts';
import type { CallerListItem, CallerProfile } from '#schema/contracts/callers.ts';
import { expectRefusal, readResponse } from '#test/responses.ts';
import { createCaller, createPaidCaller, makeCall, MINTS, makeEndedCall } from '#test/people/callers.ts';
import { control, createTestApp, type TestApp } from '#test/test-app.ts';

let app: TestApp;

beforeEach(async () => {
  app = await createTestApp();
});

const profileOf = (name: string) => readResponse<CallerProfile>(app.request(`/api/callers/${name}`));

// Specification 9.39
it('a caller’s row in the directory has the last seven ended calls, oldest first, and no active call', async () => {
  const caller = await createCaller(app, 'caller');
  const entries = [1, 2, 3, 4, 5, 6, 7, 8];
  for (const price of entries) {
    await makeEndedCall({ caller, from: price, to: price * 2 });
    await app.advance(SHOWN_PRICE_WINDOW_MS);
  }
  await makeCall({ caller, mint: MINTS.WIF, price: 9 });
  const [row] = await readResponse<CallerListItem[]>(app.request('/api/callers'));
  expect(row).toMatchObject({
    id: caller.id,
    totalCalls: 9,
    endedCalls: 8,
    rankedCalls: 1,
    canBeSubscribed: true,
    monthlyFee: null,
  });
  expect(row?.recentCalls.map(({ entryPrice, endPrice }) => [entryPrice, endPrice])).toEqual(
    [2, 3, 4, 5, 6, 7, 8].map((price) => [String(price), String(price * 2)]),
  );
});

// Specification 2.5, 2.6
it('a caller’s profile is found by id, and by handle in upper or lower case', async () => {
  const { caller, payout } = await createPaidCaller(app, { handle: 'amara_calls' });
  const byId = await profileOf(caller.id);
  expect(byId).toMatchObject({
    id: caller.id,
    twitterHandle: 'amara_calls',
    monthlyFee: '0.5',
    payoutAddress: payout.publicKey.toBase58(),
    canBeSubscribed: true,
    bio: null,
    viewer: {
      isOwner: false,
      isSubscribed: false,
      canSeeActiveCalls: false,
      accessEndsAt: null,
      boughtDays: null,
      canUnfollow: false,
    },
  });
  expect(byId).not.toHaveProperty('earnings');
  for (const name of ['amara_calls', 'AMARA_CALLS', 'Amara_Calls']) {
    expect(await readResponse(app.request(`/api/callers/${name}`))).toEqual(byId);
  }
});

// Specification 6.19
it('a caller’s own profile has the earnings and grants access to the active calls', async () => {
  const caller = await createCaller(app, 'caller');
  expect(await readResponse<CallerProfile>(caller.get(`/api/callers/${caller.id}`))).toMatchObject({
    earnings: '0',
    viewer: { isOwner: true, isSubscribed: false, canSeeActiveCalls: true },
  });
});

// Specification 2.84
it.each(['nobody', 'x', '%20'])('a profile request for the unknown name %s returns 404', async (name) => {
  for (const path of [`/api/callers/${name}`, `/api/callers/${name}/statistics`]) {
    await expectRefusal(app.request(path), 'callers.not_found');
  }
});

it('a profile request for a user who is not a caller returns 404', async () => {
  const reader = await app.signIn('reader');
  for (const name of [reader.id, 'reader']) {
    await expectRefusal(app.request(`/api/callers/${name}`), 'callers.not_found');
  }
});

it('a reused handle leads to the profile of its newest owner', async () => {
  const before = await createCaller(app, 'old_owner');
  await control('POST', '/x/rename', { handle: 'old_owner', newHandle: 'moved_away' });
  await app.advance(1_000);
  const after = await createCaller(app, 'old_owner');
  expect((await profileOf('old_owner')).id).toBe(after.id);
  await app.advance(1_000);
  await app.signIn('moved_away');
  expect((await profileOf('moved_away')).id).toBe(before.id);
  expect(
    (await readResponse<CallerListItem[]>(app.request('/api/callers?search=moved_away'))).map(({ id }) => id),
  ).toEqual([before.id]);
});

it('a reused handle still leads to its newest owner after the former owner edits the bio', async () => {
  const before = await createCaller(app, 'old_name');
  await control('POST', '/x/rename', { handle: 'old_name', newHandle: 'new_name' });
  await app.advance(1_000);
  const after = await createCaller(app, 'old_name');
  await app.advance(1_000);
  await readResponse(before.patch('/api/user/profile', { bio: 'It is me, subscribe here' }));
  expect((await profileOf('old_name')).id).toBe(after.id);
});
