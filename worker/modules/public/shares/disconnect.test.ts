import { beforeEach, describe, expect, it, vi } from 'vitest';
import { HOUR_MS } from '#schema/constants/time.ts';
import type { DisconnectXResponse } from '#schema/contracts/shares.ts';
import type { CurrentUser } from '#schema/contracts/users.ts';
import { expectRefusal, readResponse } from '#test/responses.ts';
import { query, readDatabase } from '#test/database/database.ts';
import { interceptX } from '#test/images/intercept-x.ts';
import {
  respondToConsent,
  createSharer,
  isLiveAtX,
  plainTokensOf,
  readXTokens,
  requestsToX,
  tweetsOf,
} from '#test/images/shares.ts';
import { control, createTestApp, type Person, type TestApp } from '#test/test-app.ts';

const REVOKE = 'POST /x/2/oauth2/revoke';
const UNCONFIRMED =
  "SolCallers won't start new posts on X for you. X hasn't confirmed that the permission ended, so a post already on its way may still appear. You can also remove the permission on X, under connected apps.";
const NONE = 'SolCallers has no permission to post on X for you. X may still list it under connected apps.';

let app: TestApp;
let caller: Person;
let share: Awaited<ReturnType<typeof createSharer>>['share'];

beforeEach(async () => {
  app = await createTestApp();
  ({ caller, share } = await createSharer(app));
  await respondToConsent({ app, person: caller });
});

const disconnect = (person = caller) =>
  readResponse<DisconnectXResponse>(person.delete('/api/user/x-posting'));
const canPost = async () => (await readResponse<CurrentUser>(caller.get('/api/auth/user'))).canPostOnX;
const plainTokens = () => plainTokensOf(caller);
/** Shares until X has received a request on this path. Delays X's responses there until `release`. */
async function shareUntil(suffix: '/oauth2/token' | '/media/upload') {
  const { promise: isHeld, resolve: hold } = Promise.withResolvers<void>();
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  interceptX(suffix, async (send) => {
    const response = await send();
    hold();
    await isReleased;
    return response;
  });
  const sharing = share();
  await isHeld;
  return { sharing, release };
}

it('disconnecting from X deletes and revokes both tokens, and the next share needs permission', async () => {
  const [access, refresh] = await plainTokens();
  expect([await isLiveAtX.access(access), await canPost()]).toEqual([true, true]);
  let response: DisconnectXResponse | null = null;
  expect(await requestsToX(async () => void (response = await disconnect()))).toEqual([REVOKE, REVOKE]);
  expect(response).toEqual({ message: 'SolCallers can no longer post on X for you.', isRevokedOnX: true });
  expect([await readXTokens(), await canPost()]).toEqual([[], false]);
  expect([await isLiveAtX.access(access), await isLiveAtX.refresh(refresh)]).toEqual([false, false]);
  await expectRefusal(share(), 'shares.consent_needed');
  expect(await tweetsOf(caller.handle)).toEqual([]);
  await respondToConsent({ app, person: caller });
  await readResponse(share());
});

it('simultaneous and repeated requests to disconnect from X all succeed, and revoke the tokens once', async () => {
  const responses = await Promise.all(Array.from({ length: 5 }, () => disconnect()));
  expect(responses.filter(({ isRevokedOnX }) => isRevokedOnX)).toEqual([
    { message: 'SolCallers can no longer post on X for you.', isRevokedOnX: true },
  ]);
  expect(responses.filter(({ message }) => message === NONE)).toHaveLength(4);
  const before = await readDatabase();
  expect(await requestsToX(() => disconnect())).toEqual([]);
  expect(await readDatabase()).toEqual(before);
});

it('a second disconnect doesn’t wait for the first one, and reports no revocation', async () => {
  const { promise: isRequested, resolve: sendRequest } = Promise.withResolvers<void>();
  const { promise: response, resolve: fail } = Promise.withResolvers<void>();
  interceptX('/oauth2/revoke', async () => {
    sendRequest();
    await response;
    return new Response('', { status: 503 });
  });
  const first = disconnect();
  await isRequested;
  expect(await disconnect()).toEqual({ message: NONE, isRevokedOnX: false });
  fail();
  expect(await first).toEqual({ message: UNCONFIRMED, isRevokedOnX: false });
});

