import type { Log } from './log.ts';
import type { VerifyOptions } from './options.ts';
import { count, formatTime, type Report } from './report.ts';
import type { CallRpc } from './store.ts';

// Anchors: memos on Solana with the log's size and root, signed by the log's wallet.

const MEMO_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';
const MINUTE_MS = 60_000;
const PAGE = 1_000;
const MAX_REQUESTS = 50;
const MAX_CONTRADICTIONS = 300;
const LATE_MS = 15 * MINUTE_MS;
/** Tolerance between an entry's time and a block's. */
const CLOCK_SKEW_MS = 2 * MINUTE_MS;
/** A published checkpoint may be older than an anchor by this much. */
const PUBLISHED_MS = 10 * MINUTE_MS;
/** There is an anchor every hour. */
const SILENT_MS = 75 * MINUTE_MS;

/** A memo on the wallet's list, which anybody may have written. */
interface Memo {
  readonly signature: string;
  readonly size: number;
  readonly root: string;
  /** The block's time in Unix ms. */
  readonly at: number;
  readonly wallet: string;
}

/** The time that an entry gives itself. */
export interface TimedEntry {
  readonly index: number;
  readonly time: number;
}

/** The times of entries that Solana proves. */
export interface Anchors {
  /** Indexes of late entries, as far as `check` was called for them. */
  readonly late: ReadonlySet<number>;
  /** Checks the times of these entries. */
  check(entries: readonly TimedEntry[]): Promise<void>;
  /** A time at which this entry was in the log. */
  loggedBy(index: number): number | null;
}

/** The RPC endpoint doesn't respond, or the visitor doesn't want more requests. */
class Unconfirmed extends Error {}

/** Counts requests, and asks before there are more than 50. */
function limitRequests(callRpc: CallRpc, { confirm, onProgress }: VerifyOptions): CallRpc {
  let requests = 0;
  return async (method, params) => {
    requests += 1;
    if (requests === MAX_REQUESTS + 1) {
      const text = `The times need more than ${MAX_REQUESTS} requests to the Solana endpoint. Go on?`;
      if (!(await confirm({ kind: 'requests', text }))) {
        throw new Unconfirmed('they need more requests than you allowed');
      }
    }
    onProgress({ step: 'Reading anchors on Solana', done: requests, total: requests });
    try {
      return await callRpc(method, params);
    } catch (error) {
      if (error instanceof Error && error.name === 'AbortError') throw error;
      throw new Unconfirmed('no Solana endpoint responded');
    }
  };
}

interface Listed {
  readonly signature: string;
  readonly memo?: string | null;
  readonly err?: unknown;
  /** Unix seconds. */
  readonly blockTime?: number | null;
}

/** Lists a wallet's memos of this log back to a time, newest first. */
async function listMemos(log: Log, callRpc: CallRpc, { wallet, since }: { wallet: string; since: number }) {
  const memos: Memo[] = [];
  for (let before: string | undefined; ;) {
    const config = { limit: PAGE, commitment: 'confirmed', ...(before !== undefined && { before }) };
    const page = (await callRpc('getSignaturesForAddress', [wallet, config])) as readonly Listed[];
    for (const { signature, memo, err, blockTime } of page) {
      if (err || !memo || !blockTime) continue;
      // Solana lists the memos of a transaction as '[length] text; [length] text'.
      for (const text of memo.split('; ')) {
        const [, origin, size, root = ''] = /^\[\d+\] (\S+) (\d{1,9}) (\S+)$/.exec(text) ?? [];
        if (origin !== log.key.name) continue;
        memos.push({ signature, size: Number(size), root, at: blockTime * 1_000, wallet });
      }
    }
    const last = page.at(-1);
    const isEnd = page.length < PAGE || (last?.blockTime ?? Infinity) * 1_000 < since;
    if (last === undefined || isEnd) return memos;
    before = last.signature;
  }
}

interface ParsedTransaction {
  readonly meta: { readonly err: unknown } | null;
  readonly transaction: {
    readonly message: {
      readonly accountKeys: readonly { readonly pubkey: string; readonly signer: boolean }[];
      readonly instructions: readonly { readonly programId: string; readonly parsed?: unknown }[];
    };
  };
}

/** Returns a function that tells whether the wallet has signed the transaction of a memo. */
function createSignedCheck(callRpc: CallRpc, origin: string) {
  const known = new Map<Memo, Promise<boolean>>();
  const check = async ({ signature, size, root, wallet }: Memo): Promise<boolean> => {
    const config = { encoding: 'jsonParsed', commitment: 'confirmed', maxSupportedTransactionVersion: 0 };
    const found = (await callRpc('getTransaction', [signature, config])) as ParsedTransaction | null;
    if (found === null) throw new Unconfirmed('the Solana endpoint lacks old transactions');
    const { accountKeys, instructions } = found.transaction.message;
    const memo = `${origin} ${size} ${root}`;
    return (
      found.meta?.err === null &&
      accountKeys.some(({ pubkey, signer }) => pubkey === wallet && signer) &&
      instructions.some(({ programId, parsed }) => programId === MEMO_PROGRAM && parsed === memo)
    );
  };
  return (memo: Memo): Promise<boolean> => {
    const result = known.get(memo) ?? check(memo);
    known.set(memo, result);
    return result;
  };
}

