// Starts the local product for the benchmarks of the message senders, and adds followers with Telegram chats and browsers.
import { randomUUID } from 'node:crypto';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { DAY_MS, SECOND_MS } from '#schema/constants.ts';
import { startLocalProduct } from '#dev/local-product.ts';

const POLL_MS = 250;
const PORTS = { port: 19587, solanaPort: 19588, standInsPort: 19590 };
export const PRODUCT_URL = `http://localhost:${PORTS.port}`;

interface LocalChat {
  readonly chatId: number;
  readonly handle: string;
}

interface LocalBrowser {
  readonly endpoint: string;
  readonly keys: { readonly p256dh: string; readonly auth: string };
}

interface Followers {
  readonly count: number;
  /** The usernames of the chats start with this prefix. */
  readonly prefix: string;
  readonly isBlocked?: boolean;
  /** Each follower has a browser that shows notifications, too. */
  readonly hasBrowser?: boolean;
}

export type CrowdWorld = Awaited<ReturnType<typeof startCrowdWorld>>;

export async function startCrowdWorld() {
  const dataDir = mkdtempSync(join(tmpdir(), 'solcallers-crowd-'));
  const log = (line: string) => console.log(line);
  const product = await startLocalProduct(
    { ...PORTS, dataDir, productUrl: PRODUCT_URL },
    { isWatching: false, log },
  );

  async function control<Answer>(method: 'GET' | 'POST', path: string, body?: object): Promise<Answer> {
    const headers = { 'Content-Type': 'application/json' };
    const init = body === undefined ? { method } : { method, headers, body: JSON.stringify(body) };
    const response = await fetch(`${product.world.standInsUrl}/_control${path}`, init);
    return readJson<Answer>(response);
  }

  async function openBrowsers(count: number): Promise<LocalBrowser[]> {
    const browsers: LocalBrowser[] = [];
    while (browsers.length < count) browsers.push(await control<LocalBrowser>('POST', '/push/browsers', {}));
    return browsers;
  }

  async function follow(
    callerId: string,
    { hasBrowser = false, ...followers }: Followers,
  ): Promise<LocalChat[]> {
    const chats = await control<LocalChat[]>('POST', '/telegram/chats', followers);
    const browsers = hasBrowser ? await openBrowsers(followers.count) : [];
    const database = new DatabaseSync(findDatabase(dataDir), { timeout: 10 * SECOND_MS });
    const now = Date.now();
    const insertUser = database.prepare(
      `INSERT INTO users (id, x_user_id, twitter_handle, first_name, last_name, created_at, updated_at)
       VALUES (?, ?, ?, 'Crowd', '', ?, ?)`,
    );
    const insertLink = database.prepare(
      'INSERT INTO telegram_links (user_id, handle, chat_id, connected_at, updated_at) VALUES (?, ?, ?, ?, ?)',
    );
    const insertFollow = database.prepare(
      `INSERT INTO subscriptions (id, subscriber_id, caller_id, starts_at, ends_at, status, created_at)
       VALUES (?, ?, ?, ?, ?, 'active', ?)`,
    );
    const insertSession = database.prepare(
      'INSERT INTO sessions (token_hash, user_id, created_at, expires_at, last_used_at) VALUES (?, ?, ?, ?, ?)',
    );
    const insertBrowser = database.prepare(
      `INSERT INTO push_devices (session_hash, user_id, endpoint, p256dh, auth, created_at)
       VALUES (?, ?, ?, ?, ?, ?)`,
    );
    database.exec('BEGIN IMMEDIATE');
    for (const [position, { chatId, handle }] of chats.entries()) {
      const id = randomUUID();
      insertUser.run(id, `crowd ${chatId}`, handle, now, now);
      insertLink.run(id, handle, String(chatId), now, now);
      insertFollow.run(randomUUID(), id, callerId, now, now + 30 * DAY_MS, now);
      const browser = browsers[position];
      if (browser === undefined) continue;
      insertSession.run(`session ${id}`, id, now, now + 30 * DAY_MS, now);
      insertBrowser.run(`session ${id}`, id, browser.endpoint, browser.keys.p256dh, browser.keys.auth, now);
    }
    database.exec('COMMIT');
    database.close();
    return chats;
  }

  return {
    product,
    dataDir,
    control,
    follow,
    /** Signs a sample caller in. Returns functions that act on the caller's first active call. */
    async signInCaller(handle: string) {
      const cookie = await signIn(handle);
      const request = async <Answer>(path: string, init: RequestInit = {}): Promise<Answer> => {
        const headers = { Cookie: cookie, 'Content-Type': 'application/json' };
        return readJson<Answer>(await fetch(`${PRODUCT_URL}${path}`, { ...init, headers }));
      };
      const { id } = await request<{ id: string }>('/api/auth/user');
      const [call] = await request<{ id: string }[]>(`/api/token-calls/caller/${id}/active`);
      if (!call) throw new Error(`@${handle} has no active call`);
      const body = JSON.stringify({ callId: call.id, message: 'Take half off.' });
      const sendUpdate = () => request('/api/telegram/send-update', { method: 'POST', body });
      return { id, request, sendUpdate };
    },
    /** Returns the number of messages in each chat, by chat id. */
    readCounts: () => control<Record<string, number>>('GET', '/messages/counts'),
    /** Waits until `count` browsers have a message, or none has arrived for `quietMs`. */
    async waitForPushes(count: number, quietMs: number) {
      let [lastAt, reached, messages] = [Date.now(), 0, 0];
      while (reached < count && Date.now() - lastAt < quietMs) {
        await pause(SECOND_MS);
        const received = await control<{ endpoint: string }[]>('GET', '/push/messages');
        if (received.length > messages) lastAt = Date.now();
        [reached, messages] = [new Set(received.map(({ endpoint }) => endpoint)).size, received.length];
      }
      return { lastAt, reached, twice: messages - reached };
    },
    /** Waits until no message has arrived for `quietMs`. Returns the time of the last message (unix ms). */
    async waitForQuiet(quietMs: number, onPoll: (counts: Record<string, number>) => void = () => undefined) {
      let lastAt = Date.now();
      let arrived = 0;
      while (Date.now() - lastAt < quietMs) {
        await pause(POLL_MS);
        const counts = await control<Record<string, number>>('GET', '/messages/counts');
        onPoll(counts);
        const sum = Object.values(counts).reduce((all, count) => all + count, 0);
        if (sum > arrived) lastAt = Date.now();
        arrived = sum;
      }
      return lastAt;
    },
    async close() {
      await product.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** @throws if the response has an error status */
async function readJson<Body>(response: Response): Promise<Body> {
  if (!response.ok) throw new Error(`${response.url} failed (${response.status}): ${await response.text()}`);
  return (await response.json()) as Body;
}

function findDatabase(dataDir: string): string {
  const files = globSync(join(dataDir, 'state/v3/d1/**/*.sqlite')).filter(
    (file) => !file.endsWith('metadata.sqlite'),
  );
  const [file] = files;
  if (file === undefined || files.length > 1) throw new Error(`Expected one database: ${files.join(', ')}`);
  return file;
}

/** Signs in through the local X page and returns the session cookie. */
async function signIn(handle: string): Promise<string> {
  const cookieOf = (answer: Response) =>
    answer.headers
      .getSetCookie()
      .map((cookie) => cookie.split(';', 1)[0])
      .join('; ');
  const start = await fetch(`${PRODUCT_URL}/api/auth/twitter`, { redirect: 'manual' });
  const answered = await fetch(`${start.headers.get('Location')}&login_as=${handle}`, { redirect: 'manual' });
  const headers = { Cookie: cookieOf(start) };
  const signedIn = await fetch(answered.headers.get('Location') ?? '', { redirect: 'manual', headers });
  return cookieOf(signedIn);
}
