import { LOG_ENTRY_MAX_BYTES } from '#schema/constants/log.ts';
import { canonicalJson, type Json } from '../../shared/canonical-json.ts';
import { commit } from './log-entries.ts';

export interface LogRow {
  readonly id: number;
  readonly callerId: string | null;
  readonly number: number | null;
  readonly kind: string;
  readonly callId: string | null;
  readonly content: string;
  readonly salt: string | null;
}

export type SealedRow = Pick<LogRow, 'number' | 'content' | 'salt'>;

interface EntryParts {
  readonly row: LogRow;
  readonly previous: string | null;
  readonly sealed: readonly SealedRow[];
}

type Content = Readonly<Record<string, Json>>;
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `log_entries` has what `appendLogEntry` writes.
const readContent = ({ content }: SealedRow) => JSON.parse(content) as Content;

/**
 * A row's entry as canonical JSON.
 * @throws Error if it's too long. The limits of a call's updates, and of showing its texts again, prevent that.
 */
export function buildEntry(parts: EntryParts): string {
  const entry = canonicalJson(membersOf(parts));
  if (new TextEncoder().encode(entry).length > LOG_ENTRY_MAX_BYTES) {
    throw new Error(`The log entry ${parts.row.id} is too long`);
  }
  return entry;
}

function membersOf({ row, previous, sealed }: EntryParts): Content {
  const content = readContent(row);
  if (row.callerId === null) return content;
  const place = {
    v: content['v'] ?? null,
    caller: row.callerId,
    number: row.number,
    previous,
    kind: row.kind,
  };
  if (row.salt !== null) return { ...place, commitment: commit(row.salt, canonicalJson(content)) };
  if (row.kind !== 'ended') return { ...content, ...place };
  const reveals = sealed.map((each) => ({
    number: each.number,
    salt: each.salt,
    content: readContent(each),
  }));
  return { ...content, ...place, reveals };
}
