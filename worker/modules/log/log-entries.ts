import { is, SQL, sql } from 'drizzle-orm';
import type { LOG_EVENT_KINDS } from '#schema/constants/log.ts';
import type { FOLLOWER_RULES } from '#schema/constants/market.ts';
import { logEntries } from '#schema/tables/log.ts';
import type { priceMarks } from '#schema/tables/price-marks.ts';
import type { JsonText } from '#schema/rules/typed-json.ts';
import { fromBase64, toBase64 } from '../../shared/base64.ts';
import { canonicalJson, type Json } from '../../shared/canonical-json.ts';
import { insertWhere } from '../../shared/rows.ts';
import { sha256 } from '../../shared/sha256.ts';

const SALT_BYTES = 32;
/** The version of the entries that are written (docs/SEALED-CALLS.md). */
export const LOG_VERSION = 1;

export const createSalt = (): string => toBase64(crypto.getRandomValues(new Uint8Array(SALT_BYTES)));

/** Base64 of SHA-256(salt ‖ content). Computes the commitments of contents and of texts. */
export const commit = (salt: string, content: string): string => sha256(fromBase64(salt), content);

interface SealedText {
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
  readonly sentPrice: string | null;
  readonly quotedAt: number;
  readonly liquidityUsd: number | null;
}

export function hashQuotes(quotes: readonly LoggedQuote[]): string {
  const list = quotes
    .map(({ source, price, sentPrice, quotedAt, liquidityUsd }) => {
      return { at: quotedAt, liquidityUsd, price, sent: sentPrice, source };
    })
    .toSorted((one, other) => (one.source < other.source ? -1 : 1));
  return sha256(canonicalJson(list));
}

type LogEventKind = Exclude<(typeof LOG_EVENT_KINDS)[number], 'keys' | 'format'>;

export interface LogEvent {
  readonly callerId: string | SQL;
  readonly kind: LogEventKind | SQL;
  readonly callId: string | SQL | null;
  /** The id of the update or of the operator's act, otherwise of the call or caller. */
  readonly subjectId: string | SQL;
  /** The content without `time`. Its `kind` is the entry's, unless it has one. */
  readonly content: Readonly<Record<string, Json | SQL>>;
  /** From `createSalt`, if the content stays secret while the call is active. Otherwise null. */
  readonly salt: string | SQL | null;
  /** The salt of the content's text. JSON of salts by member for `opened` and `named`. */
  readonly textSalt?: string | null;
  readonly text?: string | null;
  readonly at: number;
}

export interface LoggedMark {
  readonly price: string | null;
  readonly liquidityUsd: number | null;
  readonly solPriceUsd: string | null;
  readonly source: string | null;
  readonly seenAt: number;
}

/** JSON of the mark of the call in `k`. NULL without a mark. */
export const markOf = (side: (typeof priceMarks.$inferSelect)['side']) => sql<JsonText<LoggedMark> | null>`(
  SELECT json_object('price', price, 'liquidityUsd', liquidity_usd, 'solPriceUsd', sol_price_usd,
    'source', source, 'seenAt', seen_at)
  FROM price_marks
  WHERE call_id = k.id AND side = ${side})`;

interface LoggedMarks {
  readonly id: string;
  readonly callerId: string;
  readonly rule: (typeof FOLLOWER_RULES)[number];
  /** Null if no source had a price for SOL either. */
  readonly open: LoggedMark | null;
  readonly end: LoggedMark | null;
  readonly at: number;
}

export const markedEvent = ({ id, callerId, rule, open, end, at }: LoggedMarks): LogEvent => ({
  callerId,
  kind: 'marked',
  callId: id,
  subjectId: id,
  salt: null,
  at,
  content: { call: id, rule, open: open && { ...open }, end: end && { ...end } },
});

interface LoggedName {
  readonly callerId: string | SQL;
  readonly handle: string;
  readonly name: string;
  readonly xId: string;
  readonly at: number;
}

export function nameEvent({ callerId, handle, name, xId, at }: LoggedName): LogEvent {
  const texts = { handle, name, xId };
  const sealed = Object.entries(texts).map(([member, text]) => [member, sealText(text)] as const);
  const salts = Object.fromEntries(sealed.map(([member, { salt }]) => [member, salt]));
  const content = Object.fromEntries(sealed.map(([member, { commitment }]) => [member, commitment]));
  const stored = { text: JSON.stringify(texts), textSalt: JSON.stringify(salts) };
  return { callerId, callId: null, subjectId: callerId, kind: 'named', content, salt: null, at, ...stored };
}

/**
 * An INSERT of one entry that runs only if `condition` holds. Refuses entries before a call's opening, and a second
 * opening, end or record of marks. Returns a row if it was written.
 */
export function appendLogEntry(event: LogEvent, condition: SQL): SQL {
  const { callerId } = event;
  const number = sql`(SELECT COALESCE(MAX(number), 0) + 1 FROM log_entries WHERE caller_id = ${callerId})`;
  const insert = insertWhere(
    logEntries,
    { id: nextLogId, number, textSalt: null, text: null, ...event, content: contentOf(event) },
    sql`(${condition}) AND ${fitsLog(event)}`,
  );
  return sql`${insert} RETURNING id`;
}

/** The id of the next entry. The sequencer appends id 1. */
export const nextLogId = sql`(SELECT COALESCE(MAX(id), 1) + 1 FROM log_entries)`;

export const logSize = sql<number>`(SELECT COALESCE(MAX(id), 0) FROM log_entries)`;

function contentOf({ kind, at, content }: LogEvent): string | SQL {
  const members = Object.entries({ kind, ...content });
  const fixed = JSON.stringify({
    v: LOG_VERSION,
    ...Object.fromEntries(members.filter(([, value]) => !is(value, SQL))),
    time: at,
  });
  const computed = members.filter((member): member is [string, SQL] => is(member[1], SQL));
  if (computed.length === 0) return fixed;
  const values = computed.map(([name, value]) => sql`${`$.${name}`}, ${value}`);
  return sql`json_set(${fixed}, ${sql.join(values, sql`, `)})`;
}

/** The kinds after which an entry of a call may follow. Names and operators' acts follow everything. */
const FOLLOWS: Readonly<Partial<Record<LogEventKind, readonly LogEventKind[]>>> = {
  updated: ['opened', 'updated'],
  ended: ['opened', 'updated'],
  marked: ['ended'],
};

function fitsLog({ kind, callerId, callId }: LogEvent): SQL {
  // Only operators' acts may follow the marks. Reads one row if there are no acts.
  const newest = sql`(
    SELECT kind FROM log_entries
    WHERE caller_id = ${callerId} AND call_id = ${callId} AND kind <> 'hidden'
    ORDER BY id DESC
    LIMIT 1)`;
  if (kind === 'opened') return sql`${newest} IS NULL`;
  const before = is(kind, SQL) ? undefined : FOLLOWS[kind];
  return before === undefined ? sql`1` : sql`${newest} IN ${[...before]}`;
}
