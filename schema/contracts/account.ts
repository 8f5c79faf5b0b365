import { z } from 'zod';

/** The user has to type their handle, so that they don't delete the account by mistake. */
export const deletionSchema = z.strictObject({ handle: z.string().max(100) });
export type DeletionBody = z.infer<typeof deletionSchema>;

/** The place from which to go on with an export: the `next` of the part before. */
export const exportSchema = z.strictObject({
  section: z.string().max(50).optional(),
  cursor: z.string().max(200).optional(),
});

export interface ExportedData {
  /** Explanations. Null except in the first part. */
  readonly head: {
    readonly readme: readonly string[];
    readonly exported_at: string;
    readonly not_exported: Readonly<Record<string, string>>;
  } | null;
  /** Rows by section. A long section goes on in the next part. */
  readonly sections: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
  readonly next: z.infer<typeof exportSchema> | null;
}
