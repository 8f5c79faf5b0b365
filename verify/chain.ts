import { canonical, commitmentOf } from './bytes.ts';
import type { CallerEntry, EndedEntry, Mark, MarkedEntry, Opening, SealedEntry } from './entries.ts';
import { changeOf, followerResult } from './results.ts';
import { formatTime, type Report } from './report.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const MIN_HOLD_MS = 10 * MINUTE_MS;
/** Calls end after 30 days, or up to 7 days later without a price. */
const MAX_SEALED_MS = 38 * DAY_MS;
/** The marks of an end follow after two minutes. No outage lasts longer than this. */
const MARKED_WITHIN_MS = DAY_MS;
/** A mark is the first price in this time after an opening or end. */
const MARK_FROM_MS = MINUTE_MS;
const MARK_UNTIL_MS = 2.5 * MINUTE_MS;

/** A call that has ended. Indexes are places in the log; -1 for a mark that isn't there yet. */
export interface EndedCall extends Omit<Opening, 'kind'> {
  readonly openedAt: number;
  readonly endedAt: number;
  readonly endPrice: string;
  readonly uncounted: string | null;
  readonly automatic: string | null;
  /** In percent. */
  readonly change: number;
  /** 0 for an uncounted gain. */
  readonly countedChange: number;
  readonly openIndex: number;
  readonly openNumber: number;
  readonly endIndex: number;
  markIndex: number;
  /** In millionths of the stake. Null without a result. */
  ppm: number | null;
}

interface Placed {
  readonly index: number;
}

/** All entries of one caller, by kind and in their order. */
export interface CallerChain {
  readonly id: string;
  number: number;
  /** The leaf hash of the last entry, in base64. */
  last: string | null;
  readonly openings: number[];
  readonly sealed: Map<number, SealedEntry & Placed>;
  readonly ended: Map<string, EndedCall>;
  readonly names: (Placed & { readonly number: number })[];
  readonly actions: (Placed & { readonly action: string })[];
  readonly deletions: number[];
  /** Commitments to texts that may be public, by number and member. */
  readonly texts: Map<string, string>;
  readonly firstAt: number;
}

export interface NextEntry {
  readonly entry: CallerEntry;
  readonly index: number;
  /** The entry's leaf hash in base64. */
  readonly hash: string;
}

const createChain = (id: string, firstAt: number): CallerChain => ({
  ...{ id, firstAt, number: 0, last: null, openings: [], names: [], actions: [], deletions: [] },
  ...{ sealed: new Map(), ended: new Map(), texts: new Map() },
});

/** Adds a caller's next entry, and reports all its errors. @param now the newest time in the log so far */
export function addEntry(
  chains: Map<string, CallerChain>,
  { entry, index, hash }: NextEntry,
  { report, now }: { readonly report: Report; readonly now: number },
): void {
  const chain = chains.get(entry.caller) ?? createChain(entry.caller, 'time' in entry ? entry.time : now);
  chains.set(entry.caller, chain);
  const name = `Entry ${entry.number} of the caller ${entry.caller}`;
  if (entry.number !== chain.number + 1) {
    report.fail('chain_broken', `${name} comes after entry ${chain.number}: others are missing or moved.`);
  } else if (entry.previous !== chain.last) {
    report.fail('chain_broken', `${name} was written after another version of entry ${chain.number}.`);
  }
  chain.number = entry.number;
  chain.last = hash;
  switch (entry.kind) {
    case 'opened':
      chain.openings.push(index);
      chain.sealed.set(entry.number, { ...entry, index });
      break;
    case 'updated':
      chain.sealed.set(entry.number, { ...entry, index });
      break;
    case 'ended':
      endCall(chain, { entry, index, name }, report);
      break;
    case 'marked':
      markCall(chain, { entry, index, name }, report);
      break;
    case 'named':
      chain.names.push({ index, number: entry.number });
      for (const member of ['handle', 'name', 'xId'] as const) {
        chain.texts.set(`${entry.number} ${member}`, entry[member]);
      }
      break;
    case 'hidden':
      if (entry.call === null) chain.actions.push({ index, action: entry.action });
      break;
    case 'deleted':
      chain.deletions.push(index);
  }
}

interface Named<Kind> extends Placed {
  readonly entry: Kind;
  /** Names the entry in messages. */
  readonly name: string;
}

