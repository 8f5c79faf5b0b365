import { base64, canonical, fromBase64, readJson, utf8, type Bytes } from './bytes.ts';
import { readBundles, entriesOf } from './bundles.ts';
import { addEntry, type CallerChain } from './chain.ts';
import { isEntry, type Entry, type KeysEntry } from './entries.ts';
import { COSIGNS, isCosigned, isSignedBy, openCheckpoint, readVerifierKey } from './notes.ts';
import type { Checkpoint, VerifierKey } from './notes.ts';
import type { VerifyOptions } from './options.ts';
import { Declined, formatTime, Later, Problem, type Report } from './report.ts';
import { exactly, isCount, isHash, isText, nullable, read } from './shapes.ts';
import { fetchText } from './site.ts';
import { leafHash, Tree } from './tree.ts';

/** Tolerance between the clocks of this device and of the site. */
const CLOCK_SKEW_MS = 5 * 60_000;
/** Caches and replicas may serve an older checkpoint for this long. */
const CACHE_MS = 5 * 60_000;
const SAVED = 'position';

/** What this device has seen of the log. */
interface Saved extends Checkpoint {
  readonly key: string;
  readonly wallet: string;
  readonly at: number;
  /** A size that the site's responses named, but that wasn't published. */
  readonly promised: { readonly size: number; readonly at: number } | null;
}

export type Keys = KeysEntry & { readonly index: number };

/** A log whose entries are the signed ones. */
export interface Log extends Checkpoint {
  readonly key: VerifierKey;
  /** All keys and wallets of the log, the newest last. */
  readonly keys: readonly Keys[];
  readonly wallet: string;
  readonly tree: Tree;
  readonly chains: ReadonlyMap<string, CallerChain>;
  readonly saved: Saved | null;
  /** The first public time of the entries from this index on. Null if there is none. */
  timeFrom(index: number): number | null;
}

async function readSaved({ store }: VerifyOptions): Promise<Saved | null> {
  const bytes = await store.read(SAVED);
  const isSaved = exactly({
    ...{ size: isCount, root: isHash, key: isText, wallet: isText, at: isCount },
    promised: nullable(exactly({ size: isCount, at: isCount })),
  });
  if (bytes === null) return null;
  return read<Saved>(readJson(new TextDecoder().decode(bytes)), isSaved, 'The saved position');
}

/** Reads the newest checkpoint and all entries. @throws Problem if they aren't the signed ones */
export async function openLog(options: VerifyOptions, report: Report): Promise<Log> {
  const { get, known, now } = options;
  const saved = await readSaved(options);
  const served = await fetchText(get, '/log/key');
  const note = await fetchText(get, '/log/checkpoint');
  // Shortly after a change, the newest checkpoint is still signed by the old key.
  const key = await findSigner(note, [known.key, served, saved?.key]);
  const checkpoint = await openCheckpoint(note, key);
  const { size, root } = checkpoint;
  if (saved !== null && size < saved.size) {
    if (now - saved.at < CACHE_MS) throw new Later();
    const message = `The log has ${size} entries, but had ${saved.size} on ${formatTime(saved.at)}.`;
    throw new Problem('stale_checkpoint', message);
  }
  const { tree, bundles } = await readTree(options, { checkpoint, saved });
  if (tree.size !== size || tree.rootAt(size) !== root) {
    throw new Problem('entries_changed', 'The entries that the site serves are not the ones that it signed.');
  }
  if (saved !== null && tree.rootAt(saved.size) !== saved.root) {
    const seen = `the one that this device saw on ${formatTime(saved.at)}`;
    throw new Problem('split_view', `The log isn't ${seen}: its first ${saved.size} entries were changed.`);
  }
  const content = readEntries(bundles, { tree, now, report });
  const { keys } = content;
  const newest = keys.at(-1);
  if (newest?.key !== key.text) {
    throw new Problem(
      'signature_wrong',
      "The checkpoint is signed by another key than the log's newest one.",
    );
  }
  const log = { ...checkpoint, ...content, key, tree, saved, wallet: newest.wallet };
  await checkKeys(options, log, report);
  for (const witness of options.witnesses) await checkWitness(note, witness, report);
  return log;
}

/** Returns the first of these keys that has signed the note. @throws Problem if none has */
async function findSigner(note: string, lines: readonly (string | undefined)[]): Promise<VerifierKey> {
  let failure: unknown = null;
  for (const line of lines) {
    if (line === undefined) continue;
    const key = await readVerifierKey(line);
    try {
      await openCheckpoint(note, key);
      return key;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      failure ??= error;
    }
  }
  throw failure;
}

interface Wanted {
  readonly checkpoint: Checkpoint;
  readonly saved: Saved | null;
}

