import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '#dev/settings.ts';
import { plantedBugs, type PlantedBug } from '../planted-bugs.ts';
import { runModelTest } from './run-vitest.ts';

// Plants the bugs of planted-bugs.ts one at a time in a copy of the project, and plays histories until the model
// notices. Fails unless it notices all. `--only name` plants those whose name contains it, `--jobs 2` two at once.

const { values } = parseArgs({
  options: {
    histories: { type: 'string', default: '600' },
    jobs: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    seed: { type: 'string', default: '1' },
  },
});

interface Catch {
  readonly bug: PlantedBug;
  /** What the model said, or why there is nothing. */
  readonly violation: string | undefined;
  readonly histories: number;
  readonly seconds: number;
}

/** Copies what git knows of, and borrows the dependencies. */
function copyProject(): string {
  const folder = mkdtempSync(join(tmpdir(), 'solcallers-bugs-'));
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  for (const file of files.split('\0').filter((name) => name !== '')) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(root, file), join(folder, file));
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

async function tryBug(bug: PlantedBug, folder: string): Promise<Catch> {
  const file = join(folder, bug.file);
  const original = readFileSync(file, 'utf8');
  const startedAt = performance.now();
  let violation: string | undefined;
  let histories = 0;
  writeFileSync(
    file,
    original.replace(bug.text, () => bug.replacement),
  );
  try {
    const { hasPassed, output } = await runModelTest({
      folder,
      options: { histories: Number(values.histories), seed: Number(values.seed) },
      onReport: (report) => {
        if ('violation' in report) violation = report.violation;
        histories = 'violation' in report ? report.afterHistories + 1 : report.tally.histories;
      },
    });
    if (!hasPassed && violation === undefined) console.log(`${bug.name}: the test did not run\n${output}`);
  } finally {
    writeFileSync(file, original);
  }
  return { bug, violation, histories, seconds: Math.round((performance.now() - startedAt) / 1000) };
}

const waiting = plantedBugs.filter(({ name }) => name.includes(values.only));
const caught: Catch[] = [];

async function work(): Promise<void> {
  const folder = copyProject();
  try {
    for (let bug = waiting.shift(); bug; bug = waiting.shift()) {
      const found = await tryBug(bug, folder);
      caught.push(found);
      console.log(
        `${found.violation === undefined ? 'MISSED' : 'caught'} after ${String(found.histories).padStart(3)} histories, ${String(found.seconds).padStart(3)} s: ${bug.name}: ${found.violation ?? ''}`,
      );
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

await Promise.all(Array.from({ length: Number(values.jobs) }, work));
const missed = caught.filter(({ violation }) => violation === undefined);
console.log(`\n${caught.length - missed.length} of ${caught.length} planted bugs caught`);
process.exitCode = missed.length === 0 ? 0 : 1;
