import { base64, canonical, fromBase64, isSame, readJson, sha256, utf8 } from './bytes.ts';
import { checkAnchor } from './anchor.ts';
import { addEntry, checkSealed, createChain, type CallerChain } from './chain.ts';
import { isEntry, type CallerEntry, type Entry, type MapEntry } from './entries.ts';
import { checkAge, openLog, remember, type Log, type LogOptions } from './log.ts';
import { mapIndexOf, mapLine } from './map.ts';
import { openReceipt } from './notes.ts';
import { Problem, Report, type Verdict } from './report.ts';
import { isCount, isHash, isListOf, isObject, objectOf, isText, read } from './shapes.ts';
import { checkFigures, readProfile, type SiteCaller } from './site.ts';
import { figuresOf, type Figures } from './statistics.ts';
import { createTileReader } from './tiles.ts';
import { leafHash, rootOfLeaves, rootOfPath, type Leaf } from './tree.ts';

const RECEIPT_DUE_MS = 2 * 60_000;

interface Logged<Kind extends Entry = Entry> extends Leaf {
  readonly entry: Kind;
}

/** The response of `/log/callers/{id}` (docs/SEALED-CALLS.md), with the hashes of its entries. */
interface CallerRecord {
  readonly profile: SiteCaller;
  /** The state of the caller's entries checked so far. */
  readonly chain: CallerChain;
  readonly checkpoint: string;
  readonly entries: readonly Logged<CallerEntry>[];
  readonly map: Logged<MapEntry> & { readonly leaf: string; readonly path: readonly string[] };
  /** The map entries around the caller's entries, and the last map. */
  readonly maps: readonly Logged<MapEntry>[];
  readonly proof: readonly string[];
  readonly texts: readonly { readonly number: number; readonly salt: string; readonly text: string }[];
  readonly anchor: unknown;
}

const isRecord = objectOf({
  checkpoint: isText,
  map: objectOf({ leaf: isText, path: isListOf(isHash) }),
  entries: isListOf(isObject),
  minutes: isListOf(isObject),
  proof: isListOf(isHash),
  texts: isListOf(objectOf({ number: isCount, salt: isText, text: isText })),
});

export interface RecordOptions extends LogOptions {
  readonly handle: string;
  /** A receipt that the caller got for one of the entries. */
  readonly receipt?: string;
}

export interface RecordVerdict extends Verdict {
  /** The figures as the log gives them; null if the record couldn't be read. */
  readonly figures: Figures | null;
  readonly entries: number;
  /** Time of the first map after the first entry. */
  readonly since: number | null;
}

/** Checks the record of one caller. Problems are in the verdict; it throws only on errors of its own. */
export async function verifyRecord(options: RecordOptions): Promise<RecordVerdict> {
  const { source, handle, receipt, onProgress } = options;
  const report = new Report(onProgress);
  let found: Omit<RecordVerdict, keyof Verdict> = { figures: null, entries: 0, since: null };
  await report.attempt(async () => {
    const profile = readProfile(await source.fetchText(`/api/callers/${encodeURIComponent(handle)}`));
    const record = await readRecord(profile, await source.fetchText(`/log/callers/${profile.id}`));
    const { entries, maps, anchor, chain } = record;
    const log = await openLog(options, record.checkpoint, report);
    await checkInclusion(log, record);
    checkAge(log, record.map.entry.content.time);
    await checkEntries(log, record);
    const figures = figuresOf([...chain.ended.values()]);
    const first = maps.find(({ index }) => index > (entries[0]?.index ?? Infinity));
    found = { figures, entries: entries.length, since: first?.entry.content.time ?? null };
    await checkMap(log, record);
    await checkTexts(log, record);
    await checkFigures(log, profile, chain);
    await checkAnchor(log, anchor);
    if (receipt !== undefined) await checkReceipt(log, record, receipt);
    remember(log);
  });
  const { checked, unchecked, failures, isPostponed } = report;
  return { checked, unchecked, failures, isPostponed, ...found };
}

