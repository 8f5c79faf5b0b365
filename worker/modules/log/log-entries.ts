import type { SQL } from 'drizzle-orm';
import type { LOG_EVENT_KINDS } from '#schema/constants/log.ts';
import type { FOLLOWER_RULES } from '#schema/constants/market.ts';
import type { Mark } from '#schema/rules/calls/follower-return.ts';
import { fromBase64, toBase64 } from '../../shared/base64.ts';
import { canonicalJson, type Json } from '../../shared/canonical-json.ts';
import { sha256 } from '../../shared/sha256.ts';

const SALT_BYTES = 32;
/** The version of the entries that are written (docs/SEALED-CALLS.md). */
export const LOG_VERSION = 1;

export const createSalt = (): string => toBase64(crypto.getRandomValues(new Uint8Array(SALT_BYTES)));

/** Base64 of SHA-256(salt ‖ content). Computes the commitments of contents and of texts. */
export const commit = (salt: string, content: string): string => sha256(fromBase64(salt), content);

/** Commits to a text with a new salt. The commitment is part of the content; `textSalt` stores the salt. */
export function sealText(text: string) {
  const salt = createSalt();
  return { commitment: commit(salt, text), salt };
}

export interface LoggedQuote {
  readonly source: string;
  readonly price: string | null;
  readonly sentPrice: string | null;
  readonly quotedAt: number;
  readonly liquidityUsd: number | null;
  readonly failure: string | null;
}

export function hashQuotes(quotes: readonly LoggedQuote[]): string {
  const list = quotes
    .map(({ source, price, sentPrice, quotedAt, liquidityUsd, failure }) => {
      return { at: quotedAt, failure, liquidityUsd, price, sent: sentPrice, source };
    })
    .toSorted((one, other) => (one.source < other.source ? -1 : 1));
  return sha256(canonicalJson(list));
}

export type LogEventKind = Exclude<(typeof LOG_EVENT_KINDS)[number], 'keys' | 'format'>;

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

export interface LoggedMark extends Mark {
  readonly source: string | null;
  readonly seenAt: number;
}

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
