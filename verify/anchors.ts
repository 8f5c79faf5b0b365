import type { Log } from './log.ts';
import type { VerifyOptions } from './options.ts';
import { count, formatTime, isAborted, type Report } from './report.ts';
import { isAny, isFlag, isText, isTime, listOf, nullable, objectOf } from './shapes.ts';
import { NewerVersionError, type CallRpc } from './store.ts';

// Anchors: memos on Solana with the log's size and root, signed by the log's wallet.

const MEMO_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';
const MINUTE_MS = 60_000;
const PAGE = 1_000;
const MAX_REQUESTS = 2_000;
const MAX_CONTRADICTIONS = 300;
const LATE_MS = 15 * MINUTE_MS;
/** Tolerance between an entry's time and a block's. */
const CLOCK_SKEW_MS = 2 * MINUTE_MS;
/** A published checkpoint may be older than an anchor by this much. */
const PUBLISHED_MS = 10 * MINUTE_MS;
/** The log is anchored every hour. After a longer silence, newer entries might be withheld. */
const SILENT_MS = 75 * MINUTE_MS;
/** Two anchors with more time between them may have others between them that the endpoint doesn’t list. */
const GAP_MS = 6 * 60 * MINUTE_MS;

/** A memo on the wallet's list. Anybody may have written it. */
interface Memo {
  readonly signature: string;
  readonly text: string;
  readonly size: number;
  readonly root: string;
  /** The block's time in Unix ms. */
  readonly at: number;
  readonly wallet: string;
}

/** The times of entries that Solana proves. */
export interface Anchors {
  /** False if the RPC endpoint doesn't respond. */
  isConfirmed: boolean;
  /** The delays in ms of late entries by index, as far as `check` was called for them. */
  readonly late: Map<number, number>;
  /** Entries that may be late: an anchor may be missing or can't be read. As far as `check` was called for them. */
  readonly unread: Set<number>;
  check(entries: readonly { readonly index: number; readonly time: number }[]): Promise<void>;
  loggedBy(index: number): number | null;
}

export const createUnconfirmed = (): Anchors => ({
  isConfirmed: false,
  late: new Map(),
  unread: new Set(),
  check: async () => undefined,
  loggedBy: () => null,
});

const UNREADABLE = 'the Solana endpoint’s response is unreadable';
const INCOMPLETE =
  'The times are unconfirmed, because the Solana endpoint doesn’t list all anchors since the log began.';
const DOUBT =
  'Solana has a memo of the log in a kind of transaction that this verifier can’t read yet. It might contradict the log.';

class Unconfirmed extends Error {}

/** Reads all anchors, and reports signed ones that contradict the log. */
export async function readAnchors(options: VerifyOptions, log: Log, report: Report): Promise<Anchors> {
  let anchors = createUnconfirmed();
  const attempt = async (run: () => Promise<void>) => {
    try {
      await run();
    } catch (error) {
      if (!(error instanceof Unconfirmed)) throw error;
      anchors.isConfirmed = false;
      report.unconfirmed.add(`The times are unconfirmed, because ${error.message}.`);
    }
  };
  await attempt(async () => {
    anchors = await readAll(options, log, report);
  });
  const { check } = anchors;
  anchors.check = async (entries) => attempt(async () => (anchors.isConfirmed ? check(entries) : undefined));
  return anchors;
}

interface Found {
  readonly log: Log;
  readonly report: Report;
  readonly now: number;
  /** Memos with the log's roots, sorted by time. */
  readonly right: readonly Memo[];
  readonly isSigned: SignedCheck;
}

async function readAll(options: VerifyOptions, log: Log, report: Report): Promise<Anchors> {
  const { now } = options;
  const callRpc = limitRequests(options, report);
  const isSigned = createSignedCheck(callRpc);
  const memos: Memo[] = [];
  for (const wallet of new Set(log.keys.map((keys) => keys.wallet))) {
    for (const memo of await listMemos(callRpc, wallet)) memos.push(memo);
  }
  memos.sort((one, other) => one.at - other.at);
  const isRight = ({ size, root }: Memo) => log.tree.rootAt(size) === root;
  const isNew = ({ size, at }: Memo) => size > log.size && now - at <= PUBLISHED_MS;
  const right = memos.filter(isRight);
  const wrong = memos.filter((memo) => !isRight(memo) && !isNew(memo));
  const found = { log, report, now, right, isSigned };
  await reportContradictions(found, wrong);
  await checkNewest(found);
  return createAnchors(found);
}

