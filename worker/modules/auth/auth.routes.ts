import { Hono, type Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { SECOND_MS, SIGN_IN_ATTEMPT_MS } from '#schema/constants.ts';
import type { AppEnv } from '../../app/context.ts';
import { isCrossSite } from '../../app/cross-site.ts';
import { clearSessionCookie, readSessionCookie, requireUser, writeSessionCookie } from '../../app/session.ts';
import { createAuthRequiredError, createSignInInvalidError } from './auth.errors.ts';

const ATTEMPT_COOKIE = 'sign-in';
const AFTER_SIGN_IN = '/dashboard';
/** A browser drops a cookie of over 4 KB, and with it the sign-in. */
const RETURN_TO_MAX_LENGTH = 500;

/** Sign-in with X, log-out, and the signed-in user. The first three are opened as links. */
export const authRoutes = new Hono<AppEnv>()
  .get('/auth/twitter', async (c) => {
    // Whoever shares first allows more on X, with the same callback; they stay who they are here.
    const isConsent = c.req.query('share') === '1';
    if (isConsent) await authenticate(c);
    const { url, attempt } = isConsent
      ? c.var.services.shares.startConsent()
      : c.var.services.auth.startSignIn();
    const remembered = JSON.stringify({
      ...attempt,
      returnTo: safePath(c.req.query('returnTo')),
      ...(isConsent ? { isConsent } : {}),
    });
    setCookie(c, ATTEMPT_COOKIE, remembered, {
      prefix: 'host',
      path: '/',
      secure: true,
      httpOnly: true,
      sameSite: 'Lax',
      maxAge: SIGN_IN_ATTEMPT_MS / SECOND_MS,
    });
    return c.redirect(url.toString());
  })
  .get('/auth/twitter/callback', async (c) => {
    const attempt = readAttempt(getCookie(c, ATTEMPT_COOKIE, 'host'));
    deleteCookie(c, ATTEMPT_COOKIE, { prefix: 'host', path: '/', secure: true });
    const { code, state, error } = c.req.query();
    if (!attempt || state !== attempt.state) throw createSignInInvalidError();
    if (error !== undefined) {
      return c.redirect(attempt.returnTo === AFTER_SIGN_IN && !attempt.isConsent ? '/' : attempt.returnTo);
    }
    if (code === undefined) throw createSignInInvalidError();
    if (attempt.isConsent) {
      const { userId } = await authenticate(c);
      await c.var.services.shares.keepConsent({ userId, code, codeVerifier: attempt.codeVerifier });
      return c.redirect(attempt.returnTo);
    }
    const token = await c.var.services.auth.finishSignIn({ code, codeVerifier: attempt.codeVerifier });
    writeSessionCookie(c, token);
    return c.redirect(attempt.returnTo);
  })
  .get('/logout', async (c) => {
    // A link on another site must not be able to sign our visitor out.
    if (isCrossSite(c)) return c.redirect('/');
    const token = readSessionCookie(c);
    if (token !== undefined) await c.var.services.auth.endSession(token);
    clearSessionCookie(c);
    return c.redirect('/');
  })
  .get('/auth/user', requireUser, async (c) => c.json(await c.var.services.users.current(c.var.userId)));

/** Who is signed in. @throws auth.required */
async function authenticate(c: Context<AppEnv>): Promise<{ userId: string }> {
  const token = readSessionCookie(c);
  const session = token === undefined ? null : await c.var.services.auth.authenticate(token);
  if (!session) throw createAuthRequiredError();
  return session;
}

/** Only a path of our own, written just as a browser reads it: anything else might lead to another site or into the API. */
function safePath(path: string | undefined): string {
  const url = path === undefined ? null : URL.parse(path, 'https://self.invalid');
  const isOwnPath =
    url !== null &&
    path === `${url.pathname}${url.search}${url.hash}` &&
    !leadsIntoApi(url.pathname) &&
    path.length <= RETURN_TO_MAX_LENGTH;
  return isOwnPath ? path : AFTER_SIGN_IN;
}

/** The router decodes a path before it compares; one that cannot be decoded, or is still encoded then, is none of ours. */
function leadsIntoApi(pathname: string): boolean {
  try {
    const decoded = decodeURIComponent(pathname);
    return decoded.includes('%') || /^\/+api(\/|$)/i.test(decoded);
  } catch {
    return true;
  }
}

function readAttempt(
  cookie: string | undefined,
): { state: string; codeVerifier: string; returnTo: string; isConsent: boolean } | null {
  if (cookie === undefined) return null;
  try {
    const { state, codeVerifier, returnTo, isConsent } = JSON.parse(cookie) as Record<string, unknown>;
    if (typeof state !== 'string' || typeof codeVerifier !== 'string') return null;
    return {
      state,
      codeVerifier,
      returnTo: safePath(typeof returnTo === 'string' ? returnTo : undefined),
      isConsent: isConsent === true,
    };
  } catch {
    return null;
  }
}
