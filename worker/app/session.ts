import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { createMiddleware } from 'hono/factory';
import { SESSION_ABSOLUTE_MS, SECOND_MS } from '#schema/constants.ts';
import { createAuthRequiredError } from '../modules/auth/auth.errors.ts';
import type { AppEnv } from './context.ts';
import type { AppError } from './errors.ts';

const SESSION_COOKIE = 'session';

/** The browser's session token, if it sent one. */
export function readSessionCookie(c: Context): string | undefined {
  return getCookie(c, SESSION_COOKIE, 'host');
}

/** Keeps the token for the absolute lifetime; the database decides when it ends earlier. */
export function writeSessionCookie(c: Context, token: string): void {
  setCookie(c, SESSION_COOKIE, token, {
    prefix: 'host',
    path: '/',
    secure: true,
    httpOnly: true,
    sameSite: 'Lax',
    maxAge: SESSION_ABSOLUTE_MS / SECOND_MS,
  });
}

export function clearSessionCookie(c: Context): void {
  deleteCookie(c, SESSION_COOKIE, { prefix: 'host', path: '/', secure: true });
}

/** Who is asking, or `null` for nobody who is signed in. */
export async function findViewer(c: Context<AppEnv>): Promise<string | null> {
  const token = readSessionCookie(c);
  const session = token === undefined ? null : await c.var.services.auth.authenticate(token);
  return session?.userId ?? null;
}

/** Finds out who is asking. For routes whose answer depends on the viewer but that anyone may ask. */
export const identifyViewer = createMiddleware<AppEnv>(async (c, next) => {
  c.set('viewerId', await findViewer(c));
  await next();
});

/** Refuses with `createError` whoever is not signed in; handlers read `c.var.userId`, and `c.var.signedInAt` (unix ms) where an old sign-in is not enough. */
export const requireUserOr = (createError: () => AppError) =>
  createMiddleware<AppEnv & { Variables: { userId: string; signedInAt: number } }>(async (c, next) => {
    const token = readSessionCookie(c);
    const session = token === undefined ? null : await c.var.services.auth.authenticate(token);
    if (!session) throw createError();
    c.set('viewerId', session.userId);
    c.set('userId', session.userId);
    c.set('signedInAt', session.signedInAt);
    await next();
  });

/** Refuses with 401 whoever is not signed in; handlers read `c.var.userId` and `c.var.signedInAt`. */
export const requireUser = requireUserOr(createAuthRequiredError);
