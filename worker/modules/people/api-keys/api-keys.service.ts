import { API_KEY_PREFIX, SESSION_USE_MS } from '#schema/constants/people.ts';
import type { ApiKey, CreateApiKeyBody, CreatedApiKey } from '#schema/contracts/api-keys.ts';
import { isFreshSignIn } from '#schema/rules/money/payout-change.ts';
import type { Base } from '../../../app/base.ts';
import { AppError, createSignInTooOldError } from '../../../app/errors.ts';
import { createToken, hashToken } from '../../../shared/secrets.ts';
import type { Session } from '../auth/auth.service.ts';
import { createApiKeysRepository, type ApiKeyRow } from './api-keys.repository.ts';

export interface NewKey {
  readonly userId: string;
  readonly signedInAt: number;
  readonly body: CreateApiKeyBody;
}

/** Keys of users' own programs. The id of a key is its hash, which opens nothing. */
export function createApiKeysService({ db, clock }: Pick<Base, 'db' | 'clock'>) {
  const repository = createApiKeysRepository(db);
  return {
    list: async (userId: string): Promise<ApiKey[]> => (await repository.listOfUser(userId)).map(describe),

    /**
     * Only the response has the key itself.
     * @throws auth.fresh_sign_in_needed, api_keys.too_many, account.deletion_requested
     */
    async create({ userId, signedInAt, body }: NewKey): Promise<CreatedApiKey> {
      const now = clock.now();
      if (!isFreshSignIn({ signedInAt, now })) throw createSignInTooOldError('create an API key');
      const key = `${API_KEY_PREFIX}${createToken()}`;
      const row = { tokenHash: hashToken(key), userId, ...body, createdAt: now, lastUsedAt: null };
      if (await repository.add(row)) return { ...describe(row), key };
      // A request to delete the account has deleted all keys.
      const hasKeys = (await repository.listOfUser(userId)).length > 0;
      throw new AppError({ code: hasKeys ? 'api_keys.too_many' : 'account.deletion_requested' });
    },

    async revoke({ userId, id }: { userId: string; id: string }): Promise<void> {
      const isRevoked = await repository.remove({ userId, tokenHash: id });
      if (!isRevoked) throw new AppError({ code: 'api_keys.not_found' });
    },

    /** Finds the owner of a key and records the use. Null for an unknown or revoked key. */
    async authenticate(key: string): Promise<Session | null> {
      const found = await repository.find(hashToken(key));
      if (!found) return null;
      const { tokenHash, userId, mayCall, lastUsedAt } = found;
      const now = clock.now();
      if (now - (lastUsedAt ?? 0) >= SESSION_USE_MS) await repository.recordUse(tokenHash, now);
      return { id: tokenHash, userId, signedInAt: 0, isReadOnly: !mayCall };
    },
  };
}

function describe({ tokenHash, name, mayCall, createdAt, lastUsedAt }: ApiKeyRow): ApiKey {
  return {
    id: tokenHash,
    name,
    mayCall,
    createdAt: new Date(createdAt).toISOString(),
    lastUsedAt: lastUsedAt === null ? null : new Date(lastUsedAt).toISOString(),
  };
}
