import { env } from 'cloudflare:workers';
import { SESSION_SLIDING_MS } from '#schema/constants/people.ts';
import { createId } from '../../shared/ids.ts';
import { createSignedTokens, createToken, hashToken } from '../../shared/secrets.ts';
import type { TestEnv } from '../test-env.ts';

const { DB, X_IDS_KEY } = env as unknown as TestEnv;

export const { create: createSessionToken } = createSignedTokens(X_IDS_KEY);

/** A user who signed in, with the browser's cookies. */
export interface SignedIn {
  readonly id: string;
  readonly cookie: string;
  readonly deviceCookie: string;
}

interface Identity {
  /** The user's columns that come from X. */
  readonly columns: readonly unknown[];
  readonly label: string;
  readonly sessionName: string;
  readonly deviceName: string;
}

/** X's response for each handle that has signed in since this process started. */
const identities = new Map<string, Identity>();

const nameOf = (cookie: string) => cookie.slice(0, cookie.indexOf('='));

/** Remembers the rows of a sign-in through X, so that {@link insertSession} can insert the same rows. */
export async function rememberIdentity(
  handle: string,
  { id, cookie, deviceCookie }: SignedIn,
): Promise<void> {
  if (identities.has(handle)) return;
  const [columns] = await DB.prepare(
    `SELECT x_user_id, x_id_hash, twitter_handle, first_name, last_name, email, profile_image_url, label
     FROM users JOIN devices ON user_id = users.id WHERE users.id = ?`,
  )
    .bind(id)
    .raw();
  if (!columns) throw new Error(`${handle} has no device.`);
  identities.set(handle, {
    columns: columns.slice(0, -1),
    label: String(columns.at(-1)),
    sessionName: nameOf(cookie),
    deviceName: nameOf(deviceCookie),
  });
}

/**
 * Inserts a user's first session. Returns null if the handle's identity on X isn't remembered, or if the user exists.
 */
export async function insertSession(handle: string, now: number): Promise<SignedIn | null> {
  const identity = identities.get(handle);
  if (!identity) return null;
  const { columns, label, sessionName, deviceName } = identity;
  const [id, sessionToken, deviceToken] = [createId(), await createSessionToken(), createToken()];
  const user = await DB.prepare(
    `INSERT INTO users
       (id, x_user_id, x_id_hash, twitter_handle, first_name, last_name, email, profile_image_url, created_at, updated_at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9)
     ON CONFLICT DO NOTHING RETURNING id`,
  )
    .bind(id, ...columns, now)
    .first();
  if (user === null) return null;
  const deviceHash = hashToken(deviceToken);
  await DB.batch([
    DB.prepare(
      `INSERT INTO devices (user_id, token_hash, label, at, last_sign_in_at)
       VALUES (?1, ?2, ?3, ?4, ?4)`,
    ).bind(id, deviceHash, label, now),
    DB.prepare(
      `INSERT INTO sessions (token_hash, user_id, created_at, expires_at, last_used_at, device_hash)
       VALUES (?1, ?2, ?3, ?4, ?3, ?5)`,
    ).bind(hashToken(sessionToken), id, now, now + SESSION_SLIDING_MS, deviceHash),
  ]);
  return {
    id,
    cookie: `${sessionName}=${sessionToken}`,
    deviceCookie: `${deviceName}=${deviceToken}`,
  };
}
