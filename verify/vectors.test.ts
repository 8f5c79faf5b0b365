import { describe, expect, it } from 'vitest';
import { base64, canonical, fromBase64, readJson, utf8, type Bytes } from './bytes.ts';
import { openCheckpoint, openNote, readVerifierKey } from './notes.ts';
import { createTileReader, tilePath, tileWidth } from './tiles.ts';
import { leafHash, rootOfLeaves, rootOfPath, rootsOf, treeHash } from './tree.ts';
import { signNote } from './test-support/build-log.ts';
import { signerOf } from './test-support/tamper.ts';

// Published test vectors of the standards.

const fromHex = (hex: string): Bytes => Uint8Array.from(Buffer.from(hex, 'hex'));
const toHex = (bytes: Bytes) => Buffer.from(bytes).toString('hex');

/** The leaves and roots of the reference tests of certificate-transparency, for sizes from 1 to 8. */
const LEAVES = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
];
const ROOTS = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];
const hashes = () => Promise.all(LEAVES.map((leaf) => leafHash(fromHex(leaf))));

describe('RFC 6962, section 2.1', () => {
  it('RFC 6962: "The hash of an empty list is the hash of an empty string"', async () => {
    const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
    expect(toHex(await treeHash([]))).toBe(empty);
  });

  it.each(ROOTS.map((root, at) => [at + 1, root]))(
    'RFC 6962: the tree of the first %i leaves has the reference root',
    async (size, root) => {
      expect(toHex(await treeHash((await hashes()).slice(0, Number(size))))).toBe(root);
    },
  );

  it('RFC 6962: accepts the reference audit path of leaf 6 in the tree of 8 leaves', async () => {
    const path = [
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ].map(fromHex);
    const all = await hashes();
    // Leaf 6 is at index 5.
    expect(toHex(await rootOfPath({ index: 5, hash: all[5] as Bytes }, path))).toBe(ROOTS[7]);
  });

  it('RFC 6962: the roots of every pair of tree sizes are computed from the same subtrees', async () => {
    const all = await hashes();
    for (let size = 1; size <= 8; size += 1) {
      for (let oldSize = 1; oldSize <= size; oldSize += 1) {
        const { oldRoot, root } = await rootsOf({ oldSize, size }, (from, width) =>
          treeHash(all.slice(from, from + width)),
        );
        expect([toHex(oldRoot), toHex(root)]).toEqual([ROOTS[oldSize - 1], ROOTS[size - 1]]);
      }
    }
  });

  it('RFC 6962: proves leaf 0 and leaf 3 of 7 with the hashes of leaf 1, leaf 2 and leaves 4 to 6', async () => {
    const all = await hashes();
    const proof = [all[1] as Bytes, all[2] as Bytes, await treeHash(all.slice(4, 7))];
    const leaves = [0, 3].map((index) => ({ index, hash: all[index] as Bytes }));
    expect(toHex(await rootOfLeaves({ size: 7, leaves, proof }))).toBe(ROOTS[6]);
    await expect(rootOfLeaves({ size: 7, leaves, proof: proof.slice(1) })).rejects.toThrow('instead of 3');
    await expect(rootOfLeaves({ size: 7, leaves, proof: [...proof, ...proof] })).rejects.toThrow(
      'instead of 3',
    );
  });

  it.each([5.5, 6, 7, 100])(
    'RFC 6962: refuses a leaf that claims the index %d beside the last of 7 leaves',
    async (index) => {
      const all = await hashes();
      const last = { index: 6, hash: all[6] as Bytes };
      const proof = [await treeHash(all.slice(0, 4)), await treeHash(all.slice(4, 6))];
      expect(toHex(await rootOfLeaves({ size: 7, leaves: [last], proof }))).toBe(ROOTS[6]);
      const leaves = [last, { index, hash: all[7] as Bytes }].sort((one, other) => one.index - other.index);
      await expect(rootOfLeaves({ size: 7, leaves, proof })).rejects.toThrow('one place');
    },
  );
});

