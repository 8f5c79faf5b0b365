import { fromBase64, readJson } from './bytes.ts';
import { isPrefixOfEitherTree, CACHE_TOLERANCE_MS, checkGrowth, formatTime, type Log } from './log.ts';
import { isCount, isHash, objectOf, isText, read } from './shapes.ts';
import type { CallRpc } from './source.ts';

// Anchors: memos on Solana with the log's size and root.

const MEMO_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';
const NEWEST_MEMOS = 20;

const isAnchor = objectOf({ size: isCount, root: isHash, signature: isText, at: isCount });
interface Anchor {
  readonly size: number;
  readonly root: string;
  readonly signature: string;
  readonly at: number;
}

interface ParsedTransaction {
  readonly meta: { readonly err: unknown };
  readonly transaction: {
    readonly message: {
      readonly accountKeys: readonly { readonly pubkey: string; readonly signer: boolean }[];
      readonly instructions: readonly { readonly programId: string; readonly parsed?: unknown }[];
    };
  };
}

/** Returns the signers of a transaction with this memo. Empty if it failed or has another memo. */
async function signersOf(callRpc: CallRpc, signature: string, memo: string): Promise<string[]> {
  const config = { encoding: 'jsonParsed', commitment: 'confirmed', maxSupportedTransactionVersion: 0 };
  const found = (await callRpc('getTransaction', [signature, config])) as ParsedTransaction | null;
  if (found === null || found.meta.err !== null) return [];
  const { accountKeys, instructions } = found.transaction.message;
  const hasMemo = instructions.some(({ programId, parsed }) => programId === MEMO_PROGRAM && parsed === memo);
  return hasMemo ? accountKeys.filter(({ signer }) => signer).map(({ pubkey }) => pubkey) : [];
}

/** Compares the log with the newest anchor that the site serves, and with the anchors on the chain. */
export async function checkAnchor(log: Log, served: unknown): Promise<void> {
  const { source, callRpc, key, report } = log;
  const check = callRpc
    ? 'The log is the one that was anchored on Solana'
    : 'The log contains the anchor that the site names';
  await report.check(check, async () => {
    const anchor = served === null ? null : read<Anchor>(served, isAnchor, 'The anchor');
    if (anchor === null) report.skip(check, 'the site names no anchor');
    else {
      const { size, root, at } = anchor;
      const described = `that were anchored on ${formatTime(at)}`;
      const other = { size, root: fromBase64(root) };
      await checkGrowth(log, { other, at, reason: 'anchor_differs', described });
    }
    if (!callRpc) {
      return report.skip('What the chain says', 'no Solana RPC was given, so nobody asked the chain');
    }
    const response = readJson(await source.fetchText('/log/anchors'));
    const { address } = read<{ address: string }>(
      response,
      objectOf({ address: isText }),
      'The list of anchors',
    );
    // The anchor wallet may have been replaced since this anchor.
    const signers =
      anchor === null ? [] : await signersOf(callRpc, anchor.signature, memoOf(key.name, anchor));
    if (anchor !== null && signers.length === 0) {
      report.fail(
        'anchor_differs',
        `The transaction of the anchor of ${anchor.size} entries has another text.`,
      );
    }
    for (const wallet of new Set([...signers, address])) await checkMemos(log, callRpc, wallet);
  });
}

const memoOf = (origin: string, { size, root }: Anchor) => `${origin} ${size} ${root}`;

/**
 * Finds anchors of other or newer versions of this log. Anybody may mention the address, so only signed memos
 * count.
 */
async function checkMemos(log: Log, callRpc: CallRpc, address: string): Promise<void> {
  const { key, checkpoint, now, report } = log;
  const config = { limit: NEWEST_MEMOS, commitment: 'confirmed' };
  const found = (await callRpc('getSignaturesForAddress', [address, config])) as {
    readonly signature: string;
    readonly memo: string | null;
    /** Unix seconds. */
    readonly blockTime?: number | null;
  }[];
  for (const { signature, memo, blockTime } of found) {
    const [, text = '', origin, size, root] = /^\[\d+\] ((\S+) (\d+) (\S+))$/.exec(memo ?? '') ?? [];
    if (origin !== key.name) continue;
    const isNewer = Number(size) > checkpoint.size;
    // A cached record may be older than an anchor of the last minutes.
    if (isNewer && now - Number(blockTime ?? 0) * 1_000 <= CACHE_TOLERANCE_MS) continue;
    if (!isNewer && (await isPrefixOfEitherTree(log, { size: Number(size), root: fromBase64(root) }))) {
      continue;
    }
    if (!(await signersOf(callRpc, signature, text)).includes(address)) continue;
    if (isNewer) {
      const anchored = `${size} entries were anchored on Solana (${signature})`;
      report.fail('stale_checkpoint', `The log has ${checkpoint.size} entries, but ${anchored}.`);
    } else {
      report.fail('split_view', `Another log of ${size} entries was anchored on Solana (${signature}).`);
    }
  }
}
