// `npm run bench` measures everything and writes bench/results.json, bench/RESULTS.md and the costs in docs/SCALE.md.
// `npm run bench -- directory reads` measures two parts. `--callers 10000` leaves out the world of a million callers,
// which takes about ten minutes and 4 GB.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '#dev/settings.ts';
import { measureCachedReads } from './cached-reads.ts';
import { measureCalls } from './calls.ts';
import { writeCost } from './write-cost.ts';
import { compareWorlds, measureDirectory, measureSearch, type DirectoryRows } from './directory.ts';
import { replaceGenerated } from './markdown.ts';
import { measureReads } from './reads.ts';
import { describeResults, readResults, saveResults, type PartResults, type Result } from './results.ts';
import { measureCron, measureFirstLoad, measureFirstPaint } from './scripts.ts';
import { openBenchWorld, type BenchWorld } from './support/bench-world.ts';
import { startMeasuredProduct, type MeasuredProduct } from './support/measured-product.ts';
import { measureThroughput } from './throughput.ts';

const SMALL = 10_000;
const LARGE = 1_000_000;

type OpenWorld = () => Promise<BenchWorld>;

interface Worlds {
  readonly small: OpenWorld;
  /** The small one if there is no other. */
  readonly large: OpenWorld;
}

async function withProduct(
  open: OpenWorld,
  measure: (world: BenchWorld & { readonly product: MeasuredProduct }) => Promise<readonly Result[]>,
): Promise<readonly Result[]> {
  const world = await open();
  const product = await startMeasuredProduct({ dataDir: world.dataDir, isCounting: true });
  try {
    return await measure({ ...world, product });
  } finally {
    await product.close();
  }
}

function once<Value>(open: () => Promise<Value>): () => Promise<Value> {
  let opened: Promise<Value> | undefined;
  return () => (opened ??= open());
}

const PARTS: Readonly<Record<string, (worlds: Worlds) => Promise<readonly Result[]>>> = {
  async directory(worlds) {
    const measured: DirectoryRows[] = [];
    for (const open of new Set(Object.values(worlds))) {
      await withProduct(open, async (world) => {
        const rows = await measureDirectory(world);
        measured.push(rows);
        return rows.results;
      });
    }
    const [small, large] = measured;
    const results = measured.flatMap((each) => each.results);
    return small && large ? [...results, compareWorlds(small.rowsByPage, large.rowsByPage)] : results;
  },
  search: ({ large }) => withProduct(large, measureSearch),
  reads: ({ large }) => withProduct(large, measureReads),
  calls: ({ large }) => withProduct(large, measureCalls),
  cron: async ({ large }) => measureCron(await large()),
  cache: ({ small }) => withProduct(small, measureCachedReads),
  throughput: async ({ small }) => measureThroughput(await small()),
  'first-load': measureFirstLoad,
  'first-paint': measureFirstPaint,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { callers: { type: 'string', default: String(LARGE) } },
});
const unknown = positionals.filter((name) => !(name in PARTS));
if (unknown.length > 0) {
  throw new Error(`Unknown part ${unknown.join()}. Parts: ${Object.keys(PARTS).join(', ')}`);
}
const names = positionals.length > 0 ? positionals : Object.keys(PARTS);

const small = once(() => openBenchWorld(SMALL));
const callers = Number(values.callers);
const large = callers === SMALL ? small : once(() => openBenchWorld(callers));
// A run of all parts forgets old results.
let kept = positionals.length > 0 ? readResults().parts : {};
for (const name of names) {
  console.log(`Measuring ${name}...`);
  const startedAt = Date.now();
  const results = (await PARTS[name]?.({ small, large })) ?? [];
  const part: PartResults = {
    at: new Date(startedAt).toISOString(),
    seconds: Math.round((Date.now() - startedAt) / 1000),
    callers,
    results,
  };
  const saved = saveResults({ parts: { [name]: part }, kept });
  kept = saved.parts;
  const text = describeResults(saved);
  const file = join(root, 'bench/RESULTS.md');
  writeFileSync(file, replaceGenerated(readFileSync(file, 'utf8'), { name: 'results', text }));
  console.table(
    Object.fromEntries(results.map(({ id, value, goal, isMet }) => [id, { ...value, goal, isMet }])),
  );
}

try {
  writeCost();
} catch (error) {
  console.log(`docs/SCALE.md stays as it is: ${(error as Error).message}`);
}
