// Verifies the record of a caller with 1,000 calls in a log of 1,000,000 entries. Reports the size of the download,
// and the time compared with only computing the same hashes.
import { gzipSync } from 'node:zlib';
import { fromBase64, sha256, utf8 } from '#verify/bytes.ts';
import { verifyRecord } from '#verify/record.ts';
import { toCanonical } from '#verify/test-support/build-log.ts';
import { largeRecord, largeSite } from '#verify/test-support/large-log.ts';
import { leafHash, rootOfLeaves } from '#verify/tree.ts';

const CALLS = 1_000;
const ROUNDS = 5;

const large = largeRecord({ size: 1_000_000, calls: CALLS, entriesPerMinute: 4 });
const site = largeSite(large);
const bytes = gzipSync(site.text).length;
console.log(`Download, compressed: ${(bytes / CALLS / 1_000).toFixed(2)} kB per call.`);

async function timeOf(run: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await run();
  return performance.now() - startedAt;
}

const median = (times: readonly number[]) =>
  times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0;

const verify = async () => {
  const { failures } = await verifyRecord(site.options);
  if (failures.length > 0) throw new Error(JSON.stringify(failures));
};

// The hashed data: the entries, the tree up to its root, and the contents of the commitments.
const { checkpoint, entries, minutes, proof } = large.record;
const size = Number(checkpoint.split('\n')[1]);
const leaves = [...entries, ...minutes]
  .map(({ index, entry }) => ({ index, data: utf8(toCanonical(entry)) }))
  .sort((one, other) => one.index - other.index);
const path = proof.map(fromBase64);
const opened = entries.flatMap(({ entry }) => ('reveals' in entry ? entry.reveals : []));
const sealed = opened.map(({ content, salt }) => [fromBase64(salt), utf8(toCanonical(content))] as const);

async function hash(): Promise<unknown> {
  const hashes = leaves.map(async ({ index, data }) => ({ index, hash: await leafHash(data) }));
  const seals = sealed.map(([salt, content]) => sha256(salt, content));
  return Promise.all([rootOfLeaves({ size, leaves: await Promise.all(hashes), proof: path }), ...seals]);
}

// Alternates, so that a busy machine slows both.
const times = { verify: [] as number[], hash: [] as number[] };
for (let round = 0; round < ROUNDS; round += 1) {
  times.hash.push(await timeOf(hash));
  times.verify.push(await timeOf(verify));
}
const [verifying, hashing] = [median(times.verify), median(times.hash)];
console.log(`Hashing: ${hashing.toFixed(0)} ms. Verifying: ${verifying.toFixed(0)} ms.`);
console.log(`Ratio: ${(verifying / hashing).toFixed(2)} (at most 2).`);
process.exitCode = verifying <= 2 * hashing && bytes <= 2_000 * CALLS ? 0 : 1;
