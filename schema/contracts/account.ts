import { z } from 'zod';

/** The user has to type their handle, so that they don't delete the account by mistake. */
export const deletionSchema = z.strictObject({ handle: z.string().max(100) });
export type DeletionBody = z.infer<typeof deletionSchema>;
