import { z } from 'zod';
import { MAX_API_KEY_NAME_LENGTH } from '#schema/constants/people.ts';
import { oneLine } from '#schema/rules/text/visible-text.ts';

export const createApiKeySchema = z.strictObject({
  name: z
    .string()
    .max(MAX_API_KEY_NAME_LENGTH, `Use at most ${MAX_API_KEY_NAME_LENGTH} characters.`)
    .overwrite(oneLine)
    .min(1, 'Give the key a name, such as the program that uses it.'),
  /** True if it may open, update and end calls. False: it can only read. */
  mayCall: z.boolean(),
});
export type CreateApiKeyBody = z.infer<typeof createApiKeySchema>;

export interface CreatedApiKey {
  /** Identifies the key, but can't be used as the key. */
  readonly id: string;
  /** Only this response has it. The server stores its hash. */
  readonly key: string;
}
