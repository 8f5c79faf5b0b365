import { LOG_RECORD_MAX_ENTRIES } from '#schema/constants.ts';
import type { LogAnchor, LogRecord } from '#schema/contracts/log.ts';
import { AppError } from '../../app/errors.ts';
import { mapIndex, mapPath, readLeaf } from './caller-map.ts';
import { createLogBehindError } from './log.errors.ts';
import type { LogRepository } from './log.repository.ts';
import { proofRanges, rangeHash, tilesOf } from './merkle.ts';
import { TEXTS_PER_PAGE, type RecordRepository, type RecordRow } from './record.repository.ts';

/** The number of proof hashes whose tiles are read per query. Most hashes need one tile. */
const HASHES_PER_QUERY = 100;

interface RecordOptions {
  readonly repository: Pick<LogRepository, 'findTiles'>;
  readonly records: RecordRepository;
  readonly anchors: { listFinalized(limit: number): Promise<LogAnchor[]> };
}

const ascending = (ids: readonly number[]): number[] =>
  [...new Set(ids)].toSorted((one, other) => one - other);

/** Writes callers' records: their entries, and the proof that these are all of them (docs/SEALED-CALLS.md). */
export function createRecordService({ repository, records, anchors }: RecordOptions) {
  const prove = async (size: number, ids: readonly number[]): Promise<string[]> => {
    const ranges = proofRanges(
      { start: 0, end: size },
      ids.map((id) => id - 1),
    );
    const hashes: string[] = [];
    for (let at = 0; at < ranges.length; at += HASHES_PER_QUERY) {
      const page = ranges.slice(at, at + HASHES_PER_QUERY);
      const tiles = await repository.findTiles([...new Set(page.flatMap(tilesOf))]);
      hashes.push(...page.map((range) => rangeHash(range, tiles)));
    }
    return hashes;
  };

  const writeTexts = async function* (rows: readonly RecordRow[]): AsyncGenerator<string> {
    const numbers = new Map(rows.map(({ id }, index) => [id, index + 1]));
    const ids = withPublicText(rows).map(({ id }) => id);
    let separator = '';
    for (let at = 0; at < ids.length; at += TEXTS_PER_PAGE) {
      for (const { id, salt, text } of await records.listTexts(ids.slice(at, at + TEXTS_PER_PAGE))) {
        yield separator + JSON.stringify({ number: numbers.get(id), salt, text });
        separator = ',';
      }
    }
  };

  return {
    /**
     * Writes a `LogRecord` as JSON. Reads texts while it sends them, because they may be long.
     * @throws callers.not_found, log.behind, log.record_too_long
     */
    async write(callerId: string): Promise<AsyncGenerator<string>> {
      const { checkpoint, leaf, mapTiles, ...state } = await records.readState(callerId);
      const last = readLeaf(leaf).get(callerId);
      if (!state.isCaller && last === undefined) throw new AppError({ code: 'callers.not_found' });
      if (checkpoint === null || !state.isMapped) throw createLogBehindError(state);
      if ((last?.number ?? 0) > LOG_RECORD_MAX_ENTRIES) throw new AppError({ code: 'log.record_too_long' });
      const { size, note } = checkpoint;
      const rows = await records.listRows(callerId, size);
      const ids = rows.map(({ id }) => id);
      const maps = ascending(
        rows.flatMap(({ map_before, map_after }) => [map_before, map_after].filter((id) => id !== null)),
      );
      const wanted = ascending([...ids, ...maps, size]);
      const entries = await records.findEntries(wanted);
      const place = (id: number) => `"index":${id - 1},"entry":${entries.get(id)}`;
      const list = (some: readonly number[]) => `[${some.map((id) => `{${place(id)}}`).join(',')}]`;
      const [anchor = null] = await anchors.listFinalized(1);
      const head: Omit<LogRecord, 'map' | 'entries' | 'minutes' | 'texts'> = {
        caller: callerId,
        checkpoint: note,
        proof: await prove(size, wanted),
        anchor,
      };
      const path = JSON.stringify(mapPath(mapTiles, mapIndex(callerId)));

      async function* write(): AsyncGenerator<string> {
        yield `${JSON.stringify(head).slice(0, -1)},"map":{${place(size)},"leaf":${JSON.stringify(leaf)},"path":${path}}`;
        yield `,"minutes":${list(maps)},"entries":${list(ids)},"texts":[`;
        if (!state.isHidden) yield* writeTexts(rows);
        yield ']}\n';
      }
      return write();
    },
  };
}

/** Selects the rows whose texts are public: sealed ones only once the call's end is in the log. */
function withPublicText(rows: readonly RecordRow[]): RecordRow[] {
  const ended = new Set(rows.filter(({ kind }) => kind === 'ended').map(({ call_id }) => call_id));
  return rows.filter((row) => row.has_text === 1 && (row.is_sealed === 0 || ended.has(row.call_id)));
}