function endCall(chain: CallerChain, { entry, index, name }: Named<EndedEntry>, report: Report): void {
  const { call, time, reveals } = entry;
  if (chain.ended.has(call)) report.fail('rule_broken', `${name} ends the call ${call} for the second time.`);
  let before = 0;
  let openIndex = -1;
  for (const { content, number, salt } of reveals) {
    const sealed = chain.sealed.get(number);
    chain.sealed.delete(number);
    const isOpening = content.kind === 'opened';
    if (isOpening) openIndex = sealed?.index ?? -1;
    const isInPlace = number > before && isOpening === (before === 0) && content.call === call;
    if (!isInPlace || sealed?.kind !== (isOpening ? 'opened' : 'updated')) {
      report.fail('commitment_broken', `${name} opens entry ${number}, which isn't part of its call.`);
    } else if (sealed.commitment !== commitmentOf(salt, canonical(content))) {
      report.fail('commitment_broken', `${name} opens entry ${number} with another content than was sealed.`);
    }
    if (content.time > time) {
      report.fail(
        'wrong_time',
        `${name} is from ${formatTime(time)}, before its own call's entry ${number}.`,
      );
    }
    const text = 'text' in content ? content.text : undefined;
    if (text !== undefined) chain.texts.set(`${number} text`, text);
    before = number;
  }
  const [first] = reveals;
  if (first?.content.kind !== 'opened') {
    return report.fail('commitment_broken', `${name} ends a call without its opening.`);
  }
  const opening = first.content;
  if (opening.thesis !== null) chain.texts.set(`${first.number} thesis`, opening.thesis);
  const change = changeOf(opening.entryPrice, entry.endPrice);
  const ended: EndedCall = {
    ...{ ...opening, openedAt: opening.time, openIndex, openNumber: first.number },
    ...{ endedAt: time, endIndex: index, endPrice: entry.endPrice, change },
    ...{ uncounted: entry.uncounted, automatic: entry.automatic },
    countedChange: entry.uncounted === null ? change : Math.min(change, 0),
    markIndex: -1,
    ppm: null,
  };
  chain.ended.set(call, ended);
  checkRules(chain, { entry: ended, index, name }, report);
}

function checkRules(chain: CallerChain, { entry: call, name }: Named<EndedCall>, report: Report): void {
  if (call.uncounted !== null && (call.change <= 0 || call.unranked !== null)) {
    report.fail('rule_broken', `${name} has a reason not to count a gain, but there is none to count.`);
  }
  const isShort = call.endedAt - call.openedAt < MIN_HOLD_MS;
  if (isShort && call.unranked === null && call.countedChange > 0) {
    report.fail('rule_broken', `${name} counts a gain, though the call was open for under ten minutes.`);
  }
  // Every update belongs to an open call.
  if (![...chain.sealed.values()].some(({ kind }) => kind === 'opened')) {
    for (const number of chain.sealed.keys()) {
      report.fail('never_opened', `${name} ends the last open call, but entry ${number} is still sealed.`);
    }
  }
}

function markCall(chain: CallerChain, { entry, index, name }: Named<MarkedEntry>, report: Report): void {
  const call = chain.ended.get(entry.call);
  if (call === undefined) return report.fail('rule_broken', `${name} has marks of a call that hasn't ended.`);
  if (call.markIndex >= 0) return report.fail('rule_broken', `${name} has a second record of marks.`);
  const { rule, ppm } = followerResult(call, entry);
  if (rule !== entry.rule) {
    report.fail('rule_broken', `${name} has the rule ${entry.rule}, but its marks give ${rule}.`);
  }
  const isInTime = (mark: Mark | null, at: number) =>
    mark === null || (mark.seenAt >= at + MARK_FROM_MS && mark.seenAt <= at + MARK_UNTIL_MS);
  if (!isInTime(entry.open, call.openedAt) || !isInTime(entry.end, call.endedAt)) {
    report.fail(
      'rule_broken',
      `${name} has a mark that isn't from the minute after the opening and the end.`,
    );
  }
  call.markIndex = index;
  call.ppm = ppm;
}

/**
 * Reports what should have been logged by now: sealed entries that were never opened, and ends without marks.
 * @param loggedBy a time at which the entry at an index was in the log; null if unknown
 */
export function checkDue(
  chain: CallerChain,
  { now, loggedBy, report }: { now: number; loggedBy: (index: number) => number | null; report: Report },
): void {
  for (const { number, index } of chain.sealed.values()) {
    const at = loggedBy(index);
    if (at === null || now - at < MAX_SEALED_MS) continue;
    const name = `Entry ${number} of the caller ${chain.id}`;
    report.fail('never_opened', `${name} is still sealed after 38 days. Calls end within 37.`);
  }
  for (const { call, markIndex, endedAt } of chain.ended.values()) {
    if (markIndex >= 0 || now - endedAt < MARKED_WITHIN_MS) continue;
    report.fail('rule_broken', `The marks of the call ${call} weren't recorded for a day after its end.`);
  }
}
