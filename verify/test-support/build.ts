import { changePercent } from '#schema/rules/calls/change-percent.ts';
import { copiedResult, followerResult, resultInSol } from '#schema/rules/calls/follower-return.ts';
import type { CopiedResult, FollowerResult } from '#schema/rules/calls/follower-return.ts';
import {
  SECOND,
  type BuiltEvent,
  type EndedEvent,
  type MarkedEvent,
  type OpenedEvent,
  type Text,
} from './history.ts';
import { sha256, signText, type Signer } from './keys.ts';

// Builds a log from events, from docs/SEALED-CALLS.md alone. It shares no code with the verifier.

export type Json = Record<string, unknown>;

export function toCanonical(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  );
}

export const hashLeaf = (data: Uint8Array | string): Buffer => sha256(Buffer.of(0), data);

export const commitTo = ({ text, salt }: Pick<Text, 'text' | 'salt'>): string =>
  sha256(Buffer.from(salt, 'base64'), text).toString('base64');

const ABOUT = sha256('about').toString('base64');

/** The quotes of an opening or end, as the site serves them. */
export function quotesOf(event: OpenedEvent | EndedEvent) {
  const isOpening = event.kind === 'opened';
  const reason = isOpening ? event.unranked : event.uncounted;
  const { sources = reason === 'one_source' ? 1 : 2 } = event;
  const price = isOpening ? event.entryPrice : event.endPrice;
  return ['two', 'one'].map((source, place) => ({
    side: isOpening ? 'open' : 'end',
    source,
    price,
    sentPrice: null,
    failure: place < sources ? null : 'undated',
    quotedAt: new Date(event.time - 3 * SECOND).toISOString(),
    liquidityUsd: place === 0 ? 50_000.5 : null,
  }));
}

function hashQuotes(event: OpenedEvent | EndedEvent): string {
  const list = quotesOf(event)
    .map(({ source, price, failure, liquidityUsd, quotedAt, sentPrice }) => {
      return { at: Date.parse(quotedAt), failure, liquidityUsd, price, sent: sentPrice, source };
    })
    .reverse();
  return sha256(toCanonical(list)).toString('base64');
}

export interface BuiltCall {
  readonly opened: OpenedEvent;
  readonly openIndex: number;
  readonly ended?: EndedEvent;
  readonly endIndex?: number;
  readonly marked?: MarkedEvent;
  readonly result?: ReturnType<typeof resultOf>;
}

export function resultOf(
  opened: OpenedEvent,
  ended: EndedEvent,
  { open, end }: MarkedEvent,
): FollowerResult & { readonly solPpm: number | null; readonly copied: CopiedResult | null } {
  const change = changePercent(opened.entryPrice, ended.endPrice);
  const call = {
    endPrice: ended.endPrice,
    changePercent: change,
    countedChange: ended.uncounted === null ? change : Math.min(0, change),
    calledAt: opened.time,
    endedAt: ended.time,
    open,
    end,
  };
  const result = followerResult(call);
  return { ...result, solPpm: resultInSol(call, result), copied: copiedResult(call) };
}

export interface BuiltLog {
  readonly entries: Json[];
  /** Canonical JSON. */
  readonly data: string[];
  /** The number of an event's entry in its caller's chain. */
  readonly numbers: number[];
}