async function readRecord(profile: SiteCaller, text: string): Promise<CallerRecord> {
  const response = read<CallerRecord & { readonly minutes: unknown[] }>(
    readJson(text),
    isRecord,
    'The record',
  );
  const readLogged = async <Kind extends Entry>(value: unknown, isMap: boolean): Promise<Logged<Kind>> => {
    const { index } = read<Logged>(value, objectOf({ index: isCount }), 'A place in the log');
    const { entry } = read<Logged<Kind>>(value, objectOf({ entry: isEntry }), `Entry ${index} of the log`);
    if ((entry.kind === 'map') !== isMap) {
      throw new Problem('malformed', `Entry ${index} is of another kind.`);
    }
    return { index, entry, hash: await leafHash(utf8(canonical(entry))) };
  };
  const last = await readLogged<MapEntry>(response.map, true);
  const minutes = await Promise.all(response.minutes.map((value) => readLogged<MapEntry>(value, true)));
  return {
    ...response,
    profile,
    chain: createChain('this caller'),
    map: { ...response.map, ...last },
    maps: [...minutes, last].sort(byIndex),
    entries: await Promise.all(response.entries.map((value) => readLogged<CallerEntry>(value, false))),
    anchor: response.anchor ?? null,
  };
}

const byIndex = (one: Leaf, other: Leaf) => one.index - other.index;

async function checkInclusion({ source, checkpoint, report }: Log, { entries, maps, proof }: CallerRecord) {
  await report.check('Every entry of the record is in the signed log', async () => {
    const sorted = [...maps, ...entries].sort(byIndex);
    // The last map may also be in `minutes`, so remove duplicates.
    const leaves = sorted.filter(({ index, hash }, place) => {
      const before = sorted[place - 1];
      return before?.index !== index || !isSame(before.hash, hash);
    });
    const { size } = checkpoint;
    const root = await rootOfLeaves({ size, leaves, proof: proof.map(fromBase64) }).catch(() => null);
    if (root !== null && isSame(root, checkpoint.root)) return;
    // Compare each entry with the tiles to find the wrong one.
    const subtree = createTileReader(source, size);
    for (const { index, hash, entry } of entries) {
      if (index < size && isSame(await subtree(index, 1), hash)) continue;
      const message = `Entry ${entry.number} of this caller isn't in the log that was signed.`;
      throw new Problem('not_in_log', message);
    }
    throw new Problem('not_in_log', "The record's proof doesn't give the root that was signed.");
  });
}

async function checkEntries(log: Log, { profile, chain, entries, maps }: CallerRecord): Promise<void> {
  const { now, report } = log;
  await report.check('No entry is missing, changed or backdated, and each is what was sealed', async () => {
    let last = -1;
    let next = 0;
    const timeOf = (place: number) => maps[place]?.entry.content.time ?? null;
    const running: Promise<unknown>[] = [];
    for (const { index, entry, hash } of entries) {
      const name = `Entry ${entry.number} of this caller`;
      if (entry.caller !== profile.id) throw new Problem('chain_broken', `${name} is another caller's.`);
      if (index <= last) report.fail('out_of_order', `${name} isn't in the order of the log.`);
      last = index;
      while ((maps[next]?.index ?? Infinity) < index) next += 1;
      const logged = { after: timeOf(next - 1), before: timeOf(next) };
      running.push(addEntry(chain, { entry, hash: base64(hash), logged }, report));
    }
    await Promise.all(running);
    checkSealed(chain, now, report);
  });
  if (chain.late.length > 0) {
    const why = 'the record shows only that they were logged more than ten minutes later';
    report.skip(`The times of entries ${chain.late.slice(0, 20).join(', ')}`, why);
  }
}

