import {
  has,
  isCount,
  isHash,
  isListOf,
  objectOf,
  isPrice,
  isText,
  nullable,
  type Shape,
  type Test,
} from './shapes.ts';

// The log's entries, as docs/SEALED-CALLS.md describes them.

export interface MapEntry {
  readonly kind: 'map';
  readonly content: { readonly root: string; readonly size: number; readonly time: number };
}

export interface Content {
  readonly kind: 'opened' | 'updated' | 'ended' | 'name' | 'moderated';
  /** Unix ms. */
  readonly time: number;
  readonly call: string;
  readonly [member: string]: unknown;
}

export interface Reveal {
  readonly content: Content;
  readonly number: number;
  readonly salt: string;
}

export interface CallerEntry {
  readonly caller: string;
  readonly number: number;
  readonly previous: string | null;
  readonly kind: 'sealed' | 'ended' | 'name' | 'moderated';
  readonly commitment: string;
  readonly content: Content;
  readonly reveals: readonly Reveal[];
}

export type Entry = MapEntry | CallerEntry;

const contentShapes: Readonly<Record<string, Shape>> = {
  opened: {
    call: isText,
    mint: isText,
    entryPrice: isPrice,
    unranked: nullable(isText),
    thesis: nullable(isHash),
  },
  updated: { call: isText, text: isHash },
  ended: { call: isText, endPrice: isPrice, uncounted: nullable(isText), automatic: nullable(isText) },
  name: { name: isHash },
  moderated: { action: isText, reason: isHash },
};
const isContentOf =
  (...kinds: readonly string[]): Test =>
  (value) =>
    has(value, { kind: isText, time: isCount }) &&
    kinds.includes(String(value['kind'])) &&
    has(value, contentShapes[String(value['kind'])]);

const isRevealedContent = isContentOf('opened', 'updated', 'moderated');
const isReveal = objectOf({ content: isRevealedContent, number: isCount, salt: isText });

const entryShapes: Readonly<Record<string, Shape>> = {
  map: { content: objectOf({ root: isHash, size: isCount, time: isCount }) },
  sealed: { commitment: isHash },
  ended: { content: isContentOf('ended'), reveals: isListOf(isReveal) },
  name: { content: isContentOf('name') },
  moderated: { content: isContentOf('moderated') },
};
const ofCaller: Shape = { caller: isText, number: isCount, previous: nullable(isHash) };

export const isEntry: Test = (value) =>
  has(value, { kind: isText }) &&
  has(value, entryShapes[String(value['kind'])]) &&
  (value['kind'] === 'map' || has(value, ofCaller));
