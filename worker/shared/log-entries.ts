import { is, SQL, sql } from 'drizzle-orm';
import type { LOG_EVENT_KINDS } from '#schema/constants.ts';
import { logEntries } from '#schema/tables/log.ts';
import { fromBase64, toBase64 } from './base64.ts';
import { canonicalJson, type Json } from './canonical-json.ts';
import { columnsOf, computed, insertWhere, selection } from './rows.ts';
import { sha256 } from './sha256.ts';

const SALT_BYTES = 32;

/** A salt for one commitment, in base64. */
export const createSalt = (): string => toBase64(crypto.getRandomValues(new Uint8Array(SALT_BYTES)));

/** Base64 of SHA-256(salt ‖ content). Computes the commitments of contents and of texts. */
export const commit = (salt: string, content: string): string => sha256(fromBase64(salt), content);

export interface SealedText {
  readonly commitment: string;
  readonly salt: string;
}

/** Commits to a text with a new salt. The commitment is part of the content; `textSalt` stores the salt. */
export function sealText(text: string): SealedText {
  const salt = createSalt();
  return { commitment: commit(salt, text), salt };
}

export interface LoggedQuote {
  readonly source: string;
  readonly price: string | null;
  /** Unix ms. */
  readonly quotedAt: number;
  readonly liquidityUsd: number | null;
}

/** Returns the `quotes` of a content: the hash of the price sources' responses. */
export function hashQuotes(quotes: readonly LoggedQuote[]): string {
  const list = quotes
    .map(({ source, price, quotedAt, liquidityUsd }) => ({ at: quotedAt, liquidityUsd, price, source }))
    .toSorted((one, other) => (one.source < other.source ? -1 : 1));
  return sha256(canonicalJson(list));
}

/** An entry to append. The database computes the fields that are SQL. */
export interface LogEvent {
  readonly callerId: string | SQL;
  readonly kind: Exclude<(typeof LOG_EVENT_KINDS)[number], 'map'>;
  /** Null if the entry concerns no call. */
  readonly callId: string | SQL | null;
  /** The id of the update or of the operator's act, otherwise of the call or caller. */
  readonly subjectId: string | SQL;
  /** The content without `kind` and `time`. */
  readonly content: Readonly<Record<string, Json | SQL>>;
  /** From `createSalt`, if the content stays secret while the call is active. Otherwise null. */
  readonly salt: string | SQL | null;
  readonly textSalt?: string | null;
  /** The name. Null or absent for other kinds. */
  readonly text?: string | null;
  /** Unix ms. */
  readonly at: number;
}

interface LoggedOpening {
  readonly id: string;
  readonly tokenMint: string;
  readonly tokenSymbol: string;
  readonly entryPrice: string;
  readonly targetPrice: string | null;
  readonly stopPrice: string | null;
  readonly isPaidPromotion: boolean;
  /** SQL if the database decides it. */
  readonly unrankedReason: string | null | SQL;
  /** The commitment of the thesis. */
  readonly thesis: string | null;
  readonly quotes: readonly LoggedQuote[];
}

/** The content of an opening. */
export const openedContent = (call: LoggedOpening): LogEvent['content'] => ({
  call: call.id,
  mint: call.tokenMint,
  symbol: call.tokenSymbol,
  entryPrice: call.entryPrice,
  target: call.targetPrice,
  stop: call.stopPrice,
  isPaidPromotion: call.isPaidPromotion,
  unranked: call.unrankedReason,
  thesis: call.thesis,
  quotes: hashQuotes(call.quotes),
});

interface LoggedEnd {
  readonly id: string;
  readonly endPrice: string;
  readonly uncountedGainReason: string | null;
  readonly automaticEnd: string | null;
  readonly quotes: readonly LoggedQuote[];
}

/** The content of an end. */
export const endedContent = (call: LoggedEnd): LogEvent['content'] => ({
  call: call.id,
  endPrice: call.endPrice,
  uncounted: call.uncountedGainReason,
  automatic: call.automaticEnd,
  quotes: hashQuotes(call.quotes),
});

interface LoggedName {
  readonly callerId: string | SQL;
  readonly handle: string;
  readonly name: string;
  readonly at: number;
}

/** The entry for a caller's new name and handle. */
export function nameEvent({ callerId, handle, name, at }: LoggedName): LogEvent {
  const text = canonicalJson({ handle, name });
  const { commitment, salt: textSalt } = sealText(text);
  const ids = { callerId, callId: null, subjectId: callerId };
  return { ...ids, kind: 'name', content: { name: commitment }, salt: null, textSalt, text, at };
}

/** True if the sequencer's last run failed, for example because the database has lost published entries. */
export const isLogStopped = sql<0 | 1>`EXISTS (
  SELECT 1 FROM job_runs WHERE job = 'log.sequence' AND failing_since IS NOT NULL)`;

const appended = selection(
  columnsOf(logEntries, 'log_entries', ['id', 'caller_id', 'kind', 'content', 'salt', 'at']),
  computed<{ is_stopped: 0 | 1 }>({ is_stopped: isLogStopped }),
);
/** Reads the row that `appendLogEntry` returns. */
export const readAppended = appended.read;
export type AppendedEntry = ReturnType<typeof readAppended>;

/**
 * An INSERT of one entry that runs only if `condition` holds. Refuses entries before a call's opening, and a second
 * opening or end. Returns the row for `readAppended`.
 */
export function appendLogEntry(event: LogEvent, condition: SQL): SQL {
  const insert = insertWhere(
    logEntries,
    { textSalt: null, text: null, ...event, content: contentOf(event) },
    sql`(${condition}) AND ${fitsLog(event)}`,
  );
  return sql`${insert} RETURNING ${appended.list}`;
}

function contentOf({ kind, at, content }: LogEvent): string | SQL {
  const members = Object.entries(content);
  const fixed = JSON.stringify({
    ...Object.fromEntries(members.filter(([, value]) => !is(value, SQL))),
    kind,
    time: at,
  });
  const computed = members.filter((member): member is [string, SQL] => is(member[1], SQL));
  if (computed.length === 0) return fixed;
  const values = computed.map(([name, value]) => sql`${`$.${name}`}, ${value}`);
  return sql`json_set(${fixed}, ${sql.join(values, sql`, `)})`;
}

function fitsLog({ kind, callerId, callId }: LogEvent): SQL {
  if (kind === 'name' || kind === 'moderated') return sql`1`;
  // Only operators' acts may follow an end. Reads one row if there are no acts.
  const newest = sql`(
    SELECT kind FROM log_entries
    WHERE caller_id = ${callerId} AND call_id = ${callId} AND kind <> 'moderated'
    ORDER BY id DESC
    LIMIT 1)`;
  return kind === 'opened' ? sql`${newest} IS NULL` : sql`${newest} IN ('opened', 'updated')`;
}
