import { gzipSync } from 'node:zlib';
import { fromBase64, sha256, utf8 } from '#verify/bytes.ts';
import { verifyRecord } from '#verify/record.ts';
import { toCanonical } from '#verify/test-support/build-log.ts';
import { largeRecord, largeSite } from '#verify/test-support/large-log.ts';
import { leafHash, rootOfLeaves } from '#verify/tree.ts';
import type { Part } from '../context.ts';
import { spreadOf } from '../results.ts';

const CALLS = 1_000;
const MAX_BYTES_PER_CALL = 2_000;
const MAX_RATIO = 2;

async function timeOf(run: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await run();
  return performance.now() - startedAt;
}

/**
 * Verifies the record of a caller with many calls in a large log: the size of the download, and the time compared with
 * only computing the same hashes.
 */
export const measureVerify: Part = async ({ options: { entries: size, rounds } }) => {
  const calls = Math.min(CALLS, size / 20);
  const large = largeRecord({ size, calls, entriesPerMinute: 4 });
  const site = largeSite(large);
  const verify = async () => {
    const { failures } = await verifyRecord(site.options);
    if (failures.length > 0) throw new Error(JSON.stringify(failures));
  };

  // The hashed data: the entries, the tree up to its root, and the contents of the commitments.
  const { entries, minutes, proof } = large.record;
  const leaves = [...entries, ...minutes]
    .map(({ index, entry }) => ({ index, data: utf8(toCanonical(entry)) }))
    .sort((one, other) => one.index - other.index);
  const path = proof.map(fromBase64);
  const opened = entries.flatMap(({ entry }) => ('reveals' in entry ? entry.reveals : []));
  const sealed = opened.map(({ content, salt }) => [fromBase64(salt), utf8(toCanonical(content))] as const);
  const hash = async () => {
    const hashes = leaves.map(async ({ index, data }) => ({ index, hash: await leafHash(data) }));
    const seals = sealed.map(([salt, content]) => sha256(salt, content));
    return Promise.all([rootOfLeaves({ size, leaves: await Promise.all(hashes), proof: path }), ...seals]);
  };

  // Alternates, so that a busy machine slows both.
  const times = { verify: [] as number[], hash: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    times.hash.push(await timeOf(hash));
    times.verify.push(await timeOf(verify));
  }
  const bytes = spreadOf([gzipSync(site.text).length / calls]);
  const [verifying, hashing] = [spreadOf(times.verify), spreadOf(times.hash)];
  const ratio = spreadOf([verifying.median / hashing.median]);
  return [
    {
      what: `download of a caller with ${calls} calls, compressed`,
      value: bytes,
      unit: 'bytes per call',
      goal: `≤ ${MAX_BYTES_PER_CALL}`,
      isMet: bytes.max <= MAX_BYTES_PER_CALL,
    },
    { what: 'verifying the record', value: verifying, unit: 'ms' },
    {
      what: 'verifying, compared with only hashing',
      value: ratio,
      unit: '×',
      goal: `≤ ${MAX_RATIO}`,
      isMet: ratio.max <= MAX_RATIO,
    },
  ];
};
