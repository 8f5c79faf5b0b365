import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { SESSION_ABSOLUTE_MS } from '#schema/constants.ts';
import { createAuthRequiredError } from '../modules/auth/auth.errors.ts';
import type { AppEnv } from './context.ts';
import type { AppError } from './errors.ts';
import type { Services } from './services.ts';

const SESSION_COOKIE = 'session';

type WithCookies = Pick<Services, 'cookies'>;

export function readSessionCookie(c: Context, { cookies }: WithCookies): string | undefined {
  return cookies.read(c, SESSION_COOKIE);
}

/** The cookie lasts for a session's maximum lifetime. The database may end the session earlier. */
export function writeSessionCookie(c: Context, { cookies }: WithCookies, token: string): void {
  cookies.write(c, { name: SESSION_COOKIE, value: token, maxAgeMs: SESSION_ABSOLUTE_MS });
}

export function clearSessionCookie(c: Context, { cookies }: WithCookies): void {
  cookies.clear(c, SESSION_COOKIE);
}

/** `signedInAt` is unix ms. */
type Session = { userId: string; signedInAt: number } | null;

/** The rate limit and the route both need the session, so it is read once per request. */
const sessionsOfRequests = new WeakMap<Request, Promise<Session>>();

function findSession(c: Context, { auth, cookies }: Pick<Services, 'auth' | 'cookies'>): Promise<Session> {
  const known = sessionsOfRequests.get(c.req.raw);
  if (known) return known;
  const token = readSessionCookie(c, { cookies });
  const session = token === undefined ? Promise.resolve(null) : auth.authenticate(token);
  sessionsOfRequests.set(c.req.raw, session);
  return session;
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