async function checkMap({ checkpoint, report }: Log, { profile, chain, map }: CallerRecord): Promise<void> {
  await report.check("The map of all callers has this record's last entry", async () => {
    const { content } = map.entry;
    if (map.index !== checkpoint.size - 1 || content.size !== map.index) {
      throw new Problem('map_wrong', "The map isn't the last entry of the signed log.");
    }
    const leaf = { index: await mapIndexOf(profile.id), hash: await leafHash(utf8(map.leaf)) };
    const root = await rootOfPath(leaf, map.path.map(fromBase64));
    if (map.path.length !== 16 || base64(root) !== content.root) {
      throw new Problem('map_wrong', "The map's leaf isn't in the map that was signed.");
    }
    const lines = map.leaf.split('\n').filter((line) => line.startsWith(`${profile.id} `));
    const expected = chain.number === 0 ? '' : mapLine(profile.id, chain).trimEnd();
    if (lines.join('\n') === expected) return;
    const logged = Number(lines[0]?.split(' ')[1] ?? 0);
    const message = `This record ends with entry ${chain.number}, but the map has another last entry`;
    if (logged <= chain.number) throw new Problem('map_wrong', `${message}.`);
    const first = chain.number + 1;
    const missing =
      first === logged ? `entry ${first} is missing` : `entries ${first} to ${logged} are missing`;
    throw new Problem('entries_missing', `${message}: ${missing}.`);
  });
}

/** The name that the site shows for deleted accounts. */
const DELETED = 'Deleted caller';

async function checkTexts({ report }: Log, { profile, chain, texts }: CallerRecord): Promise<void> {
  const left = new Map(chain.texts);
  let name: string | null = null;
  const what = 'The public texts are those that were logged';
  await report.check(what, async () => {
    if (texts.length === 0) report.skip(what, 'the site serves none');
    for (const { number, salt, text } of texts) {
      const isLogged = base64(await sha256(fromBase64(salt), utf8(text))) === left.get(number);
      left.delete(number);
      if (!isLogged) {
        report.fail('text_differs', `The text of entry ${number} isn't the one that was logged.`);
      } else if (number === chain.named) name = text;
    }
    if (left.size > 0) report.skip(`The texts of entries ${[...left.keys()].join(', ')}`, 'text withdrawn');
  });
  if (name !== null) await checkName(report, name, profile);
  else if (chain.named === null) report.skip('Whose record it is', 'no name of this caller was logged');
  else if (left.has(chain.named)) {
    // Only a deleted account's name is withdrawn.
    const shown = `${profile.firstName} ${profile.lastName}`.trim();
    if (shown === DELETED) report.skip('Whose record it is', 'the account was deleted');
    else report.fail('name_differs', `The site shows ${shown}, but doesn't serve the name that was logged.`);
  }
}

async function checkName(report: Report, logged: string, profile: SiteCaller) {
  await report.check('The handle and the name are those that were logged', () => {
    const isName = objectOf({ handle: isText, name: isText });
    const { handle, name } = read<{ handle: string; name: string }>(readJson(logged), isName, 'A name');
    const shown = profile.twitterHandle;
    if (handle !== shown) report.fail('name_differs', `This record is of @${handle}, not of @${shown}.`);
    // A caller without a name on X is logged with the handle.
    const names = [`${profile.firstName} ${profile.lastName}`.trim() || `@${handle}`];
    if (names[0] === `@${handle}`) names.push('Unnamed');
    if (!names.includes(name)) {
      report.fail('name_differs', `This record is of ${name}, but the site shows ${names[0]}.`);
    }
  });
}

async function checkReceipt(
  { key, now, report }: Log,
  { profile, entries }: CallerRecord,
  note: string,
): Promise<void> {
  const what = 'The receipt was kept';
  await report.check(what, async () => {
    const receipt = await openReceipt(note, key);
    if (receipt.caller !== profile.id) {
      throw new Problem('receipt_broken', "The receipt is another caller's.");
    }
    const entry = entries.find(({ index }) => index === receipt.index)?.entry;
    const isDue = now > receipt.time + RECEIPT_DUE_MS;
    if (entry === undefined && !isDue) return report.skip(what, 'its entry is due later');
    const promised =
      entry?.kind === 'sealed'
        ? entry.commitment
        : base64(await sha256(utf8(canonical(entry?.content ?? null))));
    if (entry !== undefined && promised === receipt.content) return;
    const message = `The receipt promises entry ${receipt.index} of the log, which isn't in this record.`;
    throw new Problem('receipt_broken', message);
  });
}
