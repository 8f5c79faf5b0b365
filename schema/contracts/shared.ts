import { z } from 'zod';
import { LIST_MAX_PAGE_SIZE } from '#schema/constants.ts';

/** A public key in base58. Checks only the text's form, not that it decodes to 32 bytes. */
export const addressSchema = z
  .string()
  .regex(
    /^[1-9A-HJ-NP-Za-km-z]{32,44}$/,
    'This is not a Solana address. Copy the whole address and try again.',
  );

/** A signature in base58. Checks only the text's form, not that it decodes to 64 bytes. */
export const signatureSchema = z
  .string()
  .regex(
    /^[1-9A-HJ-NP-Za-km-z]{64,88}$/,
    'This is not a transaction signature. Copy the whole signature and try again.',
  );

export const idSchema = z.string().min(1).max(64);

export const cursorSchema = z.string().min(1).max(200);

/** Each number has only one valid form, so that equal pages share a cache key. */
export const limitSchema = z
  .string()
  .regex(/^[1-9]\d{0,3}$/, `Use a whole number from 1 to ${LIST_MAX_PAGE_SIZE}.`)
  .transform(Number)
  .pipe(z.number().max(LIST_MAX_PAGE_SIZE, `Use a whole number from 1 to ${LIST_MAX_PAGE_SIZE}.`));

export const pageQuerySchema = z.strictObject({
  limit: limitSchema.optional(),
  cursor: cursorSchema.optional(),
});