/** Says so unless a signed anchor of the last 75 minutes covers all entries that it can cover by now. */
async function checkNewest({ log, report, now, right, isSigned }: Found): Promise<void> {
  let isUnreadable = false;
  for (const memo of right.filter(({ at }) => now - at <= SILENT_MS).reverse()) {
    if (now - (log.timeFrom(memo.size) ?? now) > LATE_MS) continue;
    const signed = await isSigned(memo);
    if (signed === true) return;
    isUnreadable ||= signed === 'unreadable';
  }
  const newest = right.at(-1)?.at;
  const when =
    newest === undefined ? 'There is no anchor' : `The newest anchor is from ${formatTime(newest)}`;
  const why = isUnreadable
    ? 'The newest anchors are in a kind of transaction that this verifier can’t read yet'
    : `${when}, and none of the last hour covers the log`;
  report.unconfirmed.add(`${why}: newer entries might be withheld.`);
}

function limitRequests({ callRpc, onProgress }: VerifyOptions, report: Report): CallRpc {
  return async (method, params) => {
    if (callRpc === null) throw new Unconfirmed('no Solana endpoint was asked');
    if (report.requests === MAX_REQUESTS) throw new Unconfirmed(`they need over ${MAX_REQUESTS} requests`);
    report.requests += 1;
    onProgress({ step: 'Reading anchors on Solana', done: report.requests, total: report.requests });
    return callRpc(method, params).catch((error: unknown) => {
      const isNewer = error instanceof NewerVersionError;
      if ((isNewer && method === 'getTransaction') || isAborted(error)) throw error;
      throw new Unconfirmed(isNewer ? UNREADABLE : 'no Solana endpoint responded');
    });
  };
}

/** `blockTime` is in Unix seconds. */
const isList = listOf(objectOf({ signature: isText, memo: isAny, err: isAny, blockTime: isAny }));

/**
 * Lists the anchors among a wallet's memos, whatever the log's name. It reads the memos back to the first, because an
 * anchor that contradicts the log may be older than every entry of the log.
 */
async function listMemos(callRpc: CallRpc, wallet: string) {
  const memos: Memo[] = [];
  for (let before: string | undefined; ;) {
    const config = { limit: PAGE, commitment: 'confirmed', ...(before !== undefined && { before }) };
    const page = await callRpc('getSignaturesForAddress', [wallet, config]);
    if (!isList(page) || (page.length > 0 && page.at(-1)?.signature === before)) {
      throw new Unconfirmed(UNREADABLE);
    }
    for (const { signature, memo, err, blockTime } of page) {
      const at = Number(blockTime) * 1_000;
      if (err || !isText(memo) || !blockTime || !isTime(at)) continue;
      // A transaction's memos are listed as '[length] text; [length] text'.
      for (const text of memo.split('; ')) {
        const [, anchor, size, root] = /^\[\d+\] (\S+ (\d{1,9}) ([\w+/]{43}=))$/.exec(text) ?? [];
        if (anchor === undefined || root === undefined) continue;
        memos.push({ signature, text: anchor, size: Number(size), root, at, wallet });
      }
    }
    // Some endpoints return fewer than asked for, so only an empty page is the end.
    const last = page.at(-1);
    if (last === undefined) return memos;
    before = last.signature;
  }
}

const isTransaction = objectOf({
  meta: nullable(objectOf({ err: isAny })),
  transaction: objectOf({
    message: objectOf({
      accountKeys: listOf(objectOf({ pubkey: isText, signer: isFlag })),
      instructions: listOf(objectOf({ programId: isText, parsed: isAny })),
    }),
  }),
});

type SignedCheck = (memo: Memo) => Promise<boolean | 'unreadable'>;

function createSignedCheck(callRpc: CallRpc): SignedCheck {
  const config = { encoding: 'jsonParsed', commitment: 'confirmed', maxSupportedTransactionVersion: 1 };
  const transactions = new Map<string, unknown>();
  const read = (signature: string) =>
    callRpc('getTransaction', [signature, config]).catch((error: unknown) => {
      if (error instanceof NewerVersionError) return 'unreadable';
      throw error;
    });
  return async ({ signature, text, wallet }) => {
    const found = transactions.get(signature) ?? (await read(signature));
    transactions.set(signature, found);
    if (found === 'unreadable') return found;
    if (found === null) throw new Unconfirmed('the Solana endpoint lacks old transactions');
    if (!isTransaction(found)) throw new Unconfirmed(UNREADABLE);
    const { accountKeys, instructions } = found.transaction.message;
    return (
      found.meta?.err === null &&
      accountKeys.some(({ pubkey, signer }) => pubkey === wallet && signer) &&
      instructions.some(({ programId, parsed }) => programId === MEMO_PROGRAM && parsed === text)
    );
  };
}