/** Builds the entries of events. `lie` changes an entry before its chain goes on. */
export function buildLog(
  events: readonly BuiltEvent[],
  lie: (entry: Json, index: number) => Json = (entry) => entry,
): BuiltLog {
  const chains = new Map<string, { number: number; last: string | null }>();
  const sealed = new Map<string, Json[]>();
  const calls = new Map<string, { opened?: OpenedEvent; ended?: EndedEvent }>();
  const log: BuiltLog = { entries: [], data: [], numbers: [] };
  let signer: Signer | null = null;
  let version = 1;
  for (const [index, event] of events.entries()) {
    const chain = chains.get(event.caller ?? '') ?? { number: 0, last: null };
    const number = chain.number + 1;
    const newer = newerMembers(version);
    let entry: Json = { ...newer, kind: event.kind, caller: event.caller, number, previous: chain.last };
    if (event.kind === 'keys') {
      const keys = { ...newer, kind: 'keys', time: event.time, key: event.signer.line, wallet: event.wallet };
      const signature =
        event.isSigned && signer ? signText(toCanonical(keys), signer).toString('base64') : null;
      entry = { ...keys, signature };
      ({ signer } = event);
    } else if (event.kind === 'format') {
      const { time } = event;
      entry = { ...newer, kind: 'format', time, version: event.version, document: ABOUT };
      ({ version } = event);
    } else if (event.kind === 'opened' || event.kind === 'updated') {
      const content = { ...newer, ...contentOf(event) };
      entry['commitment'] = commitTo({ text: toCanonical(content), salt: event.salt });
      sealed.set(event.call, [...(sealed.get(event.call) ?? []), { content, number, salt: event.salt }]);
      if (event.kind === 'opened') calls.set(event.call, { opened: event });
    } else if (event.kind === 'ended') {
      const { time, call, endPrice, uncounted, automatic } = event;
      const { v: _, ...more } = newer;
      const reveals = (sealed.get(call) ?? []).map((reveal) => ({ ...reveal, ...more }));
      entry = { ...entry, time, call, endPrice, uncounted, automatic, quotes: hashQuotes(event), reveals };
      calls.set(call, { ...calls.get(call), ended: event });
    } else if (event.kind === 'marked') {
      const { time, call, open, end } = event;
      const { opened, ended } = calls.get(call) ?? {};
      const rule = opened && ended ? resultOf(opened, ended, event).rule : 'marks';
      const { v: _, ...more } = newer;
      const [opening, ending] = [open, end].map((mark) => mark && { ...mark, ...more });
      entry = { ...entry, time, call, open: opening, end: ending, rule };
    } else if (event.kind === 'named') {
      const { time, handle, name, xId } = event;
      entry = { ...entry, time, handle: commitTo(handle), name: commitTo(name), xId: commitTo(xId) };
    } else if (event.kind === 'hidden') {
      const { time, action, call } = event;
      entry = { ...entry, time, action, call, reason: ABOUT };
    } else entry['time'] = event.time;
    const written = lie(entry, index);
    const data = toCanonical(written);
    log.entries.push(written);
    log.data.push(data);
    log.numbers.push(number);
    if (event.caller !== null) chains.set(event.caller, { number, last: hashLeaf(data).toString('base64') });
  }
  return log;
}

/** The version, and the invented member that version 2 added to every object. */
const newerMembers = (version: number): Json => (version === 1 ? { v: 1 } : { v: version, more: 'new' });

function contentOf(event: BuiltEvent): Json {
  if (event.kind === 'updated') {
    const { time, call, text } = event;
    return { kind: 'updated', time, call, text: commitTo(text) };
  }
  const { caller: _, salt: __, sources: ___, thesis, ...content } = event as OpenedEvent;
  const quotes = hashQuotes(event as OpenedEvent);
  return { ...content, quotes, thesis: thesis && commitTo(thesis) };
}

/** The roots in base64 of the first 0, 1, 2, … leaves. */
export function rootsOf(data: readonly (Uint8Array | string)[]): string[] {
  const roots = [sha256().toString('base64')];
  // Complete subtrees from left to right.
  const stack: { size: number; hash: Buffer }[] = [];
  for (const leaf of data) {
    let node = { size: 1, hash: hashLeaf(leaf) };
    for (let left = stack.at(-1); left?.size === node.size; left = stack.at(-1)) {
      stack.pop();
      node = { size: 2 * node.size, hash: sha256(Buffer.of(1), left.hash, node.hash) };
    }
    stack.push(node);
    const root = stack.reduceRight<Buffer | null>(
      (right, { hash }) => (right === null ? hash : sha256(Buffer.of(1), hash, right)),
      null,
    );
    roots.push((root ?? node.hash).toString('base64'));
  }
  return roots;
}

/** The calls by id after these events. */
export function callsOf(events: readonly BuiltEvent[]): Map<string, BuiltCall> {
  const calls = new Map<string, BuiltCall>();
  for (const [index, event] of events.entries()) {
    if (event.kind === 'opened') calls.set(event.call, { opened: event, openIndex: index });
    if (event.kind !== 'ended' && event.kind !== 'marked') continue;
    const call = calls.get(event.call);
    if (call === undefined) continue;
    if (event.kind === 'ended') calls.set(event.call, { ...call, ended: event, endIndex: index });
    else if (call.ended !== undefined) {
      calls.set(event.call, { ...call, marked: event, result: resultOf(call.opened, call.ended, event) });
    }
  }
  return calls;
}
