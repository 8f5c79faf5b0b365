import { createHash } from 'node:crypto';
import { z } from 'zod';
import { COSIGNS, readVerifierKey, SIGNS_NOTES } from '#worker/modules/log/signed-note.ts';
import { openStoredJson } from '../stand-ins/controls/stored-json.ts';
import { EMPTY_ROOT, isConsistent } from './consistency.ts';
import { cosign, findSignature, isHash, keyOf, readCheckpoint, readSize } from './notes.ts';

const MAX_PROOF_LINES = 63;

const storedLogs = z.record(
  z.string(),
  z.object({ size: z.number(), root: z.string(), checkpoint: z.string() }),
);

export interface WitnessOptions {
  /** A name like a URL without a scheme. */
  readonly name: string;
  /** The key's 32 secret bytes. */
  readonly seed: Buffer;
  /** The verifier keys of the logs that it witnesses. */
  readonly logKeys: readonly string[];
  /** Stores the newest checkpoint of each log. */
  readonly file: string;
  /** Unix ms. */
  readonly now: () => number;
}

export interface WitnessResponse {
  readonly status: 200 | 400 | 403 | 404 | 409 | 422;
  readonly body: string;
  readonly contentType?: string;
}

export type Witness = ReturnType<typeof openWitness>;

/** A witness of logs (https://c2sp.org/tlog-witness). It signs only checkpoints that extend its earlier checkpoints. */
export function openWitness({ name, seed, logKeys, file, now }: WitnessOptions) {
  const logs = new Map(
    logKeys.map((text) => readVerifierKey(text, SIGNS_NOTES)).map((key) => [key.name, key]),
  );
  const stored = openStoredJson({ file, schema: storedLogs, initial: {} });
  const refuse = (status: WitnessResponse['status'], reason: string): WitnessResponse => ({
    status,
    body: `${reason}\n`,
  });

  return {
    verifierKey: keyOf({ name, seed }, COSIGNS).verifierKey,

    /** Handles `add-checkpoint`. Nothing else runs between its check and its save. */
    addCheckpoint(request: string): WitnessResponse {
      const parsed = readRequest(request);
      if (parsed === undefined) return refuse(400, 'The request is malformed.');
      const { oldSize, proof, checkpoint } = parsed;
      const { origin, size, root, text } = checkpoint;
      const log = logs.get(origin);
      if (log === undefined) return refuse(404, 'The log is unknown.');
      const logLine = findSignature(checkpoint, log);
      if (logLine === undefined) return refuse(403, "The log's signature is missing or wrong.");
      if (oldSize > size) return refuse(400, 'The old size is above the size.');
      const newest = stored.value[origin] ?? { size: 0, root: EMPTY_ROOT };
      if (oldSize !== newest.size) {
        return { status: 409, body: `${newest.size}\n`, contentType: 'text/x.tlog.size' };
      }
      if (size === 0 && root !== EMPTY_ROOT) return refuse(422, 'The root of an empty log is wrong.');
      if (!isConsistent(newest, { size, root }, proof)) return refuse(422, 'The proof is wrong.');
      const line = cosign(text, { name, seed }, BigInt(Math.floor(now() / 1000)));
      stored.value[origin] = { size, root, checkpoint: `${text}\n${logLine}\n${line}\n` };
      stored.save();
      return { status: 200, body: `${line}\n` };
    },

    /** The newest cosigned checkpoint. `originHash` is the SHA-256 of the log's origin in lowercase hex. */
    checkpoint(originHash: string): string | undefined {
      const origin = [...logs.keys()].find(
        (each) => createHash('sha256').update(each).digest('hex') === originHash,
      );
      return origin === undefined ? undefined : stored.value[origin]?.checkpoint;
    },

    /** Forgets all checkpoints, for logs that begin again. Only for tests. */
    forget(): void {
      if (Object.keys(stored.value).length === 0) return;
      for (const origin of Object.keys(stored.value)) delete stored.value[origin];
      stored.save();
    },
  };
}

function readRequest(request: string) {
  const end = request.indexOf('\n\n');
  const [oldLine = '', ...proof] = request.slice(0, end).split('\n');
  const oldSize = readSize(/^old (\d+)$/.exec(oldLine)?.[1]);
  const checkpoint = readCheckpoint(request.slice(end + 2));
  const isMalformed = end === -1 || proof.length > MAX_PROOF_LINES || !proof.every(isHash);
  return isMalformed || oldSize === undefined || checkpoint === undefined
    ? undefined
    : { oldSize, proof, checkpoint };
}
