import { beforeEach, expect, it } from 'vitest';
import { DAY_MS } from '#schema/constants.ts';
import { contains } from '../test-support/access/access-checks.ts';
import {
  createAccessEnvironment,
  type AccessEnvironment,
} from '../test-support/access/access-environment.ts';
import { readResponse } from '../test-support/responses.ts';

// `access.test.ts` requests every route as every kind of viewer. These tests change a viewer's access between requests.

let environment: AccessEnvironment;

beforeEach(async () => {
  environment = await createAccessEnvironment();
});

/** The paths that show an active call, each with a text of the call that its response contains. */
const reads = () => {
  const { callerId, hiddenId } = environment.subject;
  const list = `/api/token-calls/caller/${callerId}`;
  return [
    ...[list, `${list}/active`, `${list}/history`, `/api/token-calls/${hiddenId}`].map((path) => ({
      path,
      text: hiddenId,
    })),
    { path: `/api/token-calls/${hiddenId}/chart`, text: '3.14159265' },
  ];
};

/** The paths whose response shows the hidden call to this viewer. */
async function shownTo(cookie: string | undefined): Promise<string[]> {
  const shown: string[] = [];
  for (const { path, text } of reads()) {
    const response = await environment.app.request(path, cookie === undefined ? {} : { cookie });
    if (response.ok && contains(await response.text(), text)) shown.push(path);
  }
  return shown;
}

const everywhere = () => reads().map(({ path }) => path);

// Specification 2.119, 2.140
it('a Paid caller’s active call is visible to visitors only in the count of active calls', async () => {
  const { app, subject } = environment;
  expect(await readResponse(app.request(`/api/callers/${subject.callerId}`))).toMatchObject({
    activeCallCount: 1,
    totalCalls: 2,
  });
  for (const list of ['', '/history']) {
    const path = `/api/token-calls/caller/${subject.callerId}${list}`;
    expect(await readResponse(app.request(path))).toMatchObject([{ id: subject.endedId }]);
  }
});

// Specification 2.122, 2.123, 6.12, 6.25, 6.27
it('a Paid caller’s active call is visible to its owner, and to a subscriber until the period ends', async () => {
  const { app, owner, subscriber } = environment;
  expect(await shownTo(owner.cookie)).toEqual(everywhere());
  expect(await shownTo(subscriber.cookie)).toEqual(everywhere());
  expect(await shownTo(undefined)).toEqual([]);
  await app.advance(30 * DAY_MS);
  const { cookie } = await app.signIn(subscriber.handle);
  expect(await shownTo(cookie)).toEqual([]);
  await app.runCron();
  expect(await shownTo(cookie)).toEqual([]);
});

// Specification 2.124, 6.27
it('a Paid caller’s active call is visible to every signed-in user, but not to visitors, while its caller is Free', async () => {
  const { owner, cookies } = environment;
  await readResponse(owner.patch('/api/user/caller-profile', { monthlyFee: null }));
  expect(await shownTo(cookies.stranger)).toEqual(everywhere());
  expect(await shownTo(undefined)).toEqual([]);
  await readResponse(owner.patch('/api/user/caller-profile', { monthlyFee: '0.5' }));
  expect(await shownTo(cookies.stranger)).toEqual([]);
});
