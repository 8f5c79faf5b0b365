import { exactly, isCount, isFlag, isHash, isListOf, isNumber, isPrice, isText, nullable } from './shapes.ts';
import type { Shape, Test } from './shapes.ts';

// The entries of the log, as docs/SEALED-CALLS.md describes them. Times are Unix ms.

interface OfCaller {
  readonly caller: string;
  /** 1 for the caller's first entry. */
  readonly number: number;
  /** The leaf hash of the caller's previous entry, in base64. */
  readonly previous: string | null;
}

export interface SealedEntry extends OfCaller {
  readonly kind: 'opened' | 'updated';
  readonly commitment: string;
}

export interface Opening {
  readonly kind: 'opened';
  readonly time: number;
  readonly call: string;
  readonly mint: string;
  readonly symbol: string;
  readonly entryPrice: string;
  readonly target: string | null;
  readonly stop: string | null;
  readonly isPaidPromotion: boolean;
  readonly unranked: string | null;
  readonly thesis: string | null;
}

interface Update {
  readonly kind: 'updated' | 'hidden';
  readonly time: number;
  readonly call: string;
  /** Only of an `updated`. */
  readonly text?: string;
}

export interface Reveal {
  readonly content: Opening | Update;
  readonly number: number;
  readonly salt: string;
}

export interface EndedEntry extends OfCaller {
  readonly kind: 'ended';
  readonly time: number;
  readonly call: string;
  readonly endPrice: string;
  readonly uncounted: string | null;
  readonly automatic: string | null;
  readonly reveals: readonly Reveal[];
}

export interface Mark {
  readonly liquidityUsd: number | null;
  readonly price: string | null;
  readonly seenAt: number;
}

export interface MarkedEntry extends OfCaller {
  readonly kind: 'marked';
  readonly time: number;
  readonly call: string;
  readonly rule: string;
  readonly open: Mark | null;
  readonly end: Mark | null;
}

export interface NamedEntry extends OfCaller {
  readonly kind: 'named';
  readonly time: number;
  readonly handle: string;
  readonly name: string;
  readonly xId: string;
}

export interface HiddenEntry extends OfCaller {
  readonly kind: 'hidden';
  readonly time: number;
  readonly action: string;
  readonly call: string | null;
}

interface DeletedEntry extends OfCaller {
  readonly kind: 'deleted';
  readonly time: number;
}

export interface KeysEntry {
  readonly kind: 'keys';
  readonly time: number;
  readonly key: string;
  readonly wallet: string;
  readonly signature: string | null;
}

export type CallerEntry = SealedEntry | EndedEntry | MarkedEntry | NamedEntry | HiddenEntry | DeletedEntry;
export type Entry = CallerEntry | KeysEntry;

/** Members with these shapes, and the kind. */
const ofKind = (shape: Shape): Test => exactly({ kind: isText, ...shape });
/** An object of the kind that it names. */
const oneOf =
  (tests: Readonly<Record<string, Test>>): Test =>
  (value) => {
    const kind = (value as { kind?: unknown } | null)?.kind;
    return typeof kind === 'string' && Object.hasOwn(tests, kind) && tests[kind]?.(value) === true;
  };

const content = { time: isCount, call: isText };
const isContent = oneOf({
  opened: ofKind({
    ...content,
    mint: isText,
    symbol: isText,
    entryPrice: isPrice,
    target: nullable(isPrice),
    stop: nullable(isPrice),
    isPaidPromotion: isFlag,
    unranked: nullable(isText),
    quotes: isHash,
    thesis: nullable(isHash),
  }),
  updated: ofKind({ ...content, text: isHash }),
  hidden: ofKind({ ...content, action: isText, reason: isHash }),
});

const isMark = exactly({
  liquidityUsd: nullable(isNumber),
  price: nullable(isPrice),
  seenAt: isCount,
  solPriceUsd: nullable(isPrice),
  source: nullable(isText),
});

const own = { caller: isText, number: isCount, previous: nullable(isHash) };
const isSealed = ofKind({ ...own, commitment: isHash });

export const isEntry = oneOf({
  keys: ofKind({ time: isCount, key: isText, wallet: isText, signature: nullable(isText) }),
  opened: isSealed,
  updated: isSealed,
  ended: ofKind({
    ...own,
    ...content,
    endPrice: isPrice,
    uncounted: nullable(isText),
    automatic: nullable(isText),
    quotes: isHash,
    reveals: isListOf(exactly({ content: isContent, number: isCount, salt: isText })),
  }),
  marked: ofKind({ ...own, ...content, rule: isText, open: nullable(isMark), end: nullable(isMark) }),
  named: ofKind({ ...own, time: isCount, handle: isHash, name: isHash, xId: isHash }),
  hidden: ofKind({ ...own, time: isCount, action: isText, reason: isHash, call: nullable(isText) }),
  deleted: ofKind({ ...own, time: isCount }),
});
