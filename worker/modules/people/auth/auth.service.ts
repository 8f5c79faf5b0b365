import { createHmac } from 'node:crypto';
import {
  API_KEY_MS,
  DEVICE_REMEMBERED_MS,
  SESSION_ABSOLUTE_MS,
  SESSION_SLIDING_MS,
  SESSION_USE_MS,
} from '#schema/constants/people.ts';
import { labelDevice } from '#schema/rules/people/device-label.ts';
import { oneLine } from '#schema/rules/text/visible-text.ts';
import type { Base } from '../../../app/base.ts';
import { AppError } from '../../../app/errors.ts';
import type { IdentityProvider } from '../../../adapters/x-api.ts';
import type { Identity, OAuthResponse } from '../../../ports/identity.ts';
import { fromBase64 } from '../../../shared/base64.ts';
import { afterItsEnd, isUniqueViolation } from '../../../shared/database.ts';
import { createId } from '../../../shared/ids.ts';
import { createToken, hashToken, type SignedTokens } from '../../../shared/secrets.ts';
import { createAuthRepository } from './auth.repository.ts';
import type { MessagesWriter } from '../../../ports/outbox.ts';

interface AuthDependencies extends Pick<Base, 'db' | 'clock'> {
  readonly identityProvider: IdentityProvider;
  readonly messages: MessagesWriter;
  readonly tokens: SignedTokens;
  readonly hashXId: (xUserId: string) => string;
}

export interface SignInBrowser {
  readonly sessionToken: string | undefined;
  readonly deviceToken: string | undefined;
  readonly userAgent: string | undefined;
}

export interface SignIn extends OAuthResponse {
  readonly browser: SignInBrowser;
}

export interface NewSession {
  readonly userId: string;
  readonly browser: SignInBrowser;
  /** True if this sign-in has created the account. */
  readonly isFirst?: boolean;
}

export interface Session {
  readonly id: string;
  readonly userId: string;
  /** Unix ms. It never changes. 0 for an API key. */
  readonly signedInAt: number;
  readonly isReadOnly?: boolean;
}

export function createAuthService(dependencies: AuthDependencies) {
  const { db, identityProvider, messages, tokens, hashXId, clock } = dependencies;
  const repository = createAuthRepository(db);
  const openAccount = async (identity: Identity, now: number) => {
    try {
      return await repository.upsertUser({
        id: createId(),
        identity,
        xIdHash: hashXId(identity.xUserId),
        ...splitName(identity.name, identity.handle),
        now,
      });
    } catch (error) {
      throw isUniqueViolation(error, 'x_id_hash') ? new AppError({ code: 'auth.deletion_running' }) : error;
    }
  };

  const openSession = async ({ userId, browser, isFirst = false }: NewSession) => {
    const now = clock.now();
    const sessionToken = await tokens.create();
    const deviceToken = browser.deviceToken ?? createToken();
    const deviceHash = hashToken(deviceToken);
    const { sessionToken: replaced } = browser;
    await repository.openSession({
      session: {
        tokenHash: hashToken(sessionToken),
        userId,
        createdAt: now,
        expiresAt: now + SESSION_SLIDING_MS,
        lastUsedAt: now,
        deviceHash,
      },
      device: {
        userId,
        tokenHash: deviceHash,
        label: labelDevice(browser.userAgent),
        at: now,
        lastSignInAt: now,
      },
      replaced: replaced === undefined ? null : hashToken(replaced),
      isFirst,
    });
    // A new session has replaced the one of this request.
    await afterItsEnd(() => messages.writeSoon());
    return { sessionToken, deviceToken };
  };

  return {
    startSignIn: () => identityProvider.startSignIn(),

    /**
     * Creates or updates the user and opens a session. Returns the tokens for the cookies.
     * @throws auth.attempt_invalid, auth.deletion_running
     */
    async finishSignIn({ code, codeVerifier, browser }: SignIn) {
      const identity = await identityProvider.identify({ code, codeVerifier });
      if (!identity) throw new AppError({ code: 'auth.attempt_invalid' });
      const { userId, isOpened } = await openAccount(identity, clock.now());
      return openSession({ userId, browser, isFirst: isOpened });
    },

    /** Replaces the browser's session after the user has proved their X account again. Returns the tokens for the cookies. */
    openSession,

    /** Finds a token's session and extends it. Null for an unknown or expired token. */
    async authenticate(token: string): Promise<Session | null> {
      const now = clock.now();
      const tokenHash = hashToken(token);
      const session = await repository.findSession(tokenHash, now);
      if (!session) return null;
      const { userId, createdAt, lastUsedAt } = session;
      if (now - lastUsedAt >= SESSION_USE_MS) {
        const expiresAt = Math.min(now + SESSION_SLIDING_MS, createdAt + SESSION_ABSOLUTE_MS);
        await repository.recordUse({ tokenHash, expiresAt, now });
      }
      return { id: tokenHash, userId, signedInAt: createdAt };
    },

    async purgeExpiredSessions(): Promise<void> {
      await repository.deleteExpiredSessions(clock.now());
      await repository.forgetFormerChats(clock.now());
      await repository.deleteOldApiKeys(clock.now() - API_KEY_MS);
      await repository.deleteOldDevices(clock.now() - DEVICE_REMEMBERED_MS);
    },
  };
}

/** Longer names are cut before they are split. X allows fifty characters. */
const NAME_MAX_LENGTH = 500;

/** Splits X's single name field: its first word becomes the first name. */
function splitName(name: string, handle: string): { firstName: string; lastName: string } {
  const [firstName = '', ...rest] = oneLine(name.slice(0, NAME_MAX_LENGTH)).split(' ');
  return { firstName: firstName === '' ? handle : firstName, lastName: rest.join(' ') };
}

/**
 * Returns a function that hashes X ids with a key (32 bytes in base64). X ids are short numbers, so without the key
 * anybody could find the id of a hash by trying.
 */
export const createXIdHash = (key: string) => (xUserId: string) =>
  createHmac('sha256', fromBase64(key)).update(xUserId).digest('base64');
