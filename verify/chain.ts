import { canonical, commitmentOf } from './bytes.ts';
import { NEWEST_VERSION, OPENING_TEXTS } from './entries.ts';
import type { CallerEntry, EndedEntry, Mark, MarkedEntry, Opening, SealedEntry } from './entries.ts';
import { formatTime, type Report } from './report.ts';
import { changeOf, followerResult, type FollowerResult } from './results.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** An update may be sent while the call ends, with a time from another clock. */
const SENT_MEANWHILE_MS = 2 * MINUTE_MS;
const MIN_HOLD_MS = 10 * MINUTE_MS;
/** Calls end after 30 days, or up to 7 days later without a price. */
const MAX_SEALED_MS = 38 * DAY_MS;
/** Marks are recorded two minutes after an end. No outage lasts longer than this. */
const MARKED_WITHIN_MS = DAY_MS;
/** A mark is a price from this time after an opening or end. */
const MARK_MS = { from: MINUTE_MS, until: 2.5 * MINUTE_MS };

/** True if a price seen at this time can be the mark of an opening or end. */
export const isMarkOf = (at: number, seenAt: number): boolean =>
  seenAt >= at + MARK_MS.from && seenAt <= at + MARK_MS.until;

/** A call that has ended. Indexes are places in the log. */
export interface EndedCall
  extends Omit<Opening, 'kind' | 'time' | 'v'>, Pick<EndedEntry, 'endPrice' | 'uncounted' | 'automatic'> {
  readonly openedAt: number;
  readonly endedAt: number;
  /** In percent. `countedChange` is 0 for an uncounted gain. */
  readonly change: number;
  readonly countedChange: number;
  readonly openIndex: number;
  readonly openNumber: number;
  readonly endIndex: number;
  /** The hash of the quotes at the end. */
  readonly endQuotes: string;
  /** Infinity before the marks are recorded. */
  markIndex: number;
  /** The opening and the end, if no price of SOL was recorded a minute later. */
  unpriced: readonly number[];
  result: FollowerResult | null;
}

/** All entries of one caller, by kind and in their order. */
export interface CallerChain {
  readonly id: string;
  number: number;
  /** The leaf hash of the last entry, in base64. */
  last: string | null;
  readonly openings: number[];
  readonly sealed: Map<number, SealedEntry & { readonly index: number }>;
  readonly ended: Map<string, EndedCall>;
  readonly names: { readonly index: number; readonly number: number }[];
  readonly actions: { readonly index: number; readonly action: string }[];
  readonly deletions: number[];
  /** Times of operators' newest acts on ended calls, by the call. */
  readonly acts: Map<string, number>;
  /** Commitments to texts that may be public, by number and member. */
  readonly texts: Map<string, string>;
  /** Numbers of entries that may have texts which this verifier doesn't know. */
  readonly newer: Set<number>;
}

type UnknownEntry = Pick<CallerEntry, 'v' | 'caller' | 'number' | 'previous'> & { readonly kind: 'unknown' };

interface Placed<Kind> {
  readonly entry: Kind;
  readonly index: number;
}

function createChain(id: string): CallerChain {
  const maps = { sealed: new Map(), ended: new Map(), texts: new Map(), acts: new Map() };
  const lists = { openings: [], names: [], actions: [], deletions: [] };
  return { id, number: 0, last: null, ...lists, ...maps, newer: new Set<number>() };
}

const nameOf = ({ caller, number }: { caller: string; number: number }) =>
  `Entry ${number} of the caller ${caller}`;

/** Adds a caller's next entry with this leaf hash in base64, and reports all its errors. */
export function addEntry(
  chains: Map<string, CallerChain>,
  { entry, index, hash }: Placed<CallerEntry | UnknownEntry> & { readonly hash: string },
  report: Report,
): void {
  const { caller, number, previous } = entry;
  const chain = chains.get(caller) ?? createChain(caller);
  chains.set(caller, chain);
  if (number !== chain.number + 1 || previous !== chain.last) {
    const other =
      number === chain.number + 1 ? `another version of entry ${chain.number}` : `entry ${chain.number}`;
    report.fail('chain_broken', `${nameOf(entry)} comes after ${other}.`);
  }
  chain.number = number;
  chain.last = hash;
  if (entry.v > NEWEST_VERSION) chain.newer.add(number);
  if (entry.kind === 'opened' || entry.kind === 'updated') chain.sealed.set(number, { ...entry, index });
  if (entry.kind === 'opened') chain.openings.push(index);
  if (entry.kind === 'ended') endCall(chain, { entry, index }, report);
  if (entry.kind === 'marked') markCall(chain, { entry, index }, report);
  if (entry.kind === 'hidden') {
    if (entry.call === null) chain.actions.push({ index, action: entry.action });
    else chain.acts.set(entry.call, entry.time);
  }
  if (entry.kind === 'deleted') chain.deletions.push(index);
  if (entry.kind !== 'named') return;
  chain.names.push({ index, number });
  for (const name of ['handle', 'name', 'xId'] as const) chain.texts.set(`${number} ${name}`, entry[name]);
}

