import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { base64, canonical, sha256, utf8, type Bytes } from './bytes.ts';
import { createWholeMap, mapIndexOf, mapLine } from './map.ts';
import { openCheckpoint, openReceipt, readVerifierKey } from './notes.ts';
import { leafHash, treeHash } from './tree.ts';

// The test vectors of docs/SEALED-CALLS.md.

const ORIGIN = 'calls.example';
const CALLER = '3f1c2a9e-0b7d-4a55-9c1e-6d2f8b7a4e10';
const CALL = '9a4d6c11-5e2b-4f3a-8d70-1b6e0c9f2a35';
const TIME = Date.UTC(2026, 11, 1);

/** Derives 32 bytes for a seed or a salt: SHA-256 of a name. */
const bytesFor = (name: string) => sha256(utf8(name));
const commit = async (salt: Bytes, text: string) => base64(await sha256(salt, utf8(text)));

async function createKey() {
  const prefix = Uint8Array.from([48, 46, 2, 1, 0, 48, 5, 6, 3, 43, 101, 112, 4, 34, 4, 32]);
  const pkcs8 = new Uint8Array([...prefix, ...(await bytesFor('key'))]);
  const key = await crypto.subtle.importKey('pkcs8', pkcs8, 'Ed25519', true, ['sign']);
  const { x = '' } = await crypto.subtle.exportKey('jwk', key);
  const typed = Uint8Array.of(1, ...Buffer.from(x, 'base64url'));
  const id = (await sha256(utf8(`${ORIGIN}\n`), typed)).slice(0, 4);
  const line = `${ORIGIN}+${Buffer.from(id).toString('hex')}+${base64(typed)}`;
  const sign = async (text: string) => {
    const signature = new Uint8Array(await crypto.subtle.sign('Ed25519', key, utf8(text)));
    return `${text}\n— ${ORIGIN} ${base64(Uint8Array.of(...id, ...signature))}\n`;
  };
  return { line, sign };
}

async function createVectors() {
  const { line, sign } = await createKey();
  const salt = await bytesFor('salt');
  const quotes = base64(await sha256(utf8('[]')));
  const opening = {
    kind: 'opened',
    time: TIME + 61_000,
    call: CALL,
    mint: 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263',
    symbol: 'BONK',
    entryPrice: '0.00002',
    target: null,
    stop: null,
    isPaidPromotion: false,
    unranked: null,
    quotes,
    thesis: null,
  };
  const name = await commit(await bytesFor('text salt'), canonical({ handle: 'amara_calls', name: 'Amara' }));
  const first = {
    caller: CALLER,
    number: 1,
    previous: null,
    kind: 'name',
    content: { kind: 'name', time: TIME, name },
  };
  const firstHash = base64(await leafHash(utf8(canonical(first))));
  const commitment = await commit(salt, canonical(opening));
  const second = { caller: CALLER, number: 2, previous: firstHash, kind: 'sealed', commitment };
  const secondHash = base64(await leafHash(utf8(canonical(second))));
  const leaf = mapLine(CALLER, { number: 2, last: secondHash });
  const root = await (await createWholeMap()).update(new Map([[CALLER, leaf]]));
  const third = { kind: 'map', content: { root, size: 2, time: TIME + 120_000 } };
  const entries = [first, second, third].map(canonical);
  const tree = base64(await treeHash(await Promise.all(entries.map((entry) => leafHash(utf8(entry))))));
  const checkpoint = await sign(`${ORIGIN}\n3\n${tree}\n`);
  const receipt = await sign(
    `${ORIGIN}/receipt\nentry 1\ncaller ${CALLER}\ncontent ${commitment}\ntime ${TIME + 61_000}\n`,
  );
  const values = {
    line,
    salt: base64(salt),
    opening: canonical(opening),
    commitment,
    entries,
    firstHash,
    secondHash,
  };
  return { ...values, index: await mapIndexOf(CALLER), leaf, root, checkpoint, receipt };
}

it('docs/SEALED-CALLS.md has the test vectors that the verifier computes', async () => {
  const vectors = await createVectors();
  const { line, salt, opening, commitment, entries, firstHash, secondHash } = vectors;
  const blocks = [
    `verifier key  ${line}`,
    `content       ${opening}\nsalt          ${salt}\ncommitment    ${commitment}`,
    `entry 0       ${entries[0]}\nleaf hash     ${firstHash}`,
    `entry 1       ${entries[1]}\nleaf hash     ${secondHash}`,
    `map leaf ${vectors.index}\n${vectors.leaf}`,
    `entry 2       ${entries[2]}`,
    `checkpoint\n${vectors.checkpoint}`,
    `receipt\n${vectors.receipt}`,
  ];
  const written = blocks.map((block) => block.trimEnd()).join('\n\n');
  expect(readFileSync('docs/SEALED-CALLS.md', 'utf8')).toContain(`\`\`\`text\n${written}\n\`\`\``);
  const key = await readVerifierKey(line);
  expect(await openCheckpoint(vectors.checkpoint, key)).toMatchObject({ size: 3 });
  expect(await openReceipt(vectors.receipt, key)).toMatchObject({ index: 1, content: commitment });
});
