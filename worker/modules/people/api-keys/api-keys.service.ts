import { API_KEY_MS, API_KEY_PREFIX, SESSION_USE_MS } from '#schema/constants/people.ts';
import type { CreateApiKeyBody, CreatedApiKey } from '#schema/contracts/api-keys.ts';
import type { Base } from '../../../app/base.ts';
import { AppError, assertFreshSignIn } from '../../../app/errors.ts';
import type { MessagesWriter } from '../../../ports/outbox.ts';
import { hashToken, type SignedTokens } from '../../../shared/secrets.ts';
import type { Session } from '../auth/auth.service.ts';
import { createApiKeysRepository } from './api-keys.repository.ts';

interface ApiKeysOptions extends Pick<Base, 'db' | 'clock'> {
  readonly messages: MessagesWriter;
  readonly tokens: SignedTokens;
}

export interface NewKey {
  readonly userId: string;
  readonly sessionId: string;
  readonly signedInAt: number;
  readonly body: CreateApiKeyBody;
}

/** Keys of users' own programs. The id of a key is its hash, which opens nothing. */
export function createApiKeysService({ db, clock, messages, tokens }: ApiKeysOptions) {
  const repository = createApiKeysRepository(db);
  return {
    /**
     * Only the response has the key itself.
     * @throws auth.fresh_sign_in_needed, api_keys.too_many, account.deletion_requested
     */
    async create({ userId, sessionId: sessionHash, signedInAt, body }: NewKey): Promise<CreatedApiKey> {
      const now = clock.now();
      assertFreshSignIn({ signedInAt, now, action: 'create an API key' });
      const key = `${API_KEY_PREFIX}${await tokens.create()}`;
      const id = hashToken(key);
      const row = { tokenHash: id, userId, ...body, createdAt: now, sessionHash, lastUsedAt: null };
      if (await repository.add(row)) {
        await messages.writeSoon();
        return { id, key };
      }
      // A request to delete the account has deleted all keys.
      const hasKeys = await repository.hasSome(userId);
      throw new AppError({ code: hasKeys ? 'api_keys.too_many' : 'account.deletion_requested' });
    },

    /** Finds the owner of a key and records the use. Null for an unknown, ended or expired key. */
    async authenticate(key: string): Promise<Session | null> {
      const now = clock.now();
      const found = await repository.find({ tokenHash: hashToken(key), createdAfter: now - API_KEY_MS });
      if (!found) return null;
      const { tokenHash, userId, mayCall, lastUsedAt } = found;
      if (now - (lastUsedAt ?? 0) >= SESSION_USE_MS) await repository.recordUse(tokenHash, now);
      return { id: tokenHash, userId, signedInAt: 0, isReadOnly: !mayCall };
    },
  };
}