function endCall(chain: CallerChain, { entry, index }: Placed<EndedEntry>, report: Report): void {
  const { call, time, endPrice, uncounted, automatic, reveals } = entry;
  const name = nameOf(entry);
  if (chain.ended.has(call)) report.fail('rule_broken', `${name} ends a call for the second time.`);
  const openIndex = openReveals(chain, entry, report);
  const [first] = reveals;
  if (first?.content.kind !== 'opened') {
    return report.fail('commitment_broken', `${name} ends a call without its opening.`);
  }
  const { kind: _, v: __, time: openedAt, ...opening } = first.content;
  const change = changeOf(opening.entryPrice, endPrice);
  const countedChange = uncounted === null ? change : Math.min(change, 0);
  const times = { openedAt, endedAt: time, openIndex, openNumber: first.number, endIndex: index };
  const end = { endPrice, endQuotes: entry.quotes, uncounted, automatic, change, countedChange };
  const unmarked = { markIndex: Infinity, unpriced: [], result: null };
  chain.ended.set(call, { ...opening, ...times, ...end, ...unmarked });
  const isRanked = opening.unranked === null;
  if (uncounted !== null && (change <= 0 || !isRanked)) {
    report.fail('rule_broken', `${name} has a reason not to count a gain, but there is none to count.`);
  }
  if (isRanked && time - openedAt < MIN_HOLD_MS && countedChange > 0) {
    report.fail('rule_broken', `${name} counts a gain, though the call was open for under ten minutes.`);
  }
}

/**
 * Compares the contents that an end opens with their sealed entries.
 * @returns the index of the opening
 */
function openReveals(chain: CallerChain, entry: EndedEntry, report: Report): number {
  const name = nameOf(entry);
  let [before, openIndex] = [0, -1];
  for (const { content, number, salt } of entry.reveals) {
    const sealed = chain.sealed.get(number);
    chain.sealed.delete(number);
    const isFirst = before === 0;
    const isInPlace =
      number > before && content.call === entry.call && isFirst === (content.kind === 'opened');
    if (!isInPlace || sealed?.kind !== (isFirst ? 'opened' : 'updated')) {
      report.fail('commitment_broken', `${name} opens entry ${number}, which isn’t part of its call.`);
    } else if (content.v !== sealed.v) {
      report.fail('commitment_broken', `${name} opens entry ${number} with another version.`);
    } else if (sealed.commitment !== commitmentOf(salt, canonical(content))) {
      report.fail('commitment_broken', `${name} opens entry ${number} with another content than was sealed.`);
    }
    if (content.time > entry.time + (isFirst ? 0 : SENT_MEANWHILE_MS)) {
      const at = formatTime(content.time);
      report.fail(
        'wrong_time',
        `${name} is from ${formatTime(entry.time)}, but opens entry ${number} from ${at}.`,
      );
    }
    if (isFirst) openIndex = sealed?.index ?? -1;
    if (content.kind === 'updated') chain.texts.set(`${number} text`, content.text);
    if (content.kind === 'opened') {
      for (const name of OPENING_TEXTS) {
        if (content[name] !== null) chain.texts.set(`${number} ${name}`, content[name]);
      }
    }
    before = number;
  }
  // Every update belongs to an open call.
  if ([...chain.sealed.values()].some(({ kind }) => kind === 'opened')) return openIndex;
  for (const number of chain.sealed.keys()) {
    report.fail('never_opened', `${name} ends the last open call, but entry ${number} is still sealed.`);
  }
  return openIndex;
}

function markCall(chain: CallerChain, { entry, index }: Placed<MarkedEntry>, report: Report): void {
  const call = chain.ended.get(entry.call);
  const name = nameOf(entry);
  if (call === undefined) return report.fail('rule_broken', `${name} has marks of a call that hasn’t ended.`);
  if (call.markIndex < index) report.fail('rule_broken', `${name} has a second record of marks.`);
  const { rule, result } = followerResult(call, entry);
  if (rule !== entry.rule) {
    report.fail('rule_broken', `${name} has the rule ${entry.rule}, but its marks give ${rule}.`);
  }
  const isInTime = (mark: Mark | null, at: number) => mark === null || isMarkOf(at, mark.seenAt);
  if (!isInTime(entry.open, call.openedAt) || !isInTime(entry.end, call.endedAt)) {
    report.fail('rule_broken', `${name} has a mark that isn’t from the minute after the opening or end.`);
  }
  call.markIndex = index;
  call.unpriced = [
    ...(entry.open?.solPriceUsd == null ? [call.openedAt] : []),
    ...(entry.end?.solPriceUsd == null ? [call.endedAt] : []),
  ];
  call.result = result;
}

interface Due {
  readonly now: number;
  /** A time at which the entry at an index was in the log; null if unknown. */
  readonly loggedBy: (index: number) => number | null;
  readonly report: Report;
}

/** Reports entries that should be in the log by now: the opening of sealed entries, and the marks of ended calls. */
export function checkDue(chain: CallerChain, { now, loggedBy, report }: Due): void {
  for (const entry of chain.sealed.values()) {
    if (now - (loggedBy(entry.index) ?? now) < MAX_SEALED_MS) continue;
    report.fail('never_opened', `${nameOf(entry)} is still sealed after 38 days. Calls end within 37.`);
  }
  for (const { call, markIndex, endedAt } of chain.ended.values()) {
    if (markIndex < Infinity || now - endedAt < MARKED_WITHIN_MS) continue;
    report.fail('rule_broken', `The marks of the call ${call} weren’t recorded for a day after its end.`);
  }
}
