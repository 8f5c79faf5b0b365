import { toDay } from '#schema/rules/text/utc-day.ts';
export const EXPORTS = 'exports/';
export const PAYMENTS = 'payments/';
/** The folder with one empty file per deleted account: `deletions/YYYY-MM-DD/{user id}`. */
export const DELETIONS = 'deletions/';
/** The folder with one empty file per caller whose account will be deleted later: `deletion-requests/{user id}`. */
export const DELETION_REQUESTS = 'deletion-requests/';

/** A database row by column name, with values as stored. */
export type Row = Readonly<Record<string, unknown>>;

export interface TableSummary {
  readonly rows: number;
  readonly parts: number;
  /** Hash chain of the parts: SHA-256 of the previous hash and the part, in base64. */
  readonly hash: string;
}

/** The manifest is written last: an export without it is incomplete. */
export interface Manifest {
  /** YYYY-MM-DD */
  readonly day: string;
  /** Start of the export, unix ms. Rows that were added later may be missing. */
  readonly startedAt: number;
  readonly finishedAt: number;
  /** The newest migration when the export ended: its columns hold all rows, also those that were read before it. */
  readonly migration: string;
  readonly tables: Readonly<Record<string, TableSummary>>;
}

/** Rows of a payment that began after the last export, by table. */
export interface PaymentFile {
  readonly users?: readonly Row[];
  readonly callers?: readonly Row[];
  readonly payment_intents: readonly Row[];
  readonly payment_broadcasts?: readonly Row[];
}

export const manifestKey = (day: string): string => `${EXPORTS}${day}/manifest.json`;

export const partKey = (day: string, table: string, part: number): string =>
  `${EXPORTS}${day}/${table}/${String(part).padStart(6, '0')}.ndjson.gz`;

/** Packs rows as one JSON object per line, compressed. */
export async function packRows(rows: readonly Row[]): Promise<Uint8Array> {
  const text = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  const packed = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'));
  return new Uint8Array(await new Response(packed).arrayBuffer());
}

const deletionKey = (userId: string, now: number) => `${DELETIONS}${toDay(now)}/${userId}`;

/**
 * Lists deleted accounts outside of the database, so that a restore can delete them again. Call `add` before the
 * account is deleted: if R2 doesn't respond, the deletion must fail and be tried again.
 */
export function createDeletionList({ bucket }: { bucket: Pick<R2Bucket, 'put' | 'delete'> }) {
  return {
    async add(userId: string, now: number): Promise<void> {
      await bucket.put(deletionKey(userId, now), '');
    },

    /** Removes an account whose deletion was refused, so that no restore deletes it. */
    async remove(userId: string, now: number): Promise<void> {
      await bucket.delete(deletionKey(userId, now));
    },

    /** Lists a deletion that was requested for later, so that a restore can request it again. */
    async addRequest(userId: string): Promise<void> {
      await bucket.put(`${DELETION_REQUESTS}${userId}`, '');
    },

    /** Removes a request that was taken back or is done. */
    async removeRequest(userId: string): Promise<void> {
      await bucket.delete(`${DELETION_REQUESTS}${userId}`);
    },
  };
}
