import { mkdirSync, rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { environmentOf, NO_TESTS, runCommand, type CommandResult } from './tests/run-command.ts';
import { namePattern } from './tests/test-names.ts';
import { reportsDir, suites, type Command, type Part, type Suite } from './tests/test-parts.ts';

// Runs a suite of checks. `npm test -- unit` runs one part. `npm test -- web -t "the layout › names the
// page"` runs only the tests of the part whose full name contains that text.

interface PartResult {
  readonly name: string;
  readonly hasPassed: boolean;
  readonly seconds: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly failures: readonly string[];
}

interface Choice {
  readonly suite: Suite;
  readonly parts: readonly Part[];
  readonly testName: string | undefined;
}

/** @throws Error that lists the parts */
function readChoice(): Choice {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      suite: { type: 'string', default: 'test' },
      name: { type: 'string', short: 't' },
    },
  });
  const suite = values.suite as Suite;
  const parts = suites[suite]();
  const unknown = positionals.filter((name) => !parts.some((part) => part.name === name));
  if (unknown.length > 0) {
    const known = parts.map(({ name }) => name).join(', ');
    throw new Error(`There is no part ${unknown.join(', ')}. The parts are ${known}.`);
  }
  const chosen = positionals.length === 0 ? parts : parts.filter(({ name }) => positionals.includes(name));
  if (values.name !== undefined) checkNameable(values.name, { positionals, chosen });
  return { suite, parts: chosen, testName: values.name };
}

function checkNameable(
  testName: string,
  { positionals, chosen }: { readonly positionals: readonly string[]; readonly chosen: readonly Part[] },
): void {
  const areNameable = chosen.every(({ nameOption }) => nameOption !== undefined);
  if (testName.trim() === '' || positionals.length === 0 || !areNameable) {
    throw new Error('-t picks tests by name in a part that has tests: npm test -- web -t "..."');
  }
}

/** Two commands run at once, so that no processor waits for the slower half of a part. */
const LANES = 2;

interface Run {
  readonly part: Part;
  readonly result: CommandResult;
  readonly startedAt: number;
  readonly endedAt: number;
}

/** Runs the parts' commands in their order. @returns the parts in the order of their ends */
async function runTogether(parts: readonly Part[], testName: string | undefined): Promise<PartResult[]> {
  const runs: Run[] = [];
  const results: PartResult[] = [];
  const queue = parts.flatMap((part) => part.commands.map((command) => ({ part, command }))).values();
  const runLane = async () => {
    for (const { part, command } of queue) {
      console.log(`\n== ${part.name}`);
      const moreArgs = testName === undefined ? [] : [`${part.nameOption}=${namePattern(testName)}`];
      const startedAt = performance.now();
      const result = await runSafely({ part, command, moreArgs });
      runs.push({ part, result, startedAt, endedAt: performance.now() });
      const own = runs.filter((run) => run.part === part);
      if (own.length < part.commands.length) continue;
      const ended = addUp({ part, runs: own, testName });
      console.log(`== ${part.name}: ${statusOf(ended)} in ${toMinutes(ended.seconds)} min`);
      results.push(ended);
    }
  };
  await Promise.all(Array.from({ length: LANES }, runLane));
  return results;
}

interface PartCommand {
  readonly part: Part;
  readonly command: Command;
  readonly moreArgs: readonly string[];
}

/** A command that can't run fails its part, and the other parts still run. */
async function runSafely({ part, command, moreArgs }: PartCommand): Promise<CommandResult> {
  try {
    return await runCommand(command, { env: { ...environmentOf(part), ...part.env }, moreArgs });
  } catch (error) {
    console.error(error);
    return { hasPassed: false, counts: NO_TESTS, failures: [] };
  }
}

interface AddUpOptions {
  readonly part: Part;
  readonly runs: readonly Run[];
  readonly testName: string | undefined;
}

function addUp({ part, runs, testName }: AddUpOptions): PartResult {
  const results = runs.map(({ result }) => result);
  const sum = (pick: (result: CommandResult) => number) =>
    results.reduce((total, result) => total + pick(result), 0);
  const passed = sum(({ counts }) => counts.passed);
  const failed = sum(({ counts }) => counts.failed);
  const hasTests = part.mayBeEmpty !== true && part.commands.some(({ report }) => report !== undefined);
  const isEmpty = passed + failed === 0 && hasTests;
  if (isEmpty) {
    console.log(testName ? `No test of ${part.name} has "${testName}" in its name.` : 'No test ran.');
  }
  const startedAt = Math.min(...runs.map((run) => run.startedAt));
  const endedAt = Math.max(...runs.map((run) => run.endedAt));
  return {
    name: part.name,
    hasPassed: results.every(({ hasPassed }) => hasPassed) && failed === 0 && !isEmpty,
    seconds: (endedAt - startedAt) / 1000,
    passed,
    failed,
    // With a name filter, the runners count every other test as skipped.
    skipped: testName === undefined ? sum(({ counts }) => counts.skipped) : 0,
    failures: results.flatMap((result) => result.failures),
  };
}

const statusOf = ({ hasPassed }: { readonly hasPassed: boolean }) => (hasPassed ? 'passed' : 'FAILED');

const toMinutes = (seconds: number) => Number((seconds / 60).toFixed(1));

function printTable(results: readonly PartResult[], totalSeconds: number): void {
  const rows = results.map((result) => ({
    part: result.name,
    result: statusOf(result),
    minutes: toMinutes(result.seconds),
    tests: result.passed + result.failed,
  }));
  console.table([...rows, { part: 'together', result: '', minutes: toMinutes(totalSeconds) }]);
}

const { suite, parts, testName } = readChoice();
rmSync(reportsDir, { recursive: true, force: true });
mkdirSync(reportsDir, { recursive: true });
if (suite === 'deep') process.env['TEST_SUITE'] = 'deep';

const startedAt = performance.now();
// The browser tests run alone, because they wait for pages in real time.
const [others, browserTests] = [false, true].map((isInBrowser) =>
  parts.filter(({ needsChromium = false }) => needsChromium === isInBrowser),
);
const results = [
  ...(await runTogether(others ?? [], testName)),
  ...(await runTogether(browserTests ?? [], testName)),
];
printTable(results, (performance.now() - startedAt) / 1000);

const failedTests = results.flatMap((result) => result.failures);
if (failedTests.length > 0) console.log(['\nFailed tests:', ...failedTests].join('\n  '));

const total = (pick: (result: PartResult) => number) =>
  results.reduce((sum, result) => sum + pick(result), 0);
const failedParts = results.filter(({ hasPassed }) => !hasPassed).map(({ name }) => name);
console.log(failedParts.length === 0 ? '\nAll parts passed.' : `\nFailed: ${failedParts.join(', ')}`);
console.log(
  `Tests: ${total(({ passed }) => passed)} passed, ${total(({ failed }) => failed)} failed, ` +
    `${total(({ skipped }) => skipped)} skipped`,
);
process.exitCode = failedParts.length === 0 ? 0 : 1;
