import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import {
  API_KEY_PREFIX,
  DEVICE_REMEMBERED_MS,
  SESSION_ABSOLUTE_MS,
  SIGNED_IN_COOKIE,
} from '#schema/constants/people.ts';
import type { Session, SignInBrowser } from '../modules/people/auth/auth.service.ts';
import { hasWayEnded, isMissingReference, whileOpen } from '../shared/database.ts';
import type { AppEnv } from './context.ts';
import { AppError } from './errors.ts';
import type { Services } from './services.ts';

const SESSION_COOKIE = 'session';
const DEVICE_COOKIE = 'device';

type WithCookies = Pick<Services, 'cookies'>;

export function readSessionCookie(c: Context, { cookies }: WithCookies): string | undefined {
  return cookies.read(c, SESSION_COOKIE);
}

/**
 * Writes the session's cookie and the flag that tells the app to ask who is signed in. Their lifetime is the session's
 * maximum. The database may end the session earlier.
 */
export function writeSessionCookies(c: Context, { cookies }: WithCookies, token: string): void {
  const maxAgeMs = SESSION_ABSOLUTE_MS;
  c.set('hasSignedIn', true);
  cookies.write(c, { name: SESSION_COOKIE, value: token, maxAgeMs });
  cookies.write(c, { name: SIGNED_IN_COOKIE, value: '1', maxAgeMs, isReadable: true });
}

export function clearSessionCookies(c: Context, { cookies }: WithCookies): void {
  cookies.clear(c, SESSION_COOKIE);
  cookies.clear(c, SIGNED_IN_COOKIE);
}

export function readSignInBrowser(c: Context, { cookies }: WithCookies): SignInBrowser {
  const device = cookies.read(c, DEVICE_COOKIE);
  return {
    sessionToken: readSessionCookie(c, { cookies }),
    deviceToken: device !== undefined && /^[\w-]{43}$/.test(device) ? device : undefined,
    userAgent: c.req.header('User-Agent'),
  };
}

/** The device cookie outlives the session. It only recognises the browser at the next sign-in and grants no access. */
export function writeDeviceCookie(c: Context, { cookies }: WithCookies, token: string): void {
  cookies.write(c, { name: DEVICE_COOKIE, value: token, maxAgeMs: DEVICE_REMEMBERED_MS });
}

/** The scheme's case doesn't matter (RFC 9110, 11.1). */
const BEARER = /^Bearer +(.+)$/i;

/** True for a request of a program. Shared caches and replicas of the database don't serve it. */
export const hasAuthorization = (c: Context): boolean => c.req.header('Authorization') !== undefined;

/** The token of an Authorization header; empty without one. */
export const readBearer = (c: Context): string => BEARER.exec(c.req.header('Authorization') ?? '')?.[1] ?? '';

export type Authentication = Pick<Services, 'auth' | 'apiKeys' | 'cookies' | 'tokens'>;

/** The request's API key or session token. Null for a made-up one, which needs no query. */
export async function readOwnToken(c: Context, services: Authentication): Promise<string | null> {
  const token = hasAuthorization(c) ? readBearer(c) : (readSessionCookie(c, services) ?? '');
  const prefix = hasAuthorization(c) ? API_KEY_PREFIX : '';
  const isOurs = token.startsWith(prefix) && (await services.tokens.isOurs(token.slice(prefix.length)));
  return isOurs ? token : null;
}

async function authenticate(c: Context, services: Authentication): Promise<Session | null> {
  const token = await readOwnToken(c, services);
  if (token === null) return null;
  return (hasAuthorization(c) ? services.apiKeys : services.auth).authenticate(token);
}

/** Reads the session once per request, because the rate limit and the route both need it. */
const sessionsOfRequests = new WeakMap<Request, Promise<Session | null>>();

export function findSession(c: Context, services: Authentication): Promise<Session | null> {
  const session = sessionsOfRequests.get(c.req.raw) ?? authenticate(c, services);
  sessionsOfRequests.set(c.req.raw, session);
  return session;
}

export async function findViewer(c: Context<AppEnv>): Promise<string | null> {
  return (await findSession(c, c.var.services))?.userId ?? null;
}

export async function requireSession(c: Context<AppEnv>): Promise<Session> {
  const session = await findSession(c, c.var.services);
  if (session === null) throw new AppError({ code: 'auth.required' });
  return session;
}

export const identifyViewer = createMiddleware<AppEnv>(async (c, next) => {
  c.set('viewerId', await findViewer(c));
  await next();
});

export interface SignedInEnv extends AppEnv {
  Variables: AppEnv['Variables'] & {
    userId: string;
    sessionId: string;
    signedInAt: number;
  };
}

/** True if a request failed because its session, key or account was ended while it ran. New rows can't reference a deleted account. */
export async function hasSessionEnded(error: unknown, c: Context<AppEnv>): Promise<boolean> {
  const hasEnded = hasWayEnded(error) || isMissingReference(error);
  if (!hasEnded || (await findSession(c, c.var.services)) === null) return false;
  return (await authenticate(c, c.var.services)) === null;
}

export const requireUserOr = (createError = () => new AppError({ code: 'auth.required' })) =>
  createMiddleware<SignedInEnv>(async (c, next) => {
    const session = await findSession(c, c.var.services);
    if (!session) throw createError();
    c.set('viewerId', session.userId);
    c.set('userId', session.userId);
    c.set('sessionId', session.id);
    c.set('signedInAt', session.signedInAt);
    await whileOpen(session.id, next);
  });
