import { parseArgs } from 'node:util';
import { plantedBugs, type PlantedBug } from '../planted-bugs.ts';
import { runModelTest } from './run-vitest.ts';

// Plants each bug of planted-bugs.ts and plays histories until the model detects the bug. Fails if the model
// misses one. With `--only name`, plants only the bugs whose name contains it.

const { values } = parseArgs({
  options: {
    histories: { type: 'string', default: '600' },
    only: { type: 'string', default: '' },
    seed: { type: 'string', default: '1' },
  },
});

/** @returns whether the model detected the bug */
async function tryBug({ name }: PlantedBug): Promise<boolean> {
  const startedAt = performance.now();
  let violation: string | undefined;
  let histories = 0;
  const { hasPassed, output } = await runModelTest({
    options: { histories: Number(values.histories), seed: Number(values.seed) },
    plantedBug: name,
    onReport: (report) => {
      if ('violation' in report) violation = report.violation;
      histories = 'violation' in report ? report.afterHistories + 1 : (report.counts['histories'] ?? 0);
    },
  });
  if (!hasPassed && violation === undefined) console.log(`${name}: the test did not run\n${output}`);
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  const verdict = violation === undefined ? 'MISSED' : 'detected';
  console.log(`${verdict} after ${histories} histories, ${seconds} s: ${name}: ${violation ?? ''}`);
  return violation !== undefined;
}

const chosen = plantedBugs.filter(({ name }) => name.includes(values.only));
let detected = 0;
for (const bug of chosen) {
  if (await tryBug(bug)) detected += 1;
}
console.log(`\n${detected} of ${chosen.length} planted bugs detected`);
process.exitCode = detected === chosen.length ? 0 : 1;
