import { createCaller, makeEndedCall } from '../people/callers.ts';
import { query } from '../database/database.ts';
import { createTokenCipher } from '../../shared/token-cipher.ts';
import { control, cookiesOf, testEnv, type Person, type TestApp } from '../test-app.ts';

/** A tweet in the local X. */
export interface LocalTweet {
  readonly id: string;
  readonly text: string;
  readonly handle: string;
  readonly mediaIds: readonly string[];
  readonly costUsd: number;
}

/**
 * Grants the consent to post on X, by default as the same user in the same browser, which then has the new session's
 * cookie. Returns the callback's response.
 */
export const respondToConsent = async (consent: Consent): Promise<Response> =>
  (await beginConsent(consent))();

interface Consent {
  readonly app: TestApp;
  readonly person: Person;
  readonly as?: string;
  readonly returnTo?: string;
  readonly cookie?: string;
}

/** Permits posts at X. The returned function finishes the request here. */
export async function beginConsent({
  app,
  person,
  as = person.handle,
  returnTo = '/dashboard',
  cookie,
}: Consent) {
  const start = await app.request(`/api/auth/twitter?share=1&returnTo=${encodeURIComponent(returnTo)}`, {
    cookie: person.cookie,
  });
  const responded = await fetch(`${start.headers.get('Location')}&login_as=${as}`, { redirect: 'manual' });
  const { pathname, search } = new URL(responded.headers.get('Location') ?? '');
  return async (): Promise<Response> => {
    const own = cookie ?? `${person.cookie}; ${person.deviceCookie}`;
    const response = await app.request(`${pathname}${search}`, { cookie: `${cookiesOf(start)}; ${own}` });
    const [session = ''] = cookiesOf(response).split('; ');
    if (session !== '') person.cookie = session;
    return response;
  };
}

/** True if X still accepts the token. Checking a refresh token uses it up. */
export const isLiveAtX = {
  access: async (token: string): Promise<boolean> =>
    (await fetch(`${testEnv.X_API_URL}/2/users/me`, { headers: { Authorization: `Bearer ${token}` } })).ok,
  refresh: async (token: string): Promise<boolean> =>
    (
      await fetch(`${testEnv.X_API_URL}/2/oauth2/token`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({
          grant_type: 'refresh_token',
          refresh_token: token,
          client_id: 'local-client',
        }),
      })
    ).ok,
};

/**
 * Removes a user's avatar, so that two drawings can't differ because X delivers the avatar too late for one of them.
 */
export async function removeAvatar(userId: string): Promise<void> {
  await query('UPDATE users SET profile_image_url = NULL WHERE id = ?', userId);
}

let sharers = 0;

/**
 * A caller with an ended call, a function that reads the call's image once, and a function that posts the image.
 * Handles are unique, because all tests share the local X.
 */
export async function createSharer(app: TestApp) {
  const caller = await createCaller(app, `sharer${Date.now() % 1_000_000}_${sharers++}`);
  await removeAvatar(caller.id);
  const { id } = await makeEndedCall({ caller });
  let image: Promise<Uint8Array<ArrayBuffer>> | undefined;
  const readOnce = () => (image ??= readImage(app, id));
  return {
    caller,
    readImage: readOnce,
    share: async (text = 'My call ended.', person: Person = caller) =>
      person.post('/api/twitter-post', { text, imageDataUrl: toDataUrl(await readOnce()) }),
  };
}

interface XTokens {
  readonly access_token_ciphertext: string;
  readonly refresh_token_ciphertext: string | null;
  readonly expires_at: number;
}

export const readXTokens = () => query<XTokens>('SELECT * FROM x_tokens');

/** A person's stored access token and refresh token, decrypted. */
export async function plainTokensOf({ id }: Person): Promise<readonly [access: string, refresh: string]> {
  const cipher = createTokenCipher(testEnv.X_TOKENS_KEY);
  const [row] = await readXTokens();
  return [
    (await cipher.decrypt(row?.access_token_ciphertext ?? '', id)) ?? '',
    (await cipher.decrypt(row?.refresh_token_ciphertext ?? '', id)) ?? '',
  ];
}

export async function readImage(app: TestApp, callId: string): Promise<Uint8Array<ArrayBuffer>> {
  const response = await app.request(`/api/token-calls/${callId}/share.png`);
  if (response.status !== 200) throw new Error(`Image returned ${response.status}: ${await response.text()}`);
  return new Uint8Array(await response.arrayBuffer());
}

/** Encodes a PNG as the data URL that the page sends. */
export function toDataUrl(bytes: Uint8Array): string {
  return `data:image/png;base64,${Buffer.from(bytes).toString('base64')}`;
}

/** Requests to the local X during `act`, such as 'POST /x/2/tweets', newest last. */
export async function requestsToX(act: () => Promise<unknown>): Promise<string[]> {
  await control('DELETE', '/requests');
  await act();
  const { requests } = await control<{ requests: { method: string; path: string }[] }>(
    'GET',
    '/requests?service=x',
  );
  return requests.map(({ method, path }) => `${method} ${path}`);
}

/** Tweets of a handle on the local X, oldest first. */
export async function tweetsOf(handle: string): Promise<LocalTweet[]> {
  const tweets = await (await fetch(`${testEnv.TEST_CONTROL_URL}/tweets`)).json<LocalTweet[]>();
  return tweets.filter((tweet) => tweet.handle === handle);
}

export async function readMedium(id: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await (await fetch(`${testEnv.X_API_URL}/media/${id}`)).arrayBuffer());
}
