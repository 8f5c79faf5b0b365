import { anyOf, exactly, is, isCount, isFlag, isHash, isNumber, isPrice, isText, isTime } from './shapes.ts';
import {
  isAbsent,
  isPositivePrice,
  isVersion,
  listOf,
  nullable,
  objectOf,
  optional,
  versioned,
} from './shapes.ts';
import type { Of } from './shapes.ts';

// The entries of the log, as docs/SEALED-CALLS.md describes them. Times are Unix ms.

/** The newest version of entries that this verifier was written for. `since` marks what a version added. */
export const NEWEST_VERSION = 1;

const isNewVersion = (value: unknown): value is number => isVersion(value) && value > NEWEST_VERSION;

const ofCall = { v: isVersion, time: isTime, call: isText };

/** Members of an opening that are commitments to texts. */
export const OPENING_TEXTS = ['thesis'] as const;
const isOpening = exactly({
  kind: is('opened'),
  ...ofCall,
  mint: isText,
  symbol: isText,
  entryPrice: isPositivePrice,
  target: nullable(isPrice),
  stop: nullable(isPrice),
  isPaidPromotion: isFlag,
  unranked: nullable(isText),
  quotes: isHash,
  thesis: nullable(isHash),
});
const isUpdate = exactly({ kind: is('updated'), ...ofCall, text: isHash });
const isHidden = exactly({ kind: is('hidden'), ...ofCall, action: isText, reason: isHash });
const CONTENT_KINDS = ['opened', 'updated', 'hidden'];
/** The type is a literal, so that kinds tell contents apart. */
const isNewContentKind = (value: unknown): value is 'unknown' =>
  isText(value) && !CONTENT_KINDS.includes(value);
const isNewContent = objectOf({ ...ofCall, v: isNewVersion, kind: isNewContentKind });
/** Salts are texts here, because a salt of another length has a failure of its own. */
const isReveal = exactly({
  content: anyOf(versioned(NEWEST_VERSION, anyOf(isOpening, isUpdate, isHidden)), isNewContent),
  number: isCount,
  salt: isText,
});

const isMark = exactly({
  liquidityUsd: nullable(isNumber),
  price: nullable(isPrice),
  seenAt: isTime,
  solPriceUsd: nullable(isPrice),
  source: nullable(isText),
});

const own = { v: isVersion, caller: isText, number: isCount, previous: nullable(isHash) };

const isKeys = exactly({
  kind: is('keys'),
  v: isVersion,
  time: isTime,
  key: isText,
  wallet: isText,
  signature: nullable(isText),
});
/** Announces a version, and the hash of the document that describes it. */
const isFormat = exactly({
  kind: is('format'),
  v: isVersion,
  time: isTime,
  version: isVersion,
  document: isHash,
});
const isSealed = exactly({ kind: anyOf(is('opened'), is('updated')), ...own, commitment: isHash });
const isEnded = exactly({
  kind: is('ended'),
  ...own,
  ...ofCall,
  endPrice: isPrice,
  uncounted: nullable(isText),
  automatic: nullable(isText),
  quotes: isHash,
  reveals: listOf(isReveal),
});
const marks = { open: nullable(isMark), end: nullable(isMark) };
const isMarked = exactly({ kind: is('marked'), ...own, ...ofCall, rule: isText, ...marks });
const texts = { handle: isHash, name: isHash, xId: isHash };
const isNamed = exactly({ kind: is('named'), ...own, time: isTime, ...texts });
const act = { action: isText, reason: isHash, call: nullable(isText) };
const isHiddenEntry = exactly({ kind: is('hidden'), ...own, time: isTime, ...act });
const isDeleted = exactly({ kind: is('deleted'), ...own, time: isTime });

const isCallerEntry = anyOf(isSealed, isEnded, isMarked, isNamed, isHiddenEntry, isDeleted);
export const isEntry = versioned(NEWEST_VERSION, anyOf(isCallerEntry, isKeys, isFormat));
const KINDS = ['keys', 'format', 'opened', 'updated', 'ended', 'marked', 'named', 'hidden', 'deleted'];
const isNewKind = (value: unknown): value is string => isText(value) && !KINDS.includes(value);
const ofNewKind = { kind: isNewKind, time: optional(isTime) };
/** Tests for an entry of a kind that a newer version added. Only its place and time can be checked. */
export const isUnknown = anyOf(
  objectOf({ ...own, ...ofNewKind, v: isNewVersion }),
  objectOf({ ...ofNewKind, v: isNewVersion, caller: isAbsent }),
);

export type Opening = Of<typeof isOpening>;
export type Mark = Of<typeof isMark>;
export type Keys = Of<typeof isKeys>;
export type SealedEntry = Of<typeof isSealed>;
export type EndedEntry = Of<typeof isEnded>;
export type MarkedEntry = Of<typeof isMarked>;
export type CallerEntry = Of<typeof isCallerEntry>;
export type Entry = Of<typeof isEntry>;
