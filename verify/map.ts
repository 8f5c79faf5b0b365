import { base64, sha256, utf8, type Bytes } from './bytes.ts';
import { leafHash, nodeHash, treeHash } from './tree.ts';

// The map: a tree with 65,536 leaves that has every caller's last entry.

const MAP_LEAVES = 65_536;

export async function mapIndexOf(caller: string): Promise<number> {
  const [high = 0, low = 0] = await sha256(utf8(caller));
  return high * 256 + low;
}

export const mapLine = (caller: string, { number, last }: { number: number; last: string | null }): string =>
  `${caller} ${number} ${last}\n`;

/** Creates the whole map, for a scan of the whole log. */
export async function createWholeMap() {
  const leaves = new Map<number, Map<string, string>>();
  // The root is node 1, and the children of node n are nodes 2n and 2n + 1.
  const nodes: Bytes[] = Array.from({ length: 2 * MAP_LEAVES });
  let width = MAP_LEAVES;
  for (let hash = await leafHash(utf8('')); width >= 1; hash = await nodeHash(hash, hash), width /= 2) {
    nodes.fill(hash, width, 2 * width);
  }
  return {
    /** Changes the lines of these callers, and returns the root in base64. */
    async update(lines: ReadonlyMap<string, string>): Promise<string> {
      let changed = new Set<number>();
      for (const [caller, line] of lines) {
        const node = MAP_LEAVES + (await mapIndexOf(caller));
        leaves.set(node, (leaves.get(node) ?? new Map<string, string>()).set(caller, line));
        changed.add(node);
      }
      for (const node of changed) {
        const sorted = [...(leaves.get(node) ?? [])].sort(([one], [other]) => (one < other ? -1 : 1));
        nodes[node] = await leafHash(utf8(sorted.map(([, line]) => line).join('')));
      }
      while (changed.size > 0 && !changed.has(1)) {
        changed = new Set([...changed].map((node) => Math.floor(node / 2)));
        const hashing = [...changed].map(
          async (node) => (nodes[node] = await treeHash(nodes.slice(2 * node, 2 * node + 2))),
        );
        await Promise.all(hashing);
      }
      return base64(nodes[1] ?? utf8(''));
    },
  };
}
