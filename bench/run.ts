// `npm run bench` measures everything and writes bench/results.json, bench/RESULTS.md and the costs in docs/SCALE.md.
// `npm run bench -- directory reads` measures two parts. `--callers 10000` leaves out the world of a million callers,
// which takes about ten minutes and 8 GB.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '#dev/settings.ts';
import { measureCachedReads } from './cached-reads.ts';
import { measureCalls } from './calls.ts';
import { writeCost } from './cost.ts';
import { measureCron } from './cron-runs.ts';
import { compareWorlds, measureDirectory, measureSearch, type DirectoryRows } from './directory.ts';
import { replaceGenerated } from './markdown.ts';
import { measureReads } from './reads.ts';
import { describeResults, saveResults, type PartResults, type Result } from './results.ts';
import { openBenchWorld, type BenchWorld } from './support/bench-world.ts';
import { startMeasuredProduct, type MeasuredProduct } from './support/measured-product.ts';
import { measureThroughput } from './throughput.ts';

const SMALL = 10_000;
const LARGE = 1_000_000;

interface Worlds {
  readonly small: BenchWorld;
  /** The small one if there is no other. */
  readonly large: BenchWorld;
}

const withProduct = async <Value>(
  { dataDir }: BenchWorld,
  run: (product: MeasuredProduct) => Promise<Value>,
): Promise<Value> => {
  const product = await startMeasuredProduct({ dataDir, isCounting: true });
  try {
    return await run(product);
  } finally {
    await product.close();
  }
};

const PARTS: Readonly<Record<string, (worlds: Worlds) => Promise<readonly Result[]>>> = {
  async directory(worlds) {
    const measured: DirectoryRows[] = [];
    for (const world of new Set(Object.values(worlds))) {
      measured.push(await withProduct(world, (product) => measureDirectory({ product, ...world })));
    }
    const [small, large] = measured;
    const results = measured.flatMap((each) => each.results);
    return small && large ? [...results, compareWorlds(small.rowsByPage, large.rowsByPage)] : results;
  },
  search: ({ large }) => withProduct(large, (product) => measureSearch({ product, ...large })),
  reads: ({ large }) => withProduct(large, (product) => measureReads({ product, ...large })),
  calls: ({ large }) => withProduct(large, (product) => measureCalls(product, large.people)),
  cron: ({ small }) => withProduct(small, measureCron),
  cache: ({ small }) => withProduct(small, measureCachedReads),
  throughput: ({ small }) => measureThroughput(small),
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

const small = await openBenchWorld(SMALL);
const large = Number(values.callers) === SMALL ? small : await openBenchWorld(Number(values.callers));
for (const name of names) {
  console.log(`Measuring ${name}...`);
  const startedAt = Date.now();
  const results = (await PARTS[name]?.({ small, large })) ?? [];
  const part: PartResults = {
    at: new Date(startedAt).toISOString(),
    seconds: Math.round((Date.now() - startedAt) / 1000),
    results,
  };
  const text = describeResults(saveResults({ [name]: part }));
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
