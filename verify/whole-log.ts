import { base64, isSame, readJson, utf8, type Bytes } from './bytes.ts';
import { checkAnchor } from './anchor.ts';
import { readEntries, type LoggedEntry } from './bundles.ts';
import { addEntry, checkSealed, createChain, type CallerChain } from './chain.ts';
import type { CallerEntry, MapEntry } from './entries.ts';
import { checkAge, openLog, remember, type Log, type LogOptions } from './log.ts';
import { createWholeMap, mapLine } from './map.ts';
import { Report, type Verdict } from './report.ts';
import { isListOf, objectOf, read } from './shapes.ts';
import { checkDirectory } from './site.ts';
import { hashesIn, TILE_WIDTH, tilePath, tileWidth } from './tiles.ts';
import { treeHash } from './tree.ts';

/** Reads and checks the whole log. Problems are in the verdict; it throws only on errors of its own. */
export async function verifyWholeLog(options: LogOptions): Promise<Verdict> {
  const { source, now, onProgress } = options;
  const report = new Report(onProgress);
  const chains = new Map<string, CallerChain>();
  await report.attempt(async () => {
    const log = await openLog(options, await source.fetchText('/log/checkpoint'), report);
    let isRead = false;
    await report.check('Every tile, entry, chain and map of the log is right', async () => {
      const { hashes, newest } = await checkChains(log, chains);
      if (newest !== null) checkAge(log, newest);
      for (const chain of chains.values()) checkSealed(chain, now, report);
      if (!isSame(await checkTiles(log, hashes), log.checkpoint.root)) {
        report.fail('not_in_log', "The entries that the site serves don't give the root that was signed.");
      }
      isRead = true;
    });
    if (!isRead) return;
    await checkDirectory(log, chains);
    const response = readJson(await source.fetchText('/log/anchors'));
    const isList = objectOf({ anchors: isListOf(() => true) });
    const { anchors } = read<{ anchors: unknown[] }>(response, isList, 'The list of anchors');
    await checkAnchor(log, anchors[0] ?? null);
    remember(log);
  });
  const { checked, unchecked, failures, isPostponed } = report;
  return { checked, unchecked, failures, isPostponed };
}

/** Reads all entries into chains, and checks each map. Returns the hashes, and the last map's time. */
async function checkChains(log: Log, chains: Map<string, CallerChain>) {
  const { report } = log;
  const map = await createWholeMap();
  const hashes: Bytes[] = [];
  let waiting: LoggedEntry<CallerEntry>[] = [];
  let after: number | null = null;
  const addWaiting = async (before: number | null): Promise<Map<string, string>> => {
    const logged = { after, before };
    const lines = new Map<string, string>();
    const running = waiting.map(({ entry, hash }) => {
      const { caller } = entry;
      const chain = chains.get(caller) ?? createChain(`the caller ${caller}`);
      chains.set(caller, chain);
      const opening = addEntry(chain, { entry, hash: base64(hash), logged }, report);
      lines.set(caller, mapLine(caller, chain));
      return opening;
    });
    await Promise.all(running);
    waiting = [];
    return lines;
  };
  const addMap = async ({ content: { root, size, time } }: MapEntry, index: number) => {
    if (after !== null && time < after) {
      report.fail('wrong_time', `Map ${index} is older than the one before it.`);
    }
    const computed = await map.update(await addWaiting(time));
    if (computed !== root || size !== index) {
      report.fail('map_wrong', `The map in entry ${index} of the log isn't the one of its entries.`);
    }
    after = time;
  };
  for await (const { index, hash, entry } of readEntries(log)) {
    hashes.push(hash);
    if (entry.kind === 'map') await addMap(entry, index);
    else waiting.push({ index, hash, entry });
  }
  await addWaiting(null);
  return { hashes, newest: after };
}

/**
 * Computes all tiles from the hashes of the entries, and compares them with the site's tiles. Returns the
 * root.
 */
async function checkTiles(
  { source, checkpoint: { size }, report }: Log,
  leaves: readonly Bytes[],
): Promise<Bytes> {
  /** The hashes of each level's partial tile, by level. */
  const edges: Bytes[][] = [];
  let hashes = leaves;
  for (let level = 0; hashes.length > 0; level += 1) {
    const above: Bytes[] = [];
    for (let tile = 0; tile * TILE_WIDTH < hashes.length; tile += 1) {
      const own = hashes.slice(tile * TILE_WIDTH, (tile + 1) * TILE_WIDTH);
      const path = tilePath(level, tile, tileWidth(size, level, tile));
      const served = hashesIn(await source.fetchBytes(path));
      const wrong = own.findIndex((hash, place) => !isSame(hash, served[place] ?? utf8('')));
      if (wrong >= 0 && level === 0) {
        const index = tile * TILE_WIDTH + wrong;
        report.fail('not_in_log', `Entry ${index} of the log isn't the one in the tree.`);
      } else if (wrong >= 0 || served.length !== own.length) {
        report.fail('tile_differs', `${path} isn't computed from the entries.`);
      }
      if (own.length === TILE_WIDTH) above.push(await treeHash(own));
      else edges[level] = own;
    }
    hashes = above;
  }
  let right: Bytes[] = [];
  for (const edge of edges) {
    const all = [...(edge ?? []), ...right];
    if (all.length > 0) right = [await treeHash(all)];
  }
  return treeHash(right);
}
