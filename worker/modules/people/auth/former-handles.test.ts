import { beforeEach, expect, it } from 'vitest';
import { FORMER_HOLDER_SHOWN_MS } from '#schema/constants/market.ts';
import { HOUR_MS } from '#schema/constants/time.ts';
import type { CallerProfile } from '#schema/contracts/callers.ts';
import { createCaller, makeEndedCall, MINTS } from '#test/people/callers.ts';
import { act, createOperatedApp } from '#test/people/operators.ts';
import { readResponse } from '#test/responses.ts';
import { control, type Person, type TestApp } from '#test/test-app.ts';

let app: TestApp;
let operator: Person;
let known: Person;
let counter = 0;
let handle: string;

beforeEach(async () => {
  ({ app, operator } = await createOperatedApp());
  counter += 1;
  handle = `known_${counter}`;
  known = await createCaller(app, handle);
  await makeEndedCall({ caller: known });
});

const rename = (from: string, to: string) => control('POST', '/x/rename', { handle: from, newHandle: to });
const profileOf = (usernameOrId: string) =>
  readResponse<CallerProfile>(app.request(`/api/callers/${usernameOrId}`));
const formerHolder = async () => (await profileOf(handle)).formerHolder;
/** Another account takes the handle, signs in and becomes a caller. */
async function take(): Promise<Person> {
  await rename(handle, `${handle}_old`);
  await app.advance(HOUR_MS);
  return createCaller(app, handle);
}

it('the profile of a caller who took another caller’s handle names the former holder for 90 days', async () => {
  const until = new Date(app.clock.now() + HOUR_MS).toISOString();
  const taker = await take();
  expect(taker.id).not.toBe(known.id);
  expect(await formerHolder()).toMatchObject({
    id: known.id,
    firstName: expect.any(String) as string,
    until,
  });
  expect((await profileOf(known.id)).formerHolder).toBeNull();
  const page = await (await app.request(`/caller/${handle}`)).text();
  expect(page).toMatch(/<meta name="description" content="Until \w{3} \d+, \d{4}, this handle belonged to /);
  await app.advance(FORMER_HOLDER_SHOWN_MS - HOUR_MS);
  expect(await formerHolder()).not.toBeNull();
  await app.advance(HOUR_MS);
  expect(await formerHolder()).toBeNull();
});

it('the profile of a caller who takes a handle 90 days after its holder’s rename still names the former holder', async () => {
  await rename(handle, `${handle}_new`);
  const until = new Date(app.clock.now()).toISOString();
  const renamed = await app.signIn(`${handle}_new`);
  expect(renamed.id).toBe(known.id);
  await app.advance(FORMER_HOLDER_SHOWN_MS);
  await createCaller(app, handle);
  expect(await formerHolder()).toMatchObject({ id: known.id, twitterHandle: `${handle}_new`, until });
});

it('the profile of a caller who got the handle back names no former holder', async () => {
  await take();
  await rename(handle, `${handle}_taker`);
  await rename(`${handle}_old`, handle);
  await app.signIn(handle);
  expect(await profileOf(handle)).toMatchObject({ id: known.id, formerHolder: null });
});

it('a hidden caller is not named as former holder', async () => {
  await act(operator, { action: 'hide_caller', subjectId: known.id });
  await take();
  expect(await formerHolder()).toBeNull();
  await act(operator, { action: 'show_caller', subjectId: known.id });
  expect(await formerHolder()).toMatchObject({ id: known.id });
});

it('a caller who deleted the account is not named as former holder, even after signing in again', async () => {
  await rename(handle, `${handle}_new`);
  const renamed = await app.signIn(`${handle}_new`);
  await createCaller(app, handle);
  expect(await formerHolder()).not.toBeNull();
  await readResponse(renamed.post('/api/user/deletion', { handle: `${handle}_new` }));
  expect(await formerHolder()).toBeNull();
  await app.signIn(`${handle}_new`);
  expect(await formerHolder()).toBeNull();
});

it('a caller without an ended call is not named as former holder, nor is a user who was never a caller', async () => {
  handle = `novice_${counter}`;
  await createCaller(app, handle);
  await take();
  expect(await formerHolder()).toBeNull();
  handle = `person_${counter}`;
  const person = await app.signIn(handle);
  const taker = await take();
  expect(person.id).not.toBe(taker.id);
  expect(await formerHolder()).toBeNull();
});

it('the profile of a deleted caller who signed in again names no former holder', async () => {
  const taker = await take();
  await makeEndedCall({ caller: taker, mint: MINTS.BONK });
  await readResponse(taker.post('/api/user/deletion', { handle }));
  await app.signIn(handle);
  expect(await profileOf(taker.id)).toMatchObject({ firstName: 'Deleted caller', formerHolder: null });
});
