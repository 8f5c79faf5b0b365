import { z } from 'zod';
import { REPORT_REASONS, REPORT_TEXT_MAX_LENGTH, REPORTED_KINDS } from '#schema/constants/people.ts';
import { cleanLines } from '#schema/rules/text/visible-text.ts';
import { idSchema } from './shared.ts';

export const reportSchema = z.strictObject({
  kind: z.enum(REPORTED_KINDS),
  id: idSchema,
  reason: z.enum(REPORT_REASONS),
  text: z
    .string()
    .max(REPORT_TEXT_MAX_LENGTH, `Use at most ${REPORT_TEXT_MAX_LENGTH} characters.`)
    .overwrite(cleanLines)
    .optional(),
});
export type ReportBody = z.infer<typeof reportSchema>;

export interface ReportResponse {
  /** False if the person already has an open report about the same subject. Then nothing was stored. */
  readonly isNew: boolean;
  readonly message: string;
}
