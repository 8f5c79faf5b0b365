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

function addUp(): Record<string, number> {
  const sum: Record<string, number> = {};
  for (const counts of allCounts) {
    for (const [name, count] of Object.entries(counts ?? {})) sum[name] = (sum[name] ?? 0) + Number(count);
  }
  return sum;
}

const seconds = () => Math.round((performance.now() - startedAt) / 1000);
const outputs = await Promise.all(
  Array.from({ length: shards }, async (_, shard) => {
    const histories = Math.floor((Number(values.histories) + shard) / shards);
    const seed = firstSeed + shard * SEEDS_APART;
    console.log(`Shard ${shard + 1}: ${histories} histories from seed ${seed} on`);
    const { hasPassed, output } = await runModelTest({
      options: {
        histories,
        seed,
        shrink: values.shrink,
        ...(values.path === undefined ? {} : { path: values.path }),
      },
      onReport: (report) => {
        if ('violation' in report) {
          violations.push(
            `${report.violation} (seed ${report.seed}, after ${report.afterHistories} histories)`,
          );
          console.log(`${violations.at(-1)}\n${report.trace}`);
          return;
        }
        allCounts[shard] = report.counts;
        const { histories: done, steps } = addUp();
        console.log(`${seconds()} s: ${done} histories, ${steps} steps, ${violations.length} violations`);
      },
    });
    return hasPassed ? '' : output;
  }),
);

/** After this many histories, each kind of event must have happened at least once. */
const ENOUGH_HISTORIES = 500;
const missing =
  Number(values.histories) < ENOUGH_HISTORIES
    ? []
    : Object.entries(addUp()).filter(([, count]) => count === 0);
if (missing.length > 0) {
  console.log(`Events that never happened: ${missing.map(([name]) => name).join(', ')}`);
}
console.log(outputs.join('\n'));
console.log(
  Object.entries(addUp())
    .map(([name, count]) => `${name} ${count}`)
    .join(', '),
);
console.log(
  violations.length === 0 ? 'Violations: 0' : `Violations: ${violations.length}\n${violations.join('\n')}`,
);
console.log(`${seconds()} s, seeds from ${firstSeed} on`);
process.exitCode =
  outputs.every((output) => output === '') && violations.length === 0 && missing.length === 0 ? 0 : 1;
