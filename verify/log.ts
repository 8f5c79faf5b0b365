import { base64, canonical, decode, fromBase64, readJson, utf8, type Bytes } from './bytes.ts';
import { fetchEntries } from './bundles.ts';
import { addEntry, type CallerChain } from './chain.ts';
import { isEntry, isUnknown, NEWEST_VERSION, type Keys } from './entries.ts';
import { COSIGNS, isCosigned, isSignedBy, openCheckpoint, readVerifierKey } from './notes.ts';
import type { Checkpoint, VerifierKey } from './notes.ts';
import type { VerifyOptions } from './options.ts';
import { formatTime, Later, Problem, Untrusted, type Report } from './report.ts';
import { anyOf, exactly, isCount, isHash, isText, isTime, listOf, read, type Of } from './shapes.ts';
import { fetchText } from './site.ts';
import { leafHash, Tree } from './tree.ts';

/** Tolerance between the clocks of this device and of the site. */
const CLOCK_SKEW_MS = 5 * 60_000;
/** Caches and replicas may serve an older checkpoint for this long. */
const CACHE_MS = 60_000;
/** Entries are published within minutes, so a check can't have to be repeated for longer. */
const LATER_MS = 10 * 60_000;
const SAVED = 'position';

const MAX_LATER = 50;

/** A check that has to be repeated, and the time of its first try. */
const isLaterCheck = exactly({ target: isText, since: isTime });
/** The log's position that this device has seen. */
const isSaved = exactly({ size: isCount, root: isHash, at: isTime, later: listOf(isLaterCheck) });

/** A log whose entries are the signed ones. */
export interface Log extends Checkpoint {
  readonly key: VerifierKey;
  /** All keys and wallets of the log, the newest last. */
  readonly keys: readonly (Keys & { readonly index: number })[];
  readonly wallet: string;
  readonly tree: Tree;
  readonly chains: ReadonlyMap<string, CallerChain>;
  readonly saved: Of<typeof isSaved> | null;
  /** The times at which marks of any caller have a price of SOL. */
  readonly solSeen: readonly number[];
  /** The first public time of the entries from this index on. Null if there is none. */
  timeFrom(index: number): number | null;
}

/** Reads the newest checkpoint and all entries. @throws Problem if they aren't the signed ones */
export async function openLog(options: VerifyOptions, report: Report): Promise<Log> {
  const { get, known, now, store } = options;
  const bytes = await store.read(SAVED);
  const saved = bytes && read(readJson(decode(bytes)), isSaved, 'The saved position');
  const note = await fetchText(get, '/log/checkpoint');
  // Shortly after a change, the newest checkpoint is still signed by the old key.
  const { key, ...checkpoint } = await findSigner(note, await fetchText(get, '/log/key'), known.key);
  const { size, root } = checkpoint;
  if (saved && size < saved.size) {
    if (now - saved.at < CACHE_MS) throw new Later();
    const before = `it had ${saved.size} on ${formatTime(saved.at)}`;
    throw new Problem('stale_checkpoint', `The log has ${size} entries, but ${before}.`);
  }
  const { tree, entries } = await readTree(options, checkpoint, saved);
  if (tree.size !== size || tree.rootAt(size) !== root) {
    throw new Problem('entries_changed', 'The entries that the site serves are not the ones that it signed.');
  }
  if (saved && tree.rootAt(saved.size) !== saved.root) {
    const seen = `the one that this device saw on ${formatTime(saved.at)}`;
    throw new Problem('split_view', `The log isn’t ${seen}: its first ${saved.size} entries were changed.`);
  }
  const content = readEntries(entries, tree, { now, report });
  const newest = content.keys.at(-1);
  if (newest?.key !== key.text) {
    throw new Problem('signature_wrong', 'The checkpoint is signed by another key than the log names.');
  }
  const log = { ...checkpoint, ...content, key, tree, saved, wallet: newest.wallet };
  await checkKeys(options, log, report);
  for (const line of options.witnesses) {
    const witness = await readVerifierKey(line, COSIGNS);
    if (await isCosigned(note, witness)) report.checked.push(`${witness.name} has cosigned the log`);
    else report.notes.add(`The witness ${witness.name} hasn’t cosigned the newest checkpoint.`);
  }
  return log;
}

/** Opens a checkpoint with the first of these keys that has signed it. @throws Problem if none has */
async function findSigner(note: string, line: string, other?: string) {
  const key = await readVerifierKey(line);
  try {
    return { key, ...(await openCheckpoint(note, key)) };
  } catch (error) {
    if (other === undefined || !(error instanceof Problem)) throw error;
    return findSigner(note, other);
  }
}

/** Reads all entries. Reads them from the site alone if the stored ones don't give the expected roots. */
async function readTree(
  options: VerifyOptions,
  { size, root }: Checkpoint,
  saved: Log['saved'],
  isRetry = false,
) {
  const { entries, store } = await fetchEntries(options, { size, isStoreUsed: !isRetry });
  const tree = new Tree();
  for (const entry of entries) tree.append(leafHash(entry));
  const isRight = tree.rootAt(size) === root && (!saved || tree.rootAt(saved.size) === saved.root);
  if (isRight) await store();
  if (isRight || isRetry) return { tree, entries };
  return readTree(options, { size, root }, saved, true);
}

type LogEntry = ReturnType<typeof readEntry>;

