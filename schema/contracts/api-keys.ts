import { z } from 'zod';
import { MAX_API_KEY_NAME_LENGTH } from '#schema/constants/people.ts';
import { oneLine } from '#schema/rules/text/visible-text.ts';

export const createApiKeySchema = z.strictObject({
  name: z
    .string()
    .max(MAX_API_KEY_NAME_LENGTH, `Use at most ${MAX_API_KEY_NAME_LENGTH} characters.`)
    .overwrite(oneLine)
    .min(1, 'Give the key a name, such as the program that uses it.'),
  mayCall: z.boolean(),
});
export type CreateApiKeyBody = z.infer<typeof createApiKeySchema>;

/** A key of the user's own programs. Times are ISO 8601. */
export interface ApiKey {
  /** Identifies the key, but can't be used as the key. */
  readonly id: string;
  readonly name: string;
  /** True if it may open, update and end calls. False: it can only read. */
  readonly mayCall: boolean;
  readonly createdAt: string;
  /** Recorded at most once an hour. Null if the key was never used. */
  readonly lastUsedAt: string | null;
}

export interface CreatedApiKey extends ApiKey {
  /** Only this response has it. The server stores its hash. */
  readonly key: string;
}
