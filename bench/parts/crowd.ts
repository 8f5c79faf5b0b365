import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { DAY_MS, SECOND_MS } from '#schema/constants.ts';
import type { LocalWorld } from '../context.ts';
import { findDatabase } from '../world/build-world.ts';

const POLL_MS = 250;

interface LocalChat {
  readonly chatId: number;
  readonly handle: string;
}

interface LocalBrowser {
  readonly endpoint: string;
  readonly keys: { readonly p256dh: string; readonly auth: string };
}

export interface Followers {
  readonly count: number;
  /** The usernames of the chats start with this prefix. */
  readonly prefix: string;
  readonly isBlocked?: boolean;
  /** Each follower has a browser that shows notifications, too. */
  readonly hasBrowser?: boolean;
}

/** Sends a request to the control API of the local third parties. */
export async function control<Answer>(
  { world }: LocalWorld,
  method: 'GET' | 'POST',
  path: string,
  body?: object,
): Promise<Answer> {
  const headers = { 'Content-Type': 'application/json' };
  const init = body === undefined ? { method } : { method, headers, body: JSON.stringify(body) };
  return readJson<Answer>(await fetch(`${world.standInsUrl}/_control${path}`, init));
}

/** Adds followers with Telegram chats, and browsers, to the database. Returns their chats' ids. */
export async function addFollowers(
  local: LocalWorld,
  callerId: string,
  { hasBrowser = false, ...followers }: Followers,
): Promise<number[]> {
  const chats = await control<LocalChat[]>(local, 'POST', '/telegram/chats', followers);
  const browsers: LocalBrowser[] = [];
  const browserCount = hasBrowser ? followers.count : 0;
  while (browsers.length < browserCount) {
    browsers.push(await control<LocalBrowser>(local, 'POST', '/push/browsers', {}));
  }
  const file = findDatabase(join(local.dataDir, 'state'));
  const database = new DatabaseSync(file, { timeout: 10 * SECOND_MS });
  const now = Date.now();
  const insert = (table: string, row: Readonly<Record<string, string | number>>) => {
    const columns = Object.keys(row);
    const places = columns.map(() => '?').join(', ');
    database
      .prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places})`)
      .run(...Object.values(row));
  };
  const endsAt = now + 30 * DAY_MS;
  database.exec('BEGIN IMMEDIATE');
  for (const [position, { chatId, handle }] of chats.entries()) {
    const id = randomUUID();
    const name = { twitter_handle: handle, first_name: 'Crowd', last_name: '' };
    insert('users', { id, x_user_id: `crowd ${chatId}`, ...name, created_at: now, updated_at: now });
    insert('telegram_links', {
      user_id: id,
      handle,
      chat_id: String(chatId),
      connected_at: now,
      updated_at: now,
    });
    const follow = { subscriber_id: id, caller_id: callerId, status: 'active', created_at: now };
    insert('subscriptions', { id: randomUUID(), ...follow, starts_at: now, ends_at: endsAt });
    const browser = browsers[position];
    if (browser === undefined) continue;
    const session = { user_id: id, created_at: now };
    insert('sessions', {
      token_hash: `session ${id}`,
      ...session,
      expires_at: endsAt,
      last_used_at: now,
    });
    insert('push_devices', {
      session_hash: `session ${id}`,
      ...session,
      endpoint: browser.endpoint,
      ...browser.keys,
    });
  }
  database
    .prepare('UPDATE callers SET subscriber_count = subscriber_count + ? WHERE caller_id = ?')
    .run(chats.length, callerId);
  database.exec('COMMIT');
  database.close();
  return chats.map(({ chatId }) => chatId);
}

/** Signs a sample caller in. Returns a function that sends an update of their first active call. */
export async function signInCaller({ productUrl }: LocalWorld, handle: string) {
  const cookieOf = (response: Response) =>
    response.headers
      .getSetCookie()
      .map((cookie) => cookie.split(';', 1)[0])
      .join('; ');
  const start = await fetch(`${productUrl}/api/auth/twitter`, { redirect: 'manual' });
  const consent = await fetch(`${start.headers.get('Location')}&login_as=${handle}`, { redirect: 'manual' });
  const signedIn = await fetch(consent.headers.get('Location') ?? '', {
    redirect: 'manual',
    headers: { Cookie: cookieOf(start) },
  });
  const headers = { Cookie: cookieOf(signedIn), 'Content-Type': 'application/json' };
  const request = async <Answer>(path: string, init: RequestInit = {}) =>
    readJson<Answer>(await fetch(`${productUrl}${path}`, { ...init, headers }));
  const { id } = await request<{ id: string }>('/api/auth/user');
  const [call] = await request<{ id: string }[]>(`/api/token-calls/caller/${id}/active`);
  if (!call) throw new Error(`@${handle} has no active call`);
  const body = JSON.stringify({ callId: call.id, message: 'Take half off.' });
  return { id, sendUpdate: () => request('/api/telegram/send-update', { method: 'POST', body }) };
}

/** Reads `count` until it hasn't changed for `quietMs`. Returns the time of the last change (unix ms). */
export async function waitForQuiet(count: () => Promise<number>, quietMs: number): Promise<number> {
  let [lastAt, last] = [Date.now(), 0];
  while (Date.now() - lastAt < quietMs) {
    await pause(POLL_MS);
    const current = await count();
    if (current !== last) lastAt = Date.now();
    last = current;
  }
  return lastAt;
}

/** @throws if the response has an error status */
async function readJson<Body>(response: Response): Promise<Body> {
  if (!response.ok) throw new Error(`${response.url} failed (${response.status}): ${await response.text()}`);
  return (await response.json()) as Body;
}
