import { createHash } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ed25519 } from '@noble/curves/ed25519';
import { beforeEach, describe, expect, it } from 'vitest';
import { isConsistent } from './consistency.ts';
import { readVerifierKey, SIGNS_NOTES } from '#worker/modules/log/signed-note.ts';
import { keyOf, readCheckpoint } from './notes.ts';
import { openWitness, type Witness, type WitnessOptions } from './witness.ts';
import { createWitnessRoutes } from './witness-routes.ts';

const ORIGIN = 'log.example/log';
const logSeed = Buffer.alloc(32, 1);
const logKey = keyOf({ name: ORIGIN, seed: logSeed }, SIGNS_NOTES).verifierKey;
const TIME_MS = 1_679_315_147_500;

const hash = (...parts: (number[] | Buffer)[]): Buffer =>
  createHash('sha256')
    .update(Buffer.concat(parts.map((part) => Buffer.from(part))))
    .digest();
const splitOf = (width: number) => 2 ** Math.floor(Math.log2(width - 1));

/** The tree hash and proof of RFC 6962, section 2.1, of leaves that are their indexes. */
function treeHash(from: number, to: number): Buffer {
  if (from === to) return hash();
  if (to - from === 1) return hash([0], [from % 256, Math.floor(from / 256)]);
  const split = from + splitOf(to - from);
  return hash([1], treeHash(from, split), treeHash(split, to));
}

function proofOf(older: number, from: number, to: number, isKnown = true): Buffer[] {
  if (older === to) return isKnown ? [] : [treeHash(from, to)];
  const split = from + splitOf(to - from);
  return older <= split
    ? [...proofOf(older, from, split, isKnown), treeHash(split, to)]
    : [...proofOf(older, split, to, false), treeHash(from, split)];
}

const rootOf = (size: number) => treeHash(0, size).toString('base64');
const proofBetween = (older: number, newer: number) =>
  older === 0 ? [] : proofOf(older, 0, newer).map((each) => each.toString('base64'));

function sign(text: string, seed = logSeed): string {
  const { id } = readVerifierKey(logKey, SIGNS_NOTES);
  const signature = Buffer.concat([id, ed25519.sign(Buffer.from(text), seed)]);
  return `${text}\n— ${ORIGIN} ${signature.toString('base64')}\n`;
}

const checkpointOf = (size: number, { root = rootOf(size), origin = ORIGIN } = {}) =>
  sign(`${origin}\n${size}\n${root}\n`);

let options: WitnessOptions;
let witness: Witness;

beforeEach(() => {
  options = {
    name: 'witness.example/w1',
    seed: Buffer.alloc(32, 2),
    logKeys: [logKey],
    file: join(mkdtempSync(join(tmpdir(), 'witness-')), 'witness.json'),
    now: () => TIME_MS,
  };
  witness = openWitness(options);
});

interface Submission {
  readonly old: number | string;
  readonly size: number;
  readonly proof?: readonly string[];
  readonly checkpoint?: string;
}

function submit({ old, size, proof = proofBetween(Number(old), size), checkpoint }: Submission) {
  return witness.addCheckpoint([`old ${old}`, ...proof, '', checkpoint ?? checkpointOf(size)].join('\n'));
}

it('isConsistent accepts RFC 6962 proofs between all sizes up to 20, and refuses wrong roots and proofs', () => {
  const tree = (size: number, rootSize = size) => ({ size, root: rootOf(rootSize) });
  for (let newer = 1; newer <= 20; newer++) {
    for (let older = 0; older <= newer; older++) {
      const proof = proofBetween(older, newer);
      expect([older, newer, isConsistent(tree(older), tree(newer), proof)]).toEqual([older, newer, true]);
      if (older > 0) expect(isConsistent(tree(older, newer + 1), tree(newer), proof)).toBe(false);
      if (older === 0 || older === newer) continue;
      expect(isConsistent(tree(older), tree(newer, newer + 1), proof)).toBe(false);
      expect(isConsistent(tree(older), tree(newer), proof.slice(1))).toBe(false);
      expect(isConsistent(tree(older), tree(newer), [...proof, rootOf(3)])).toBe(false);
    }
  }
});

