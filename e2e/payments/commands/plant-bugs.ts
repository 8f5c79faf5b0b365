import { parseArgs } from 'node:util';
import { plantedBugs, type PlantedBug } from '../planted-bugs.ts';
import { runMessageModel, runModelTest } from './run-vitest.ts';

// Plants each bug of planted-bugs.ts and plays histories until the model detects the bug. Fails if the model
// misses one, or if a run is aborted before it has a verdict. `--only name` plants only the bugs
// whose name contains it, `--model messages` only those of that model.

const { values } = parseArgs({
  options: {
    histories: { type: 'string', default: '600' },
    only: { type: 'string', default: '' },
    model: { type: 'string', default: '' },
    seed: { type: 'string', default: '1' },
  },
});

/** `aborted`: the test ended without a violation before it had played all histories. */
type Verdict = 'detected' | 'MISSED' | 'aborted';

/** The messages' model plays one batch of histories after the other until it detects the bug. */
async function tryMessageBug(name: string): Promise<Verdict> {
  const startedAt = performance.now();
  const { hasPassed, violation, output } = await runMessageModel(name);
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  const verdict = judge({ hasPassed, violation });
  console.log(`${verdict} after ${seconds} s: ${name}: ${violation ?? ''}`);
  if (verdict === 'aborted') console.log(output);
  return verdict;
}

async function tryBug({ name, model }: PlantedBug): Promise<Verdict> {
  if (model === 'messages') return tryMessageBug(name);
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
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  const verdict = judge({ hasPassed, violation });
  console.log(`${verdict} after ${histories} histories, ${seconds} s: ${name}: ${violation ?? ''}`);
  if (verdict === 'aborted') console.log(output);
  return verdict;
}

function judge({ hasPassed, violation }: { hasPassed: boolean; violation: string | undefined }): Verdict {
  if (violation !== undefined) return 'detected';
  return hasPassed ? 'MISSED' : 'aborted';
}

const chosen = plantedBugs.filter(
  ({ name, model }) => name.includes(values.only) && model.includes(values.model),
);
const verdicts: Verdict[] = [];
for (const bug of chosen) verdicts.push(await tryBug(bug));
const count = (verdict: Verdict) => verdicts.filter((each) => each === verdict).length;
const aborted = count('aborted') === 0 ? '' : `, ${count('aborted')} runs aborted`;
console.log(`\n${count('detected')} of ${chosen.length} planted bugs detected${aborted}`);
process.exitCode = count('detected') === chosen.length ? 0 : 1;
