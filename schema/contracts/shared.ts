import { z } from 'zod';
import { LIST_MAX_PAGE_SIZE } from '#schema/constants/app.ts';
import { isPublicKey, isSignature } from '#schema/rules/text/base58.ts';

/** A Solana address: 32 bytes in base58. */
export const addressSchema = z
  .string()
  .refine(isPublicKey, 'This is not a Solana address. Copy the whole address and try again.');

/** A transaction's signature: 64 bytes in base58. */
export const signatureSchema = z
  .string()
  .refine(isSignature, 'This is not a transaction signature. Copy the whole signature and try again.');

export const idSchema = z.string().min(1).max(64);

export const cursorSchema = z.string().min(1).max(200);

/** The number of rows on a page. Each number has only one valid notation, so that equal pages share a cache key. */
export const limitSchema = z
  .string()
  .regex(/^[1-9]\d{0,3}$/, `Use a whole number from 1 to ${LIST_MAX_PAGE_SIZE}.`)
  .transform(Number)
  .pipe(z.number().max(LIST_MAX_PAGE_SIZE, `Use a whole number from 1 to ${LIST_MAX_PAGE_SIZE}.`));

export const pageQuerySchema = z.strictObject({
  limit: limitSchema.optional(),
  cursor: cursorSchema.optional(),
});