/**
 * Reads the anchors since a time (unix ms), and reports signed ones that contradict the log. Null if times can't be
 * confirmed.
 */
export async function readAnchors(
  options: VerifyOptions,
  { log, since, report }: { readonly log: Log; readonly since: number; readonly report: Report },
): Promise<Anchors | null> {
  const unconfirmed = (why: string) =>
    report.note(`The times are unconfirmed, and newer entries might be withheld: ${why}.`);
  if (options.callRpc === null) return (unconfirmed('no Solana endpoint was asked'), null);
  const callRpc = limitRequests(options.callRpc, options);
  const isSigned = createSignedCheck(callRpc, log.key.name);
  try {
    const memos: Memo[] = [];
    for (const wallet of new Set(log.keys.map((keys) => keys.wallet))) {
      memos.push(...(await listMemos(log, callRpc, { wallet, since: since - LATE_MS })));
    }
    memos.sort((one, other) => one.at - other.at);
    const matching = memos.filter(({ size, root }) => log.tree.rootAt(size) === root);
    const isNew = ({ size, at }: Memo) => size > log.size && options.now - at <= PUBLISHED_MS;
    const others = memos.filter((memo) => log.tree.rootAt(memo.size) !== memo.root && !isNew(memo));
    await reportContradictions(log, { others: others.reverse(), isSigned }, report);
    const newest = matching.at(-1)?.at ?? 0;
    if (options.now - newest > SILENT_MS) {
      const when = newest === 0 ? 'There is no anchor' : `The newest anchor is from ${formatTime(newest)}`;
      report.note(`${when}, though there should be one every hour. Newer entries might be withheld.`);
    }
    return createAnchors({ matching, isSigned, now: options.now }, report);
  } catch (error) {
    if (!(error instanceof Unconfirmed)) throw error;
    unconfirmed(error.message);
    return null;
  }
}

interface Contradictions {
  readonly others: readonly Memo[];
  readonly isSigned: (memo: Memo) => Promise<boolean>;
}

async function reportContradictions(
  log: Log,
  { others, isSigned }: Contradictions,
  report: Report,
): Promise<void> {
  for (const memo of others.slice(0, MAX_CONTRADICTIONS)) {
    // A wallet that was replaced may be in other hands.
    const place = log.keys.findLastIndex(({ wallet }) => wallet === memo.wallet);
    const replacedAt = log.keys[place + 1]?.time ?? Infinity;
    if (memo.at > replacedAt + PUBLISHED_MS || !(await isSigned(memo))) continue;
    const anchored = `entries was anchored on Solana on ${formatTime(memo.at)} (${memo.signature})`;
    if (memo.size > log.size) {
      report.fail(
        'stale_checkpoint',
        `The log has ${log.size} entries, but one of ${memo.size} ${anchored}.`,
      );
    } else report.fail('split_view', `Another log of ${memo.size} ${anchored}.`);
    return;
  }
  if (others.length <= MAX_CONTRADICTIONS) return;
  const left = count(others.length - MAX_CONTRADICTIONS, 'other memo');
  report.note(`${left} on Solana that contradict the log weren't checked. Anybody can write those.`);
}

interface Matching {
  /** Memos with the log's root, oldest first. */
  readonly matching: readonly Memo[];
  readonly isSigned: (memo: Memo) => Promise<boolean>;
  readonly now: number;
}

function createAnchors({ matching, isSigned, now }: Matching, report: Report): Anchors {
  const late = new Set<number>();
  const signed: Memo[] = [];
  /** A memo proves the entry's age, whoever wrote it. */
  const loggedBy = (index: number) => matching.find(({ size }) => size > index)?.at ?? null;
  const isProven = async ({ index, time }: TimedEntry): Promise<boolean> => {
    const covers = ({ size, at }: Memo) => size > index && at <= time + LATE_MS;
    if (signed.some(covers)) return true;
    for (const memo of matching.filter(covers).reverse()) {
      if (!(await isSigned(memo))) continue;
      signed.push(memo);
      return true;
    }
    return false;
  };
  return {
    late,
    loggedBy,
    async check(entries) {
      for (const entry of entries.toSorted((one, other) => other.time - one.time)) {
        const at = loggedBy(entry.index);
        if (at !== null && at < entry.time - CLOCK_SKEW_MS) {
          const claims = `Entry ${entry.index} of the log claims to be from ${formatTime(entry.time)}`;
          report.fail('wrong_time', `${claims}, but was on Solana at ${formatTime(at)}.`);
        } else if (entry.time + LATE_MS < now && !(await isProven(entry))) late.add(entry.index);
      }
    },
  };
}
