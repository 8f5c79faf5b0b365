import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { createMiddleware } from 'hono/factory';
import { SESSION_ABSOLUTE_MS, SECOND_MS } from '#schema/constants.ts';
import { createAuthRequiredError } from '../modules/auth/auth.errors.ts';
import type { AppEnv } from './context.ts';
import type { AppError } from './errors.ts';
import type { Services } from './services.ts';

const SESSION_COOKIE = 'session';

export function readSessionCookie(c: Context): string | undefined {
  return getCookie(c, SESSION_COOKIE, 'host');
}

/** The cookie lasts for a session's maximum lifetime. The database may end the session earlier. */
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

/** `signedInAt` is unix ms. */
async function findSession(
  c: Context,
  { auth }: Pick<Services, 'auth'>,
): Promise<{ userId: string; signedInAt: number } | null> {
  const token = readSessionCookie(c);
  return token === undefined ? null : auth.authenticate(token);
}

export async function findViewer(c: Context<AppEnv>): Promise<string | null> {
  return (await findSession(c, c.var.services))?.userId ?? null;
}

/** @throws auth.required */
export async function requireViewer(c: Context<AppEnv>): Promise<string> {
  const viewerId = await findViewer(c);
  if (viewerId === null) throw createAuthRequiredError();
  return viewerId;
}

/** Sets `viewerId` on public routes whose response depends on the viewer. */
export const identifyViewer = createMiddleware<AppEnv>(async (c, next) => {
  c.set('viewerId', await findViewer(c));
  await next();
});

/**
 * Throws `createError()` for requests without a session. Sets `c.var.userId`, and `c.var.signedInAt` (unix ms) for
 * handlers that require a recent sign-in.
 */
export const requireUserOr = (createError: () => AppError) =>
  createMiddleware<AppEnv & { Variables: { userId: string; signedInAt: number } }>(async (c, next) => {
    const session = await findSession(c, c.var.services);
    if (!session) throw createError();
    c.set('viewerId', session.userId);
    c.set('userId', session.userId);
    c.set('signedInAt', session.signedInAt);
    await next();
  });

export const requireUser = requireUserOr(createAuthRequiredError);
