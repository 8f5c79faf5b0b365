import { DAY_MS, SESSION_ABSOLUTE_MS, SESSION_SLIDING_MS } from '#schema/constants.ts';
import { createId } from '../../shared/ids.ts';
import { createToken, hashToken } from '../../shared/secrets.ts';
import { createXAttempt, type XAttempt } from '../../app/x-attempt.ts';
import type { Clock } from '../../ports/clock.ts';
import type { IdentityProvider } from '../../ports/identity.ts';
import { createSignInInvalidError } from './auth.errors.ts';
import type { AuthRepository } from './auth.repository.ts';

export function createAuthService({
  repository,
  identityProvider,
  clock,
}: {
  repository: AuthRepository;
  identityProvider: IdentityProvider;
  clock: Clock;
}) {
  return {
    /** Begins a sign-in: where to send the browser, and what its cookie has to remember. */
    startSignIn(): { url: URL; attempt: XAttempt } {
      const attempt = createXAttempt();
      return { url: identityProvider.authorizationUrl(attempt), attempt };
    },

    /** Ends a sign-in: the person exists, a session is open. Returns the session's token for the cookie. */
    async finishSignIn({ code, codeVerifier }: { code: string; codeVerifier: string }): Promise<string> {
      const identity = await identityProvider.identify({ code, codeVerifier });
      if (!identity) throw createSignInInvalidError();
      const now = clock.now();
      const { firstName, lastName } = splitName(identity.name, identity.handle);
      const userId = await repository.upsertUser({ id: createId(), identity, firstName, lastName, now });
      const token = createToken();
      await repository.insertSession({
        tokenHash: await hashToken(token),
        userId,
        createdAt: now,
        expiresAt: now + SESSION_SLIDING_MS,
      });
      return token;
    },

    /** Who is signed in and since when (unix ms), or `null`. Use slides the session forward, at most once a day; the sign-in stays when it was. */
    async authenticate(token: string): Promise<{ userId: string; signedInAt: number } | null> {
      const now = clock.now();
      const tokenHash = await hashToken(token);
      const session = await repository.findSession(tokenHash, now);
      if (!session) return null;
      const slid = Math.min(now + SESSION_SLIDING_MS, session.createdAt + SESSION_ABSOLUTE_MS);
      if (slid - session.expiresAt >= DAY_MS) await repository.extendSession(tokenHash, slid);
      return { userId: session.userId, signedInAt: session.createdAt };
    },

    async endSession(token: string): Promise<void> {
      await repository.deleteSession(await hashToken(token));
    },

    async purgeExpiredSessions(): Promise<void> {
      await repository.deleteExpiredSessions(clock.now());
    },
  };
}

/** X has one name field; the first word is the first name. */
function splitName(name: string, handle: string): { firstName: string; lastName: string } {
  const [firstName = '', ...rest] = name.trim().split(/\s+/);
  return { firstName: firstName === '' ? handle : firstName, lastName: rest.join(' ') };
}
