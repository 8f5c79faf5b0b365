import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sha256 } from '../../shared/sha256.ts';
import { edgeOf, growTiles, hashesOf, leafHash, rangeHash, rootOf, type Range } from './merkle.ts';

const fromHex = (hex: string) =>
  btoa(String.fromCharCode(...(hex.match(/../g) ?? []).map((byte) => Number(`0x${byte}`))));
const leavesUpTo = (size: number) => Array.from({ length: size }, (_, index) => leafHash(`entry ${index}`));
const whole = (size: number): Range => ({ start: 0, end: size });

/** Grows a tree in steps. Each step gets only the tree's edge. */
function growInSteps(leaves: readonly string[], sizes: readonly number[]): Map<string, string> {
  const tiles = new Map<string, string>();
  let size = 0;
  for (const next of sizes) {
    const edge = new Map(edgeOf(size).map((key) => [key, tiles.get(key) ?? '']));
    const grown = growTiles({ size, edge, leaves: leaves.slice(size, next) });
    expect(rangeHash(whole(next), new Map([...edge, ...grown]))).toBe(
      rangeHash(whole(next), new Map([...tiles, ...grown])),
    );
    for (const [key, data] of grown) tiles.set(key, data);
    size = next;
  }
  return tiles;
}

// From transparency-dev/merkle (testonly/constants.go, testdata/inclusion/2), Apache License 2.0.
const inputs = ['', '\0', '\u0010', ' !', '01', '@ABC', 'PQRSTUVW', '`abcdefghijklmno'];

it('the Merkle tree has the roots that transparency-dev/merkle publishes', () => {
  const leaves = inputs.map(leafHash);
  expect(Array.from({ length: 9 }, (_, size) => rootOf(leaves.slice(0, size)))).toEqual(
    [
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
      'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
      'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
      '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
      '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
      'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
      '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
    ].map(fromHex),
  );
});

it('the Merkle tree has the same roots as @transmute/rfc9162 for up to 1,000 leaves', () => {
  // The hash of all roots that @transmute/rfc9162 0.0.5 computes, one per line.
  const leaves = leavesUpTo(1_000);
  const tiles = growInSteps(leaves, [1, 255, 256, 257, 700, 1_000]);
  let roots = '';
  for (let size = 1; size <= leaves.length; size++) roots += `${rangeHash(whole(size), tiles)}\n`;
  expect(sha256(roots)).toBe('istD7jh0UzpWt9vqJkVxVWDbISyoj3lFG2t0c43Hf6Y=');
});

it('the Merkle tree has the same tiles whether it grew in one step or in many', () => {
  const leaves = leavesUpTo(1_000);
  const expected = growInSteps(leaves, [1_000]);
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 999 }), { maxLength: 6 }), (sizes) => {
      const tiles = growInSteps(leaves, [...sizes.toSorted((one, other) => one - other), 1_000]);
      expect(tiles).toEqual(expected);
    }),
    { numRuns: 10 },
  );
});

it('the Merkle tree refuses to grow from another tree’s edge', () => {
  const leaves = leavesUpTo(3);
  const edge = growTiles({ size: 0, edge: new Map(), leaves: leaves.slice(0, 2) });
  expect(() => growTiles({ size: 1, edge, leaves })).toThrow("doesn't fit");
  expect(() => growTiles({ size: 2, edge: new Map(), leaves })).toThrow("doesn't fit");
});

it('a Merkle tree of 70,000 leaves has the tiles that the tlog-tiles specification describes', () => {
  // “a tree of size 70,000 will be represented by 273 full level 0 tiles, one partial level 0 tile of width 112, one
  // full level 1 tile, one partial level 1 tile of width 17, and one partial level 2 tile of width 1”
  const tiles = growTiles({ size: 0, edge: new Map(), leaves: leavesUpTo(70_000) });
  const widths = [...tiles].map(([key, data]) => [key.split('/')[0], hashesOf(data).length]);
  const count = (level: string, width: number) =>
    widths.filter((tile) => tile[0] === level && tile[1] === width).length;
  expect([count('0', 256), count('0', 112), count('1', 256), count('1', 17), count('2', 1)]).toEqual([
    273, 1, 1, 1, 1,
  ]);
  expect(tiles.size).toBe(277);
  expect(edgeOf(70_000)).toEqual(['0/273', '1/1', '2/0']);
  // “Note that a tree of size 256 will be represented by a full level 0 tile and a partial level 1 tile of width 1.”
  expect([...growTiles({ size: 0, edge: new Map(), leaves: leavesUpTo(256) }).keys()]).toEqual([
    '0/0',
    '1/0',
  ]);
  expect(rangeHash(whole(70_000), tiles)).toBe('o5IPun8jmgcam9EHIfE0Gt3vuu3ttBx+JEN6nRa98Ao=');
});
