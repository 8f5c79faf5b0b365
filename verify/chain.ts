import { base64, canonical, fromBase64, sha256, utf8 } from './bytes.ts';
import type { CallerEntry, Content, Reveal } from './entries.ts';
import { formatTime } from './log.ts';
import type { Report } from './report.ts';
import { isCountedTooSoon, isUncountedLoss, type EndedCall } from './statistics.ts';

const MINUTE_MS = 60_000;
/** Tolerance between an entry's time and the times of other machines. */
const CLOCK_SKEW_MS = 2 * MINUTE_MS;
/** Delay between an entry's time and its logging from which the time is reported as unproven. */
const UNPROVEN_AFTER_MS = 10 * MINUTE_MS;
/**
 * Delay between an entry's time and its logging from which the check fails, because no outage lasts that
 * long.
 */
const NO_EXCUSE_AFTER_MS = 60 * MINUTE_MS;
/**
 * Maximum time until an entry is opened. Every call ends after 90 days, or up to 7 days later without a
 * price.
 */
const MAX_SEALED_MS = 100 * 24 * 60 * MINUTE_MS;

/** The times of the map entries between which an entry was logged, if they are known. */
export interface LoggedBetween {
  readonly after: number | null;
  readonly before: number | null;
}

export interface CallerChain {
  /** The caller in messages, such as 'this caller'. */
  readonly whose: string;
  /** The number of the last entry. */
  number: number;
  /** The leaf hash of the last entry, in base64. */
  last: string | null;
  /** Sealed entries that haven't been opened yet, by number. */
  readonly sealed: Map<number, { readonly commitment: string; readonly logged: LoggedBetween }>;
  /** The ended calls by id. */
  readonly ended: Map<string, EndedCall>;
  /** Commitments to texts that may be public, by the entry's number. */
  readonly texts: Map<number, string>;
  /** The number of the newest entry about the caller's name. */
  named: number | null;
  /** Numbers of entries that were logged long after their own time. */
  readonly late: number[];
  /** The operators' actions on this caller, oldest first. */
  readonly actions: string[];
}

export const createChain = (whose: string): CallerChain => ({
  whose,
  number: 0,
  last: null,
  sealed: new Map(),
  ended: new Map(),
  texts: new Map(),
  named: null,
  late: [],
  actions: [],
});

interface NextEntry {
  readonly entry: CallerEntry;
  /** The entry's leaf hash in base64. */
  readonly hash: string;
  readonly logged: LoggedBetween;
}

const nameOf = ({ whose }: CallerChain, number: number) => `Entry ${number} of ${whose}`;

/**
 * Adds a caller's next entry, and reports all its errors.
 * @returns checks of commitments that are still running
 */
export function addEntry(chain: CallerChain, next: NextEntry, report: Report): Promise<unknown> {
  const { entry, hash, logged } = next;
  const { number, kind, content, commitment } = entry;
  const name = nameOf(chain, number);
  if (number > chain.number + 1) {
    const message = `${nameOf(chain, chain.number + 1)} is missing: entry ${number} comes next.`;
    report.fail('number_skipped', message);
  } else if (number <= chain.number) {
    report.fail('out_of_order', `${name} comes after entry ${chain.number}.`);
  } else if (entry.previous !== chain.last) {
    report.fail('chain_broken', `${name} was written after another version of entry ${number - 1}.`);
  }
  chain.number = number;
  chain.last = hash;
  if (kind === 'sealed') {
    chain.sealed.set(number, { commitment, logged });
    return Promise.resolve();
  }
  checkTime(chain, { number, content, logged }, report);
  if (kind === 'ended') return endCall(chain, entry, report);
  if (kind === 'moderated') chain.actions.push(String(content['action']));
  else {
    chain.texts.set(number, String(content['name']));
    chain.named = number;
  }
  return Promise.resolve();
}

interface TimedContent {
  readonly number: number;
  readonly content: Content;
  readonly logged: LoggedBetween;
}

function checkTime(chain: CallerChain, { number, content, logged }: TimedContent, report: Report): void {
  const { after, before } = logged;
  const { time } = content;
  const wrong = (why: string) =>
    report.fail('wrong_time', `${nameOf(chain, number)} gives the time ${formatTime(time)}, but ${why}.`);
  if (after !== null && time < after - CLOCK_SKEW_MS) wrong(`was logged after ${formatTime(after)}`);
  else if (before === null) return;
  else if (time > before + CLOCK_SKEW_MS) wrong(`was logged before ${formatTime(before)}`);
  else if (before - time > NO_EXCUSE_AFTER_MS) wrong(`was logged only at ${formatTime(before)}`);
  else if (before - time > UNPROVEN_AFTER_MS) chain.late.push(number);
}

function endCall(chain: CallerChain, entry: CallerEntry, report: Report): Promise<unknown> {
  const { content: end, number, reveals } = entry;
  const name = nameOf(chain, number);
  const opening = Promise.all(reveals.map((reveal) => openSealed(chain, entry, reveal, report)));
  if (reveals.some(({ content }) => content.call !== end.call)) {
    report.fail('commitment_broken', `${name} opens an entry of another call.`);
  }
  if (chain.ended.has(end.call)) report.fail('rule_broken', `${name} ends a call for the second time.`);
  const [opened, ...others] = reveals.filter(({ content }) => content.kind === 'opened');
  if (opened === undefined || others.length > 0) {
    const message = `${name} ends a call without one opening, but with ${reveals.length} entries.`;
    report.fail('commitment_broken', message);
    return opening;
  }
  const call: EndedCall = {
    openedAt: opened.content.time,
    endedAt: end.time,
    entryPrice: String(opened.content['entryPrice']),
    endPrice: String(end['endPrice']),
    isRanked: opened.content['unranked'] === null,
    uncounted: end['uncounted'] as string | null,
  };
  chain.ended.set(end.call, call);
  if (isUncountedLoss(call)) {
    report.fail('rule_broken', `${name} gives a reason not to count a gain, but the call has no gain.`);
  }
  if (isCountedTooSoon(call)) {
    report.fail('rule_broken', `${name} counts a gain, though the call was held for less than ten minutes.`);
  }
  return opening;
}

/** Compares a revealed content with its commitment in the sealed entry. */
function openSealed(chain: CallerChain, end: CallerEntry, reveal: Reveal, report: Report): Promise<void> {
  const { number, salt, content } = reveal;
  const text = content['thesis'] ?? content['text'];
  if (typeof text === 'string') chain.texts.set(number, text);
  const sealed = chain.sealed.get(number);
  chain.sealed.delete(number);
  if (sealed) checkTime(chain, { number, content, logged: sealed.logged }, report);
  return report.attempt(async () => {
    const seal = await sha256(fromBase64(salt), utf8(canonical(content)));
    if (sealed?.commitment === base64(seal)) return;
    const name = nameOf(chain, number);
    report.fail('commitment_broken', `${name} isn't what was sealed when entry ${end.number} opens it.`);
  });
}

/** Reports sealed entries that should have been opened by now. */
export function checkSealed(chain: CallerChain, now: number, report: Report): void {
  for (const [number, { logged }] of chain.sealed) {
    if (logged.before === null || now - logged.before < MAX_SEALED_MS) continue;
    const name = nameOf(chain, number);
    report.fail('never_opened', `${name} is still sealed after 100 days. Calls end within 97.`);
  }
}