/** Reads all bundles. Reads them from the site alone if the stored ones don't give the expected roots. */
async function readTree(options: VerifyOptions, { checkpoint, saved }: Wanted) {
  const hashed = async (isStoreUsed: boolean) => {
    const { bundles, store } = await readBundles(options, { size: checkpoint.size, isStoreUsed });
    const tree = new Tree();
    for (const bundle of bundles) for (const entry of entriesOf(bundle)) tree.append(leafHash(entry));
    const isRight =
      tree.rootAt(checkpoint.size) === checkpoint.root &&
      (saved === null || tree.rootAt(saved.size) === saved.root);
    if (isRight) await store();
    return { tree, bundles, isRight };
  };
  const first = await hashed(true);
  return first.isRight || saved === null ? first : hashed(false);
}

interface Reading {
  readonly tree: Tree;
  readonly now: number;
  readonly report: Report;
}

function readEntries(bundles: readonly Bytes[], { tree, now, report }: Reading) {
  const chains = new Map<string, CallerChain>();
  const keys: Keys[] = [];
  const times: [index: number, time: number][] = [];
  let index = 0;
  for (const bundle of bundles) {
    for (const bytes of entriesOf(bundle)) {
      const entry = readEntry(bytes, index);
      if ('time' in entry) {
        times.push([index, entry.time]);
        if (entry.time > now + CLOCK_SKEW_MS) {
          const device = `this device's clock says ${formatTime(now)}`;
          report.fail(
            'wrong_time',
            `Entry ${index} of the log is from ${formatTime(entry.time)}, but ${device}.`,
          );
        }
      }
      if (entry.kind === 'keys') keys.push({ ...entry, index });
      else {
        const hash = base64(tree.leaf(index));
        addEntry(chains, { entry, index, hash }, { report, now: times.at(-1)?.[1] ?? 0 });
      }
      index += 1;
    }
  }
  const timeFrom = (from: number) => times[firstAtLeast(times, from)]?.[1] ?? null;
  if (keys[0]?.index === 0) return { chains, keys, timeFrom };
  throw new Problem('malformed', "The log's first entry doesn't name its key and wallet.");
}

/** Binary search: the place of the first pair whose index is at least this one. */
function firstAtLeast(pairs: readonly (readonly [number, number])[], index: number): number {
  let [low, high] = [0, pairs.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((pairs[middle]?.[0] ?? index) < index) low = middle + 1;
    else high = middle;
  }
  return low;
}

function readEntry(bytes: Uint8Array, index: number): Entry {
  const text = new TextDecoder().decode(bytes);
  const value = readJson(text);
  if (canonical(value) !== text) throw new Problem('malformed', `Entry ${index} of the log isn't canonical.`);
  return read<Entry>(value, isEntry, `Entry ${index} of the log`);
}

/** Checks that each key was changed by the key before it, and asks if it wasn't. */
async function checkKeys({ known, confirm }: VerifyOptions, log: Log, report: Report): Promise<void> {
  const { keys, saved } = log;
  for (const [place, entry] of keys.entries()) {
    const before = keys[place - 1];
    if (before === undefined) continue;
    const what = `The log's key or wallet was changed on ${formatTime(entry.time)}`;
    const { signature, index, ...signed } = entry;
    if (signature !== null) {
      const signer = await readVerifierKey(before.key);
      if (!(await isSignedBy(signer, fromBase64(signature), canonical(signed)))) {
        throw new Problem('signature_wrong', `${what}, but not by the old key.`);
      }
    } else if (index >= (saved?.size ?? 0)) {
      const text = `${what} without the old key's signature. The site may have lost it, or somebody else may have taken over. Do you trust the new key?`;
      if (!(await confirm({ kind: 'key', text }))) throw new Declined();
    }
    report.note(
      `${what}, ${signature === null ? 'without the old key’s signature' : 'signed by the old key'}.`,
    );
  }
  const isKnown = (name: 'key' | 'wallet') =>
    known[name] === undefined || keys.some((entry) => entry[name] === known[name]?.trim());
  if (!isKnown('key'))
    throw new Problem('key_changed', 'The log has another key than the one that you know.');
  if (!isKnown('wallet')) {
    throw new Problem('key_changed', 'The log names another wallet than the one that you know.');
  }
  if (saved === null && (known.key === undefined || known.wallet === undefined)) {
    report.note(
      'This device sees the log for the first time, so compare its key and wallet with the README.',
    );
  }
}

async function checkWitness(note: string, line: string, report: Report): Promise<void> {
  const witness = await readVerifierKey(line, COSIGNS);
  if (await isCosigned(note, witness)) report.checked.push(`${witness.name} has cosigned the log`);
  else report.note(`The witness ${witness.name} hasn't cosigned the newest checkpoint.`);
}

/** Saves the log's position for the next visit. */
export async function remember(
  { store, now }: VerifyOptions,
  { size, root, key, wallet }: Log,
  promised: Saved['promised'],
): Promise<void> {
  const saved: Saved = { size, root, key: key.text, wallet, at: now, promised };
  await store.write(SAVED, utf8(JSON.stringify(saved)));
}
