import { Hono, type Context } from 'hono';
import { z } from 'zod';
import { SIGN_IN_ATTEMPT_MS } from '#schema/constants/people.ts';
import type { AppEnv } from '../../../app/context.ts';
import { AppError, nullOnErrorCode } from '../../../app/errors.ts';
import { route, signedInRoutes } from '../../../app/route.ts';
import type { Cookies } from '../../../app/cookies.ts';
import { whileOpen } from '../../../shared/database.ts';
import { isFromOwnPage } from '../../../app/cross-site.ts';
import {
  clearSessionCookies,
  findSession,
  readSignInBrowser,
  requireSession,
  writeDeviceCookie,
  writeSessionCookies,
} from '../../../app/session.ts';

const ATTEMPT_COOKIE = 'sign-in';
const AFTER_SIGN_IN = '/dashboard';
/** The limit keeps the cookie small, because browsers drop cookies over 4 KB. */
const RETURN_TO_MAX_LENGTH = 500;

/**
 * The content of the browser's cookie during a sign-in on X. `isConsent`: the user is already signed in and also permits
 * posting. X confirms the account, so this counts as a sign-in, too.
 */
const attemptSchema = z.object({
  state: z.string(),
  codeVerifier: z.string(),
  returnTo: z.string().transform(safePath),
  isConsent: z.boolean(),
});
type Attempt = z.infer<typeof attemptSchema>;

/** Sign-ins have no session yet, so they count for their network address. Their limits are high, because many people share one. */
const SIGN_IN = { session: 'handler', tag: 'Account' } as const;

/** The browser navigates to the first three routes; the app doesn't fetch them. */
export const authRoutes = new Hono<AppEnv>()
  .get(
    '/auth/twitter',
    route({
      ...SIGN_IN,
      limit: 'cheap',
      summary: 'Start signing in with X, or permit posting on X',
      query: {
        returnTo: 'The path to return to afterwards.',
        share: '`1` asks a signed-in user for the permission to post.',
      },
      errors: ['auth.required'],
    }),
    async (c) => {
      const isConsent = c.req.query('share') === '1';
      if (isConsent) await requireSession(c);
      const { shares, auth, cookies } = c.var.services;
      const { url, attempt } = isConsent ? shares.startConsent() : auth.startSignIn();
      const returnTo = safePath(c.req.query('returnTo'));
      writeAttempt(c, cookies, { ...attempt, returnTo, isConsent });
      return c.redirect(url.toString());
    },
  )
  .get(
    '/auth/twitter/callback',
    route({
      ...SIGN_IN,
      limit: 'reads',
      ability: 'sign_in',
      summary: 'Finish signing in; X redirects here',
      query: { code: 'From X.', state: 'From X.', error: 'From X, if the user declined.' },
      errors: [
        'auth.required',
        'auth.attempt_invalid',
        'auth.deletion_running',
        'auth.provider_unavailable',
        'auth.refused_by_x',
        'auth.x_rate_limited',
        'auth.broken',
        'shares.consent_incomplete',
        'shares.other_account',
        'shares.x_unavailable',
      ],
    }),
    async (c) => {
      const { auth, cookies, shares } = c.var.services;
      const attempt = readAttempt(cookies.read(c, ATTEMPT_COOKIE));
      cookies.clear(c, ATTEMPT_COOKIE);
      const { code, state, error } = c.req.query();
      if (!attempt || state !== attempt.state) throw new AppError({ code: 'auth.attempt_invalid' });
      const { returnTo, codeVerifier, isConsent } = attempt;
      // The user declined on X. The dashboard needs a session, so redirect to the home page instead.
      if (error !== undefined) return c.redirect(returnTo === AFTER_SIGN_IN && !isConsent ? '/' : returnTo);
      if (code === undefined) throw new AppError({ code: 'auth.attempt_invalid' });
      const browser = readSignInBrowser(c, { cookies });
      const signIn = async () => {
        if (!isConsent) return auth.finishSignIn({ code, codeVerifier, browser });
        const session = await requireSession(c);
        return whileOpen(session.id, async () => {
          await shares.storeConsent(session, { code, codeVerifier });
          return auth.openSession({ userId: session.userId, browser });
        });
      };
      const { sessionToken, deviceToken } = await signIn();
      writeSessionCookies(c, { cookies }, sessionToken);
      writeDeviceCookie(c, { cookies }, deviceToken);
      return c.redirect(returnTo);
    },
  )
  .get(
    '/logout',
    route({ limit: 'reads', session: 'handler', tag: 'Account', summary: 'Sign out' }),
    async (c) => {
      // Don't end the session, because another site's link must not sign our visitor out.
      if (!isFromOwnPage(c)) return c.redirect('/');
      const { ways, cookies } = c.var.services;
      const session = await findSession(c, c.var.services);
      if (session) await nullOnErrorCode('ways.not_found', ways.end(session));
      clearSessionCookies(c, { cookies });
      return c.redirect('/');
    },
  )
  .get(
    '/auth/user',
    signedInRoutes('Account').read({
      summary: 'The signed-in user',
      response: 'CurrentUser',
      errors: ['users.not_found'],
    }),
    async (c) => c.json(await c.var.services.users.current(c.var.userId)),
  );

/** Returns only normalised paths of our own site, not of the API, so that nobody is redirected elsewhere. */
function safePath(path: string | undefined): string {
  const url = path === undefined ? null : URL.parse(path, 'https://self.invalid');
  const isOwnPath =
    url !== null &&
    path === `${url.pathname}${url.search}${url.hash}` &&
    !isApiPath(url.pathname) &&
    path.length <= RETURN_TO_MAX_LENGTH;
  return isOwnPath ? path : AFTER_SIGN_IN;
}

/** The router compares decoded paths. A malformed or doubly encoded one counts as an API path. */
function isApiPath(pathname: string): boolean {
  try {
    const decoded = decodeURIComponent(pathname);
    return decoded.includes('%') || /^\/+api(\/|$)/i.test(decoded);
  } catch {
    return true;
  }
}

function writeAttempt(c: Context, cookies: Cookies, attempt: Attempt): void {
  const value = JSON.stringify(attempt);
  cookies.write(c, { name: ATTEMPT_COOKIE, value, maxAgeMs: SIGN_IN_ATTEMPT_MS });
}

function readAttempt(cookie: string | undefined): Attempt | null {
  try {
    return attemptSchema.parse(JSON.parse(cookie ?? ''));
  } catch {
    return null;
  }
}