/** The time at which an entry was in the log. A memo with the right root proves it, whoever wrote it. */
const provenAt = (right: readonly Memo[], index: number) =>
  right.find(({ size }) => size > index)?.at ?? null;

/**
 * The failure of a signed memo that contradicts the log. None if its wallet had been replaced before, because others may
 * have the key of a replaced wallet.
 */
function reasonOf({ log, right }: Found, { wallet, at, size }: Memo) {
  const next = log.keys[log.keys.findLastIndex((entry) => entry.wallet === wallet) + 1];
  if (next !== undefined && at > (provenAt(right, next.index) ?? Infinity)) return 'replaced';
  return size > log.size ? 'stale_checkpoint' : 'split_view';
}

/**
 * Reports signed anchors that contradict the log, also anchors of more entries than the log has. If there are very
 * many, chooses some at random.
 */
async function reportContradictions(found: Found, wrong: readonly Memo[]): Promise<void> {
  const { log, report, isSigned } = found;
  const reported = new Set<string>();
  const step = Math.max(1, wrong.length / MAX_CONTRADICTIONS);
  for (let at = wrong.length; at > 0; at -= step) {
    const memo = wrong[Math.max(0, Math.ceil(at - Math.random() * step) - 1)];
    if (memo === undefined) continue;
    const reason = reasonOf(found, memo);
    const signed = !reported.has(reason) && (await isSigned(memo));
    if (signed === 'unreadable') report.notes.add(DOUBT);
    if (signed !== true) continue;
    reported.add(reason);
    const anchored = `of ${memo.size} entries was anchored on ${formatTime(memo.at)} (${memo.signature})`;
    const message = `The log has ${log.size} entries, but another one ${anchored}`;
    if (reason === 'replaced') {
      report.warnings.add(
        `${message}, by a wallet that was replaced before: somebody may have stolen its key.`,
      );
    } else if (reason === 'split_view') report.fail(reason, `${message}.`);
    else report.fail(reason, `${message}. If this device’s clock is wrong, that may be the reason.`);
  }
  const left = wrong.length - MAX_CONTRADICTIONS;
  if (left <= 0) return;
  report.warnings.add(
    `${count(left, 'more memo')} on Solana contradict the log, and weren’t checked. Anybody can write some.`,
  );
}

function createAnchors({ log, report, now, right, isSigned }: Found): Anchors {
  const [late, unread, checked] = [new Map<number, number>(), new Set<number>(), new Set<number>()];
  const signed: Memo[] = [];
  const unsigned = new Set<Memo>();
  const loggedBy = (index: number) => provenAt(right, index);
  const isInGap = (since: number, until: number) => right.length === 0 || until - since > GAP_MS;
  const startedAt = log.timeFrom(0) ?? 0;
  const isWhole = !isInGap(startedAt, right[0]?.at ?? now);
  if (!isWhole) report.unconfirmed.add(INCOMPLETE);
  const isProven = async (index: number, time: number): Promise<boolean | 'unreadable'> => {
    const covers = (memo: Memo) => memo.size > index && memo.at <= time + LATE_MS && !unsigned.has(memo);
    if (signed.some(covers)) return true;
    let proven: false | 'unreadable' = false;
    // The newest memo comes first, because it covers the most entries.
    for (const memo of right.filter(covers).reverse()) {
      const found = await isSigned(memo);
      if (found === true) return signed.push(memo) > 0;
      if (found === 'unreadable') proven = found;
      else unsigned.add(memo);
    }
    return proven;
  };
  return {
    isConfirmed: true,
    late,
    unread,
    loggedBy,
    async check(entries) {
      for (const { index, time } of entries.filter(({ index }) => index >= 0 && !checked.has(index))) {
        checked.add(index);
        const at = loggedBy(index);
        if (at !== null && at < time - CLOCK_SKEW_MS) {
          const claims = `Entry ${index} of the log claims to be from ${formatTime(time)}`;
          report.fail('wrong_time', `${claims}, but was on Solana at ${formatTime(at)}.`);
        } else if (time + LATE_MS < now) {
          const proven = await isProven(index, time);
          const next = at ?? now;
          const before = right.findLast((memo) => memo.at < next);
          const mayBeMissing = next > time + LATE_MS && isInGap(before?.at ?? startedAt, next);
          if (proven === 'unreadable' || (!proven && mayBeMissing)) unread.add(index);
          if (!proven && (isWhole || before !== undefined)) late.set(index, next - time);
        }
      }
    },
  };
}
