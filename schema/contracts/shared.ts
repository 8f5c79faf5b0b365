import { z } from 'zod';
import { LIST_MAX_PAGE_SIZE } from '#schema/constants.ts';

/** A base58 public key of 32 bytes, by its text form. Whether it decodes is checked where it is used. */
export const addressSchema = z
  .string()
  .regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/, 'This is not a Solana address.');

/** A base58 signature of 64 bytes, by its text form. */
export const signatureSchema = z
  .string()
  .regex(/^[1-9A-HJ-NP-Za-km-z]{64,88}$/, 'This is not a transaction signature.');

export const idSchema = z.string().min(1).max(64);

export const cursorSchema = z.string().min(1).max(200);

/** Written one way only, so that equal pages share one address. */
export const limitSchema = z
  .string()
  .regex(/^[1-9]\d{0,3}$/, 'A whole number.')
  .transform(Number)
  .pipe(z.number().max(LIST_MAX_PAGE_SIZE));

/** The query of a list that has nothing but pages. */
export const pageQuerySchema = z.strictObject({
  limit: limitSchema.optional(),
  cursor: cursorSchema.optional(),
});