describe('c2sp.org/signed-note', () => {
  const KEY = 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k';
  const TEXT = 'This is an example message.\n';
  const SIGNATURE =
    'Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=';
  const NOTE = `${TEXT}\n— example.com/foo ${SIGNATURE}\n`;
  const open = async (note: string) => openNote(note, await readVerifierKey(KEY));

  it('signed-note: verifies the example with "The following verifier key"', async () => {
    expect(await open(NOTE)).toBe(TEXT);
  });

  it('signed-note: refuses another text, name, id, signature, line end or control character', async () => {
    const other = SIGNATURE.replace('Tnagv', 'Snagv');
    const wrong = [
      NOTE.replace('example message', 'other message'),
      NOTE.replace('example.com/foo', 'example.com/bar'),
      NOTE.replace('Uw2QOk', 'Uw2QOl'),
      NOTE.replace(SIGNATURE, other),
      NOTE.trimEnd(),
      NOTE.replace('is an', 'is\tan'),
      TEXT,
    ];
    const results = await Promise.allSettled(wrong.map(open));
    expect(results.filter(({ status }) => status === 'fulfilled')).toEqual([]);
  });

  it('signed-note: "Verifiers MUST ignore signatures from unknown keys"', async () => {
    const strangers = Array.from({ length: 16 }, (_, at) => `— stranger.example/${at} AAAAAAAA\n`).join('');
    expect(await open(NOTE + strangers)).toBe(TEXT);
  });

  it('signed-note: "If a signature from a known key fails to verify, clients SHOULD reject the whole note"', async () => {
    const wrong = base64(fromBase64(SIGNATURE).with(60, 1));
    await expect(open(`${NOTE}— example.com/foo ${wrong}\n`)).rejects.toThrow('wrong');
  });

  it('signed-note: "The note text MAY contain empty lines"', async () => {
    const signer = signerOf(1);
    const text = 'trafitto da un raggio di sole:\n\ned è subito sera.\n';
    expect(await openNote(signNote(text, signer), await readVerifierKey(signer.line))).toBe(text);
  });

  it('signed-note: refuses a verifier key whose id is not the hash of its name and key', async () => {
    await expect(readVerifierKey(KEY.replace('example.com', 'example.net'))).rejects.toThrow('id');
    await expect(readVerifierKey(KEY.replace('+Ae', '+Be'))).rejects.toThrow('Ed25519');
  });
});

describe('c2sp.org/tlog-checkpoint', () => {
  const signer = signerOf(1, 'example.com/behind-the-sofa');
  const BODY = 'example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n';
  const open = async (body: string) =>
    openCheckpoint(signNote(body, signer), await readVerifierKey(signer.line));

  it('tlog-checkpoint: reads the origin, the tree size and the root hash of the example', async () => {
    const { size, root } = await open(BODY);
    expect({ size, root: base64(root) }).toEqual({
      size: 20_852_163,
      root: 'CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=',
    });
  });

  it('tlog-checkpoint: refuses another origin, and a size "with leading zeroes"', async () => {
    await expect(open(BODY.replace('sofa', 'couch'))).rejects.toThrow('another log');
    await expect(open(BODY.replace('20852163', '020852163'))).rejects.toThrow('number of entries');
  });
});

describe('c2sp.org/tlog-tiles', () => {
  it('tlog-tiles: "index 1234067 will be encoded as x001/x234/067"', () => {
    expect(tilePath(0, 1_234_067, 256)).toBe('/log/tile/0/x001/x234/067');
    expect(tilePath('entries', 273, 112)).toBe('/log/tile/entries/273.p/112');
  });

  it('tlog-tiles: "a tree of size 70,000" has the partial tiles of the example', () => {
    expect([tileWidth(70_000, 0, 272), tileWidth(70_000, 0, 273)]).toEqual([256, 112]);
    expect([tileWidth(70_000, 1, 0), tileWidth(70_000, 1, 1), tileWidth(70_000, 2, 0)]).toEqual([256, 17, 1]);
  });

  it('tlog-tiles: refuses a tile of another width', async () => {
    const source = { fetchBytes: async () => new Uint8Array(31) } as never;
    await expect(createTileReader(source, 5)(0, 1)).rejects.toThrow("doesn't have 5 hashes");
  });
});

describe('RFC 8785', () => {
  it('RFC 8785: writes the example of sections 3.2.2 and 3.2.3', () => {
    const example = String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`;
    expect(canonical(readJson(example))).toBe(
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    );
  });

  it('RFC 8785: sorts member names as in the example of section 3.2.3', () => {
    const names = ['\u20ac', '\r', '\ufb33', '1', '\u{1f600}', '\u0080', '\u00f6'];
    const sorted = ['\r', '1', '\u0080', '\u00f6', '\u20ac', '\u{1f600}', '\ufb33'];
    const written = canonical(Object.fromEntries(names.map((name) => [name, 0])));
    expect(Object.keys(readJson(written) as object).filter((name) => name !== '1')).toEqual(
      sorted.filter((name) => name !== '1'),
    );
  });

  it('RFC 8785: refuses half of a surrogate pair', () => {
    expect(() => canonical('\ud800')).toThrow('surrogate');
    expect(utf8('é')).toHaveLength(2);
  });
});
