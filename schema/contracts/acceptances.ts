import { z } from 'zod';

const versionSchema = z.string().max(20);

export const acceptanceSchema = z.strictObject({
  terms: versionSchema,
  privacy: versionSchema,
  risk: versionSchema,
});
export type AcceptanceBody = z.infer<typeof acceptanceSchema>;
