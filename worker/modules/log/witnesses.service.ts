import { z } from 'zod';
import { HOUR_MS, MINUTE_MS } from '#schema/constants/time.ts';
import type { Base } from '../../app/base.ts';
import type { WitnessClient } from '../../adapters/witness-client.ts';
import { mapConcurrently } from '../../shared/concurrency.ts';
import { describeError } from '../../shared/describe-error.ts';
import { createLogRepository, type Checkpoint } from './log.repository.ts';
import { consistencyRanges, rangeHash, tilesOf } from './merkle.ts';
import { findCosignature, type Witness } from './witness-key.ts';
import { createWitnessesRepository } from './witnesses.repository.ts';

const CONFLICT = 409;

export interface WitnessesOptions extends Pick<Base, 'db' | 'leases' | 'clock'> {
  readonly witnesses: readonly Witness[];
  readonly port: WitnessClient;
}

/** Failures by witness key, stored in the job's cursor. */
const failuresSchema = z.record(z.string(), z.object({ count: z.number(), retryAt: z.number() }));
type Failures = Readonly<z.infer<typeof failuresSchema>>;

/** A cursor of another shape counts as no failures, so that the job goes on. */
const readFailures = (cursor: string | null): Failures =>
  failuresSchema.safeParse(JSON.parse(cursor ?? '{}')).data ?? {};

interface Requested {
  readonly witness: string;
  readonly line: string | null;
}

/** Requests witnesses' signatures of the newest checkpoint (https://c2sp.org/tlog-witness). */
export function createWitnessesService(options: WitnessesOptions) {
  const { db, witnesses, leases, clock } = options;
  const repository = createWitnessesRepository(db);
  const keys = witnesses.map(({ verifierKey }) => verifierKey);
  const sendRequest = createRequest(options);

  return {
    async cosign(): Promise<{ signed: number; failed: number } | null> {
      if (witnesses.length === 0) return null;
      const [checkpoint, sizes, cursor] = await Promise.all([
        createLogRepository(db).findCheckpoint(),
        repository.cosignedSizes(keys),
        repository.readCursor(),
      ]);
      if (checkpoint === null) return null;
      const sizeOf = ({ verifierKey }: Witness) => sizes.get(verifierKey) ?? 0;
      const failures = readFailures(cursor);
      const now = clock.now();
      const due = witnesses.filter(
        (each) => sizeOf(each) < checkpoint.size && (failures[each.verifierKey]?.retryAt ?? 0) <= now,
      );
      if (due.length === 0) return null;
      return leases.run({
        job: 'log.witness',
        work: async (lease) => {
          const requested = await mapConcurrently(due, (each) => sendRequest(each, checkpoint, sizeOf(each)));
          const lines = requested.flatMap(({ witness, line }) => (line === null ? [] : [{ witness, line }]));
          await lease.commit({
            statements: [repository.store({ size: checkpoint.size, at: now, lines })],
            cursor: JSON.stringify(countFailures(failures, requested, now)),
          });
          return { signed: lines.length, failed: requested.length - lines.length };
        },
      });
    },

    async cosigned({ note, size }: Pick<Checkpoint, 'note' | 'size'>): Promise<string> {
      const lines = keys.length === 0 ? [] : await repository.listLines(size, keys);
      return [note, ...lines.map((line) => `${line}\n`)].join('');
    },
  };
}

function createRequest({ db, port }: WitnessesOptions) {
  const log = createLogRepository(db);
  const send = async ({ url }: Witness, { note, size }: Checkpoint, oldSize: number) => {
    const ranges = consistencyRanges({ oldSize, size });
    const tiles = await log.findTiles(ranges.flatMap(tilesOf));
    const proof = ranges.map((range) => rangeHash(range, tiles));
    return port.addCheckpoint(url, [`old ${oldSize}`, ...proof, '', note].join('\n'));
  };

  return async (witness: Witness, checkpoint: Checkpoint, oldSize: number): Promise<Requested> => {
    const { verifierKey, name } = witness;
    try {
      let response = await send(witness, checkpoint, oldSize);
      if (response.status === CONFLICT) {
        const known = /^(?:0|[1-9]\d{0,14})\n?$/.test(response.body) ? Number(response.body) : null;
        if (known === null || known > checkpoint.size) throw new Error(`it has the size ${known}`);
        response = await send(witness, checkpoint, known);
      }
      if (response.status !== 200) throw new Error(`it responded with ${response.status}`);
      const text = checkpoint.note.slice(0, checkpoint.note.indexOf('\n\n') + 1);
      const line = findCosignature(response.body, text, witness);
      if (line === null) throw new Error('its signature is wrong');
      return { witness: verifierKey, line };
    } catch (error) {
      const reason = describeError(error);
      console.warn(JSON.stringify({ event: 'log.witness_failed', witness: name, error: reason }));
      return { witness: verifierKey, line: null };
    }
  };
}

/** Doubles a witness's pause after each failure, from two minutes to at most an hour. */
function countFailures(before: Failures, requested: readonly Requested[], now: number): Failures {
  const failures = new Map(Object.entries(before));
  for (const { witness, line } of requested) {
    const count = (failures.get(witness)?.count ?? 0) + 1;
    const rest = Math.min(HOUR_MS, 2 ** count * MINUTE_MS);
    if (line === null) failures.set(witness, { count, retryAt: now + rest });
    else failures.delete(witness);
  }
  return Object.fromEntries(failures);
}
