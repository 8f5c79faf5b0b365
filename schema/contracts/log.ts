import { z } from 'zod';

export const logTextsQuerySchema = z.object({
  /** Lists the texts after the caller's entry with this number. */
  after: z
    .string()
    .regex(/^(0|[1-9]\d{0,8})$/)
    .transform(Number)
    .default(0),
});

/** A public text whose commitment is in the log (docs/SEALED-CALLS.md). */
export interface LogText {
  /** The number of the caller's entry. */
  readonly number: number;
  /** The member of the entry that has the commitment, such as `thesis` or `handle`. */
  readonly name: string;
  /** 32 bytes in base64. */
  readonly salt: string;
  readonly text: string;
}
