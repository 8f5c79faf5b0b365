import { z } from 'zod';

/** The user types their handle, so that nobody deletes an account by mistake. */
export const deletionSchema = z.strictObject({ handle: z.string().max(100) });
export type DeletionBody = z.infer<typeof deletionSchema>;
