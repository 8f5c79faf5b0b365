import { z } from 'zod';

export const logTextsQuerySchema = z.object({
  /** The number of an entry of the caller. */
  after: z
    .string()
    .regex(/^(0|[1-9]\d{0,8})$/)
    .transform(Number)
    .default(0),
});

/** A public text whose commitment is in the log (docs/SEALED-CALLS.md). */
export interface LogText {
  readonly number: number;
  /** The member of the entry that has the commitment. */
  readonly name: 'thesis' | 'text' | 'handle' | 'name' | 'xId';
  readonly salt: string;
  readonly text: string;
}