describe('add-checkpoint', () => {
  it('add-checkpoint returns 200 with a cosignature of the checkpoint and the time', () => {
    const { status, body } = submit({ old: 0, size: 5 });
    expect(status).toBe(200);
    const [, encoded = ''] = /^— witness\.example\/w1 (\S+)\n$/.exec(body) ?? [];
    const bytes = Buffer.from(encoded, 'base64');
    expect(bytes.subarray(0, 4).toString('hex')).toBe(witness.verifierKey.split('+')[1]);
    expect(bytes.readBigUInt64BE(4)).toBe(1_679_315_147n);
    const message = `cosignature/v1\ntime 1679315147\n${ORIGIN}\n5\n${rootOf(5)}\n`;
    const publicKey = ed25519.getPublicKey(options.seed);
    expect(ed25519.verify(bytes.subarray(12), Buffer.from(message), publicKey)).toBe(true);
  });

  it('add-checkpoint accepts every later size with a proof, and the same size again', () => {
    let old = 0;
    for (const size of [1, 2, 3, 7, 8, 8, 13, 64, 100]) {
      expect([size, submit({ old, size }).status]).toEqual([size, 200]);
      old = size;
    }
  });

  it('add-checkpoint returns 404 if the checkpoint’s origin is unknown', () => {
    const checkpoint = checkpointOf(5, { origin: 'other.example/log' });
    expect(submit({ old: 0, size: 5, checkpoint }).status).toBe(404);
  });

  it('add-checkpoint returns 403 for a wrong signature and for a signature of an unknown key', () => {
    const right = checkpointOf(5);
    const wrong = sign(right.split('\n\n', 1)[0] + '\n', Buffer.alloc(32, 9));
    const unknown = right.replace(`— ${ORIGIN}`, '— other.example/log');
    const wrongLine = wrong.split('\n\n')[1] ?? '';
    for (const checkpoint of [wrong, unknown, right + wrongLine]) {
      expect(submit({ old: 0, size: 5, checkpoint }).status).toBe(403);
    }
    const others = right + '— other.example/w1 AAAAAAAA\n';
    expect(submit({ old: 0, size: 5, checkpoint: others }).status).toBe(200);
  });

  it('add-checkpoint returns 400 if the old size is above the checkpoint’s size', () => {
    expect(submit({ old: 6, size: 5, proof: [] }).status).toBe(400);
  });

  it('add-checkpoint returns 409 with the latest size if the old size differs from it', () => {
    expect(submit({ old: 3, size: 5 })).toEqual({
      status: 409,
      body: '0\n',
      contentType: 'text/x.tlog.size',
    });
    submit({ old: 0, size: 5 });
    for (const old of [0, 4]) {
      expect(submit({ old, size: 8 })).toEqual({ status: 409, body: '5\n', contentType: 'text/x.tlog.size' });
    }
    expect(submit({ old: 3, size: 3 })).toMatchObject({ status: 409, body: '5\n' });
  });

  it('add-checkpoint returns 422 for a checkpoint of size 0 whose root isn’t the empty tree’s', () => {
    const checkpoint = checkpointOf(0, { root: rootOf(1) });
    expect(submit({ old: 0, size: 0, checkpoint }).status).toBe(422);
    expect(submit({ old: 0, size: 0 }).status).toBe(200);
  });

  it('add-checkpoint returns 422 for a wrong consistency proof, or for any proof if the old size is 0', () => {
    expect(submit({ old: 0, size: 5, proof: [rootOf(1)] }).status).toBe(422);
    submit({ old: 0, size: 5 });
    expect(submit({ old: 5, size: 8, proof: [] }).status).toBe(422);
    expect(submit({ old: 5, size: 8, proof: proofBetween(4, 8) }).status).toBe(422);
    const fork = checkpointOf(8, { root: rootOf(9) });
    expect(submit({ old: 5, size: 8, checkpoint: fork }).status).toBe(422);
    expect(submit({ old: 5, size: 8 }).status).toBe(200);
  });

  it('add-checkpoint returns 422 for another root at the same size', () => {
    submit({ old: 0, size: 5 });
    const fork = checkpointOf(5, { root: rootOf(6) });
    expect(submit({ old: 5, size: 5, checkpoint: fork }).status).toBe(422);
  });

  it.each([
    ['leading zeroes in the old size', { old: '00', size: 5, proof: [] }],
    ['an old size that is no number', { old: 'x', size: 5, proof: [] }],
    ['more than 63 lines of proof', { old: 0, size: 5, proof: Array.from({ length: 64 }, () => rootOf(1)) }],
    ['a line of proof that is no hash', { old: 0, size: 5, proof: ['AAAA'] }],
    ['no checkpoint', { old: 0, size: 5, checkpoint: 'text' }],
    ['leading zeroes in the size', { old: 0, size: 5, checkpoint: sign(`${ORIGIN}\n05\n${rootOf(5)}\n`) }],
    ['a root that is no hash', { old: 0, size: 5, checkpoint: sign(`${ORIGIN}\n5\nAAAA\n`) }],
    ['no signature', { old: 0, size: 5, checkpoint: `${ORIGIN}\n5\n${rootOf(5)}\n\n` }],
  ])('add-checkpoint refuses a request with %s', (_, submission) => {
    expect(submit(submission).status).toBe(400);
  });

  it('the witness still has the latest checkpoint after a restart', () => {
    submit({ old: 0, size: 5 });
    witness = openWitness(options);
    expect(submit({ old: 0, size: 3 })).toMatchObject({ status: 409, body: '5\n' });
    expect(submit({ old: 5, size: 8 }).status).toBe(200);
  });
});

describe('the monitor’s checkpoint', () => {
  const path = `/${createHash('sha256').update(ORIGIN).digest('hex')}/checkpoint`;
  const get = (at: string) => createWitnessRoutes(witness).request(at);

  it('the monitor’s checkpoint has the log’s signature and the witness’s cosignature', async () => {
    const { body } = submit({ old: 0, size: 5 });
    const response = await get(path);
    expect(response.status).toBe(200);
    const text = await response.text();
    expect(text).toBe(checkpointOf(5) + body);
    expect(readCheckpoint(text)).toMatchObject({ origin: ORIGIN, size: 5 });
  });

  it('the monitor’s checkpoint is a 404 until the witness has cosigned a checkpoint', async () => {
    expect((await get(path)).status).toBe(404);
    submit({ old: 3, size: 5 });
    expect((await get(path)).status).toBe(404);
    expect((await get(`/${'0'.repeat(64)}/checkpoint`)).status).toBe(404);
  });
});
