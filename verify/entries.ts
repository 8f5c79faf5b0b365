import { anyOf, exactly, is, isCount, isFlag, isHash, isNumber, isPrice, isText, isTime } from './shapes.ts';
import { isPositivePrice, listOf, nullable, type Of } from './shapes.ts';

// The entries of the log, as docs/SEALED-CALLS.md describes them. Times are Unix ms.

const ofCall = { time: isTime, call: isText };

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
/** Salts are texts here, because a salt of another length has a failure of its own. */
const isReveal = exactly({ content: anyOf(isOpening, isUpdate, isHidden), number: isCount, salt: isText });

const isMark = exactly({
  liquidityUsd: nullable(isNumber),
  price: nullable(isPrice),
  seenAt: isTime,
  solPriceUsd: nullable(isPrice),
  source: nullable(isText),
});

const own = { caller: isText, number: isCount, previous: nullable(isHash) };

const isKeys = exactly({
  kind: is('keys'),
  time: isTime,
  key: isText,
  wallet: isText,
  signature: nullable(isText),
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
export const isEntry = anyOf(isCallerEntry, isKeys);

export type Opening = Of<typeof isOpening>;
export type Mark = Of<typeof isMark>;
export type Keys = Of<typeof isKeys>;
export type SealedEntry = Of<typeof isSealed>;
export type EndedEntry = Of<typeof isEnded>;
export type MarkedEntry = Of<typeof isMarked>;
export type CallerEntry = Of<typeof isCallerEntry>;
export type Entry = Of<typeof isEntry>;
