import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import type { Counts } from './run-options.ts';
import { runModelTest } from './run-vitest.ts';

// Plays random histories from random seeds. `--seed 7 --path 42` replays one of them. With `--shrink`, it
// then searches for a shorter history that fails.

const { values } = parseArgs({
  options: {
    histories: { type: 'string', default: '500' },
    shards: { type: 'string', default: '1' },
    seed: { type: 'string' },
    path: { type: 'string' },
    shrink: { type: 'boolean', default: false },
  },
});
const shards = Number(values.shards);
/** The distance between the first seeds of two shards. Each shard counts up from its own first seed. */
const SEEDS_APART = 1_000;
const firstSeed = values.seed === undefined ? randomInt(1_000_000) * SEEDS_APART : Number(values.seed);
const startedAt = performance.now();
const allCounts: (Counts | undefined)[] = [];
const violations: string[] = [];

function addUp(): Counts {
  const sum: Counts = {};
  for (const [name, count] of allCounts.flatMap((counts) => Object.entries(counts ?? {}))) {
    sum[name] = (sum[name] ?? 0) + count;
  }
  return sum;
}

const seconds = () => Math.round((performance.now() - startedAt) / 1000);
const outputs = await Promise.all(
  Array.from({ length: shards }, async (_, shard) => {
    const histories = Math.floor((Number(values.histories) + shard) / shards);
    const seed = firstSeed + shard * SEEDS_APART;
    console.log(`Shard ${shard + 1}: ${histories} histories from seed ${seed} on`);
    const run = await runModelTest({
      options: {
        histories,
        seed,
        shrink: values.shrink,
        ...(values.path === undefined ? {} : { path: values.path }),
      },
      onReport: (report) => {
        if ('violation' in report) {
          const { violation, trace, seed: at, afterHistories } = report;
          violations.push(`${violation} (seed ${at}, after ${afterHistories} histories)`);
          console.log(`${violations.at(-1)}\n${trace}`);
          return;
        }
        allCounts[shard] = report.counts;
        const { histories: done, steps } = addUp();
        console.log(`${seconds()} s: ${done} histories, ${steps} steps, ${violations.length} violations`);
      },
    });
    return run.hasPassed ? '' : run.output;
  }),
);

/** After this many histories, each kind of event must have happened at least once. */
const ENOUGH_HISTORIES = 500;
const counts = Object.entries(addUp());
const missing = Number(values.histories) < ENOUGH_HISTORIES ? [] : counts.filter(([, count]) => count === 0);
console.log(outputs.join('\n'));
console.log(counts.map(([name, count]) => `${name} ${count}`).join(', '));
for (const [name] of missing) console.log(`Never happened: ${name}`);
console.log([`Violations: ${violations.length}`, ...violations].join('\n'));
console.log(`${seconds()} s, seeds from ${firstSeed} on`);
const hasPassed = outputs.every((output) => output === '') && violations.length === 0 && missing.length === 0;
process.exitCode = hasPassed ? 0 : 1;
