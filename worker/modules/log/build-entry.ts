import { LOG_ENTRY_MAX_BYTES } from '#schema/constants.ts';
import { canonicalJson, type Json } from '../../shared/canonical-json.ts';
import { commit } from '../../shared/log-entries.ts';
import type { LastEntry } from './caller-map.ts';

/** A row of `log_entries`. */
export interface LogRow {
  readonly id: number;
  readonly caller_id: string | null;
  readonly kind: string;
  readonly call_id: string | null;
  readonly content: string;
  readonly salt: string | null;
}

/** A sealed entry and its number. */
export interface SealedRow {
  readonly number: number;
  readonly content: string;
  readonly salt: string | null;
}

interface EntryParts {
  readonly row: LogRow;
  /** The caller's previous entry, if there is one. */
  readonly last: LastEntry | undefined;
  /** The call's sealed entries, if the row is its end. */
  readonly sealed: readonly SealedRow[];
}

interface BuiltEntry {
  /** Canonical JSON. */
  readonly entry: string;
  /** True if the entry of an end had to leave out some of the call's sealed entries. */
  readonly isCut: boolean;
}

/** Builds the entry of a row. Entries of maps are built by `growLog`. */
export function buildEntry({ row, last, sealed }: EntryParts): BuiltEntry {
  const content = JSON.parse(row.content) as Readonly<Record<string, Json>>;
  const place = { caller: row.caller_id, number: (last?.number ?? 0) + 1, previous: last?.hash ?? null };
  if (row.salt !== null) {
    const commitment = commit(row.salt, canonicalJson(content));
    return { entry: canonicalJson({ ...place, kind: 'sealed', commitment }), isCut: false };
  }
  if (row.kind !== 'ended') {
    return { entry: canonicalJson({ ...place, kind: row.kind, content }), isCut: false };
  }
  const reveals = sealed.map(({ number, salt, content: revealed }) => ({
    number,
    salt,
    content: JSON.parse(revealed) as Json,
  }));
  // Limits on a call's updates and acts keep an entry short enough. If one is still too long, cut it, so that the log
  // continues.
  for (let isCut = false; ; isCut = true) {
    const entry = canonicalJson({ ...place, kind: 'ended', content, reveals });
    const isTooLong = new TextEncoder().encode(entry).length > LOG_ENTRY_MAX_BYTES;
    if (!isTooLong || reveals.pop() === undefined) return { entry, isCut };
  }
}