function readEntries(
  entries: readonly Bytes[],
  tree: Tree,
  { now, report }: { now: number; report: Report },
) {
  const chains = new Map<string, CallerChain>();
  const keys: (Keys & { index: number })[] = [];
  /** The public times; undefined for sealed entries. */
  const times: (number | undefined)[] = [];
  const solSeen: number[] = [];
  const checkVersion = createVersionCheck(report);
  for (const [index, bytes] of entries.entries()) {
    const name = `Entry ${index} of the log`;
    const entry = readEntry(bytes, name);
    const time = 'time' in entry ? entry.time : undefined;
    times.push(time);
    checkVersion(entry, name);
    if (time !== undefined && time > now + CLOCK_SKEW_MS) {
      const device = `this device’s clock says ${formatTime(now)}`;
      report.fail('wrong_time', `${name} is from ${formatTime(time)}, but ${device}.`);
    }
    if (entry.kind === 'marked') {
      solSeen.push(...[entry.open, entry.end].flatMap((mark) => (mark?.solPriceUsd ? mark.seenAt : [])));
    }
    if (entry.kind === 'keys') keys.push({ ...entry, index });
    else if ('caller' in entry && entry.caller !== undefined) {
      addEntry(chains, { entry, index, hash: base64(tree.leaf(index)) }, report);
    }
  }
  for (let index = times.length - 2; index >= 0; index -= 1) times[index] ??= times[index + 1];
  if (keys[0]?.index === 0) {
    return { chains, keys, solSeen, timeFrom: (index: number) => times[index] ?? null };
  }
  throw new Problem('malformed', 'The log’s first entry doesn’t name its key and wallet.');
}

function readEntry(bytes: Uint8Array, name: string) {
  const text = decode(bytes);
  const entry = read(readJson(text), anyOf(isEntry, isUnknown), name);
  if (canonical(entry) !== text) throw new Problem('malformed', `${name} isn’t canonical.`);
  return isEntry(entry) ? entry : { ...entry, kind: 'unknown' as const };
}

/** Versions never fall, and rise only to one that a `format` entry has announced. */
function createVersionCheck(report: Report) {
  const announced = new Set([1]);
  let [last, newest] = [1, 1];
  return (entry: LogEntry, name: string): void => {
    const { v } = entry;
    if (v < last) report.fail('rule_broken', `${name} has an older version than the entry before it.`);
    if (!announced.has(v)) report.fail('rule_broken', `${name} has version ${v}, which wasn’t announced.`);
    last = v;
    if (v > NEWEST_VERSION) report.newer += 1;
    if (entry.kind !== 'format') return;
    const { version } = entry;
    if (version <= newest) report.fail('rule_broken', `${name} announces version ${version} again.`);
    newest = version;
    announced.add(version);
  };
}

/** Checks that the old key signed each change of key or wallet. @throws Untrusted after a change without a signature */
async function checkKeys({ known, isNewKeyTrusted }: VerifyOptions, log: Log, report: Report): Promise<void> {
  const { keys, saved } = log;
  for (const [place, { signature, index, ...signed }] of keys.entries()) {
    const before = keys[place - 1];
    if (before === undefined) continue;
    const what = `By its own date, the log’s key or wallet was changed on ${formatTime(signed.time)}`;
    if (signature !== null) {
      const signer = await readVerifierKey(before.key);
      const isSigned = await isSignedBy(signer, fromBase64(signature), canonical(signed));
      if (!isSigned) throw new Problem('signature_wrong', `${what}, but not by the old key.`);
    } else if (index >= (saved?.size ?? 0) && !isNewKeyTrusted) {
      const why = 'It may be lost, or somebody else may have taken over.';
      throw new Untrusted(`${what} without the old key’s signature. ${why} Do you trust the new one?`);
    }
    report.notes.add(
      `${what}, ${signature === null ? 'without the old key’s signature' : 'signed by the old key'}.`,
    );
  }
  for (const name of ['key', 'wallet'] as const) {
    if (known[name] === undefined || keys.some((entry) => entry[name] === known[name]?.trim())) continue;
    throw new Problem('key_changed', `The log has another ${name} than the one that you know.`);
  }
  if (saved === null && (known.key === undefined || known.wallet === undefined)) {
    report.notes.add(
      'This device sees the log for the first time: compare its key and wallet with the README.',
    );
  }
}

/**
 * Saves the log's position for the next visit, and the time since when the site has shown data that the log doesn't
 * have yet.
 * @throws Problem if that time is too long ago
 */
export async function remember(
  { store, now, target }: VerifyOptions,
  { size, root, saved }: Log,
  isLater: boolean,
): Promise<void> {
  const name = target.kind === 'caller' ? target.handle : target.kind;
  const earlier = saved?.later ?? [];
  const later = earlier.filter((check) => check.target !== name);
  if (isLater) {
    const since = earlier.find((check) => check.target === name)?.since ?? now;
    if (now - since > LATER_MS) {
      const found = `Since ${formatTime(since)}, each check has found data that the log doesn’t have`;
      throw new Problem('stale_checkpoint', `${found}. Entries are published within two minutes.`);
    }
    later.push({ target: name, since });
  }
  const position = { size, root, at: now, later: later.slice(-MAX_LATER) };
  await store.write(SAVED, utf8(JSON.stringify(position)));
}
