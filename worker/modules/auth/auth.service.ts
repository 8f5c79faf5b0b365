import { DAY_MS, SESSION_ABSOLUTE_MS, SESSION_SLIDING_MS } from '#schema/constants.ts';
import { oneLine } from '#schema/rules/visible-text.ts';
import type { Clock } from '../../ports/clock.ts';
import type { IdentityProvider } from '../../ports/identity.ts';
import { createId } from '../../shared/ids.ts';
import { createToken, hashToken } from '../../shared/secrets.ts';
import { createSignInInvalidError } from './auth.errors.ts';
import type { AuthRepository } from './auth.repository.ts';

interface AuthDependencies {
  readonly repository: AuthRepository;
  readonly identityProvider: IdentityProvider;
  readonly clock: Clock;
}

export function createAuthService({ repository, identityProvider, clock }: AuthDependencies) {
  return {
    startSignIn: () => identityProvider.startSignIn(),

    /** Creates or updates the user and opens a session. Returns the token for the session cookie. */
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

    /**
     * Finds the session of a token, and extends its expiry at most once a day. `signedInAt` (unix ms) never changes.
     * @returns `null` for an unknown or expired token
     */
    async authenticate(token: string): Promise<{ userId: string; signedInAt: number } | null> {
      const now = clock.now();
      const tokenHash = await hashToken(token);
      const session = await repository.findSession(tokenHash, now);
      if (!session) return null;
      const extended = Math.min(now + SESSION_SLIDING_MS, session.createdAt + SESSION_ABSOLUTE_MS);
      if (extended - session.expiresAt >= DAY_MS) await repository.extendSession(tokenHash, extended);
      return { userId: session.userId, signedInAt: session.createdAt };
    },

    async endSession(token: string): Promise<void> {
      await repository.deleteSession(await hashToken(token));
    },

    purgeExpiredSessions: () => repository.deleteExpiredSessions(clock.now()),
  };
}

/** X has one name field; its first word becomes the first name. */
function splitName(name: string, handle: string): { firstName: string; lastName: string } {
  const [firstName = '', ...rest] = oneLine(name).split(' ');
  return { firstName: firstName === '' ? handle : firstName, lastName: rest.join(' ') };
}
