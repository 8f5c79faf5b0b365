import { base64, fromBase64, isSame, readJson } from './bytes.ts';
import {
  COSIGNS,
  isCosigned,
  openCheckpoint,
  readVerifierKey,
  type Checkpoint,
  type VerifierKey,
} from './notes.ts';
import type { OnProgress, Reason, Report } from './report.ts';
import type { CallRpc, Source, Store } from './source.ts';
import { createTileReader } from './tiles.ts';
import { rootsOf } from './tree.ts';

export interface LogOptions {
  readonly source: Source;
  /** Stores the key and the newest checkpoint between runs. */
  readonly store: Store;
  /** The log's verifier key from a source other than the site. */
  readonly pinnedKey?: string;
  /** The verifier keys of witnesses whose cosignatures are checked. */
  readonly witnesses?: readonly string[];
  /** Calls a Solana RPC endpoint to read the anchors. */
  readonly callRpc?: CallRpc;
  /** Unix ms. */
  readonly now: number;
  readonly onProgress?: OnProgress;
}

/** A log whose newest checkpoint is being checked. */
export interface Log extends LogOptions {
  readonly report: Report;
  readonly key: VerifierKey;
  readonly checkpoint: Checkpoint;
}

/** The key and the newest checkpoint that this device has seen. */
interface Seen {
  readonly key: string;
  readonly size: number;
  readonly root: string;
  readonly at: number;
}

/** Caches may serve an outdated response for this long. */
export const CACHE_TOLERANCE_MS = 5 * 60_000;

/** Maximum age of the newest map. With an older map, the site may be withholding newer entries. */
const MAX_MAP_AGE_MS = 60 * 60_000;

export const formatTime = (time: number): string =>
  `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

function readSeen(store: Store): Seen | null {
  const text = store.read();
  return text === null ? null : (readJson(text) as Seen);
}

/** Reads a signed checkpoint, and compares it with the newest one that this device has seen. */
export async function openLog(options: LogOptions, note: string, report: Report): Promise<Log> {
  const { source, store, pinnedKey } = options;
  const seen = readSeen(store);
  const known = pinnedKey ?? seen?.key;
  if (known === undefined) {
    report.skip('Whose key it is', 'first use: it came from the site itself, and is remembered from now on');
  }
  const key = await readVerifierKey(known ?? (await source.fetchText('/log/key')));
  const checkpoint = await openCheckpoint(note, key);
  report.checked.push(`The signature of ${key.name} on a log of ${checkpoint.size} entries is right`);
  const log = { ...options, report, key, checkpoint };
  const what = 'The log has only grown since it was last seen here';
  await report.check(what, async () => {
    if (seen?.key !== key.text) return report.skip(what, 'this device sees it for the first time');
    const other = { size: seen.size, root: fromBase64(seen.root) };
    const described = `that this device saw on ${formatTime(seen.at)}`;
    await checkGrowth(log, { other, at: seen.at, reason: 'split_view', described });
  });
  for (const witness of options.witnesses ?? []) await checkWitness(log, witness);
  return log;
}

/**
 * Checks that a witness has cosigned the site's newest checkpoint, and that this checkpoint belongs to this
 * log.
 */
async function checkWitness(log: Log, verifierKey: string): Promise<void> {
  const { source, key, report } = log;
  const witness = await readVerifierKey(verifierKey, COSIGNS);
  const what = `The log is the one that ${witness.name} has cosigned`;
  await report.check(what, async () => {
    const note = await source.fetchText('/log/checkpoint');
    const newest = await openCheckpoint(note, key);
    if (!(await isCosigned(note, witness))) {
      return report.skip(what, `it hasn't signed the newest checkpoint, of ${newest.size} entries`);
    }
    if (await isPrefixOfEitherTree(log, newest)) return;
    report.fail('split_view', `${witness.name} has cosigned another log, of ${newest.size} entries.`);
  });
}

/**
 * True if one of two trees is the beginning of the other, by a consistency proof that is computed from tiles.
 */
export async function isPrefixOfEitherTree({ source, checkpoint }: Log, other: Checkpoint): Promise<boolean> {
  const [small, large] = other.size < checkpoint.size ? [other, checkpoint] : [checkpoint, other];
  if (small.size === large.size) return isSame(small.root, large.root);
  const sizes = { oldSize: small.size, size: large.size };
  const { oldRoot, root } = await rootsOf(sizes, createTileReader(source, large.size));
  return isSame(oldRoot, small.root) && isSame(root, large.root);
}

interface KnownTree {
  readonly other: Checkpoint;
  /** Time at which the other tree was seen. */
  readonly at: number;
  /** Reason for the failure if the trees contradict each other. */
  readonly reason: Reason;
  /** Describes the other tree in messages: 'that this device saw on …'. */
  readonly described: string;
}

/** Reports a log that contradicts a known tree, or is older than it. */
export async function checkGrowth(log: Log, { other, at, reason, described }: KnownTree): Promise<void> {
  const { checkpoint, now, report } = log;
  if (!(await isPrefixOfEitherTree(log, other))) {
    report.fail(reason, `The log isn't the one of ${other.size} entries ${described}: entries were changed.`);
  } else if (checkpoint.size < other.size && now - at > CACHE_TOLERANCE_MS) {
    const message = `The log has ${checkpoint.size} entries, but had ${other.size} ${described}.`;
    report.fail('stale_checkpoint', message);
  }
}

/**
 * Reports a newest map from the future, or an old one. An old one may be right, because maps are written only
 * with new entries.
 */
export function checkAge({ now, report }: Log, time: number): void {
  if (time > now + CACHE_TOLERANCE_MS) {
    const message = `The log's newest map is from ${formatTime(time)}, but this device's clock says ${formatTime(now)}.`;
    report.fail('wrong_time', message);
  } else if (now - time > MAX_MAP_AGE_MS) {
    report.skip('Whether there are newer entries', `the log's newest map is from ${formatTime(time)}`);
  }
}

/** Stores the checkpoint if all checks have passed and no newer checkpoint is stored. */
export function remember({ store, now, report, key, checkpoint: { size, root } }: Log): void {
  const seen = readSeen(store);
  if (report.failures.length > 0 || (seen?.key === key.text && seen.size > size)) return;
  store.write(JSON.stringify({ key: key.text, size, root: base64(root), at: now }));
}