it('disconnecting from X warns that a running post may still appear if the revocation is unconfirmed', async () => {
  const { sharing, release } = await shareUntil('/media/upload');
  await control('POST', '/faults', { service: 'x', path: 'oauth2/revoke', status: 503, count: 2 });
  const { message } = await disconnect();
  release();
  await readResponse(sharing);
  expect(await tweetsOf(caller.handle)).toHaveLength(1);
  expect(message).toContain('a post already on its way may still appear');
  expect(message).not.toContain('can no longer post');
});

it('disconnecting from X stops a running post if X confirms the revocation', async () => {
  const { sharing, release } = await shareUntil('/media/upload');
  expect(await disconnect()).toMatchObject({ isRevokedOnX: true });
  release();
  await expectRefusal(sharing, 'shares.consent_needed');
  expect(await tweetsOf(caller.handle)).toEqual([]);
});

it.each([{ status: 503 }, { drop: true }, { status: 401 }])(
  'disconnecting from X deletes the tokens even if X fails, and reports the revocation as unconfirmed: %j',
  async (failure) => {
    await control('POST', '/faults', { service: 'x', path: 'oauth2/revoke', ...failure });
    expect(await disconnect()).toEqual({ message: UNCONFIRMED, isRevokedOnX: false });
    expect([await readXTokens(), await canPost()]).toEqual([[], false]);
  },
);

it('disconnecting from X also revokes the tokens of an earlier consent', async () => {
  const first = await plainTokens();
  await respondToConsent({ app, person: caller });
  expect(await isLiveAtX.access(first[0])).toBe(false);
  const second = await plainTokens();
  expect(await isLiveAtX.access(second[0])).toBe(true);
  expect(await disconnect()).toMatchObject({ isRevokedOnX: true });
  for (const [access, refresh] of [first, second]) {
    expect([await isLiveAtX.access(access), await isLiveAtX.refresh(refresh)]).toEqual([false, false]);
  }
});

it('disconnecting from X treats a token that X does not know as revoked', async () => {
  interceptX('/oauth2/revoke', async () =>
    Response.json(
      { error: 'invalid_request', error_description: 'Value passed for the token was invalid.' },
      { status: 400 },
    ),
  );
  expect(await disconnect()).toMatchObject({ isRevokedOnX: true });
});

it('disconnecting from X deletes undecryptable tokens, and reports their revocation as unconfirmed', async () => {
  await query("UPDATE x_tokens SET access_token_ciphertext = 'AAAA'");
  expect(await disconnect()).toEqual({ message: UNCONFIRMED, isRevokedOnX: false });
  expect(await readXTokens()).toEqual([]);
});

describe('with an expired access token', () => {
  beforeEach(() => app.advance(2 * HOUR_MS));

  it('disconnecting from X during a refresh revokes the refreshed tokens, and the share needs permission', async () => {
    const { sharing, release } = await shareUntil('/oauth2/token');
    expect(await disconnect()).toEqual({ message: UNCONFIRMED, isRevokedOnX: false });
    const requests = await requestsToX(async () => {
      release();
      await expectRefusal(sharing, 'shares.consent_needed');
    });
    expect(requests).toEqual([REVOKE, REVOKE]);
    expect([await readXTokens(), await canPost(), await tweetsOf(caller.handle)]).toEqual([[], false, []]);
  });

  it('disconnecting from X during a refresh revokes the refresh token if X fails to refresh it', async () => {
    const [, refresh] = await plainTokens();
    const { promise: isRequested, resolve: sendRequest } = Promise.withResolvers<void>();
    const { promise: response, resolve: fail } = Promise.withResolvers<Response>();
    interceptX('/oauth2/token', () => {
      sendRequest();
      return response;
    });
    const sharing = share();
    await isRequested;
    await disconnect();
    fail(new Response('', { status: 503 }));
    await expectRefusal(sharing, 'shares.x_unavailable');
    vi.restoreAllMocks();
    expect(await readXTokens()).toEqual([]);
    expect(await isLiveAtX.refresh(refresh)).toBe(false);
  });

  it('a refresh that ends after a disconnect and a newer consent does not change the newer tokens', async () => {
    const { sharing, release } = await shareUntil('/oauth2/token');
    await disconnect();
    vi.restoreAllMocks();
    await respondToConsent({ app, person: caller });
    const included = await plainTokens();
    release();
    await readResponse(sharing);
    expect(await plainTokens()).toEqual(included);
    expect(await tweetsOf(caller.handle)).toHaveLength(1);
  });
});
