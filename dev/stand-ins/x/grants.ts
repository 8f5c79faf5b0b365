import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { openStoredJson } from '../controls/stored-json.ts';

/** X's scopes that a product of this kind may request. */
export const knownScopes = [
  'tweet.read',
  'tweet.write',
  'users.read',
  'users.email',
  'follows.read',
  'offline.access',
  'media.write',
] as const;

export const ACCESS_TOKEN_SECONDS = 7200;
const CODE_LIFETIME_MS = 30_000;
const VERIFIER_PATTERN = /^[A-Za-z0-9\-._~]{43,128}$/;

export interface Grant {
  xUserId: string;
  clientId: string;
  scopes: readonly string[];
}

export interface TokenResponse {
  token_type: 'bearer';
  expires_in: number;
  access_token: string;
  scope: string;
  refresh_token?: string;
}

export interface OAuthError {
  error: string;
  error_description: string;
}

interface PendingCode extends Grant {
  redirectUri: string;
  challenge: string;
  expiresAt: number;
}

interface Redemption extends Pick<PendingCode, 'clientId' | 'redirectUri'> {
  code: string;
  verifier: string;
}

const storedToken = z.object({
  kind: z.enum(['access', 'refresh']),
  xUserId: z.string(),
  clientId: z.string(),
  scopes: z.array(z.string()),
  expiresAt: z.number().nullable(),
});
const storedTokens = z.record(z.string(), storedToken);
type StoredToken = z.infer<typeof storedToken>;

const invalid = (what: string): OAuthError => ({
  error: 'invalid_request',
  error_description: `Value passed for the ${what} was invalid.`,
});
const invalidCode = invalid('authorization code');

export type Grants = ReturnType<typeof openGrants>;

export function openGrants({ file, now }: { file: string; now: () => number }) {
  const stored = openStoredJson({ file, schema: storedTokens, initial: {} });
  const codes = new Map<string, PendingCode>();

  function issueTokens({ xUserId, clientId, scopes }: Grant): TokenResponse {
    dropExpired();
    const owner = { xUserId, clientId, scopes: [...scopes] };
    const access = randomToken();
    stored.value[access] = { ...owner, kind: 'access', expiresAt: now() + ACCESS_TOKEN_SECONDS * 1000 };
    const response: TokenResponse = {
      token_type: 'bearer',
      expires_in: ACCESS_TOKEN_SECONDS,
      access_token: access,
      scope: scopes.join(' '),
    };
    if (scopes.includes('offline.access')) {
      response.refresh_token = randomToken();
      stored.value[response.refresh_token] = { ...owner, kind: 'refresh', expiresAt: null };
    }
    stored.save();
    return response;
  }

  function dropExpired(): void {
    for (const [token, { expiresAt }] of Object.entries(stored.value)) {
      if (expiresAt !== null && expiresAt <= now()) delete stored.value[token];
    }
  }

  function findLive(token: string, kind: StoredToken['kind']): StoredToken | undefined {
    const found = Object.hasOwn(stored.value, token) ? stored.value[token] : undefined;
    if (found?.kind !== kind) return undefined;
    return found.expiresAt === null || found.expiresAt > now() ? found : undefined;
  }

  return {
    issueCode(request: Grant & { redirectUri: string; challenge: string }) {
      for (const [code, pending] of codes) if (pending.expiresAt <= now()) codes.delete(code);
      const code = randomToken();
      codes.set(code, { ...request, expiresAt: now() + CODE_LIFETIME_MS });
      return code;
    },
    redeemCode({ code, verifier, redirectUri, clientId }: Redemption) {
      const pending = codes.get(code);
      // Delete the code on every attempt, so that a stolen code can't be tried with many verifiers.
      codes.delete(code);
      if (pending === undefined || pending.expiresAt <= now()) return invalidCode;
      if (pending.clientId !== clientId || pending.redirectUri !== redirectUri) return invalidCode;
      if (!VERIFIER_PATTERN.test(verifier) || challengeOf(verifier) !== pending.challenge) {
        return {
          error: 'invalid_grant',
          error_description: 'Value passed for the code verifier did not match the code challenge.',
        };
      }
      return issueTokens(pending);
    },
    refresh({ refreshToken, clientId }: { refreshToken: string; clientId: string }) {
      const grant = findLive(refreshToken, 'refresh');
      if (grant === undefined || grant.clientId !== clientId) return invalid('token');
      delete stored.value[refreshToken];
      return issueTokens(grant);
    },
    /** Revokes one token, which is either a grant's access token or its refresh token. */
    revoke(token: string) {
      if (!Object.hasOwn(stored.value, token)) return;
      delete stored.value[token];
      stored.save();
    },
    findByAccessToken: (token: string) => findLive(token, 'access'),
  };
}

function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}

function randomToken(): string {
  return randomBytes(48).toString('base64url');
}
