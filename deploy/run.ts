import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { deploy } from './deploy.ts';
import { dryRun } from './dry-run.ts';
import { ENVIRONMENTS, type Environment } from './environments.ts';
import { StepFailure } from './failure.ts';
import { CommandError, createWrangler } from './wrangler.ts';

// npm run deploy -- staging|production [--dry-run] [--secrets-file <path>] [--all-at-once]

const USAGE =
  'Usage: npm run deploy -- staging|production [--dry-run] [--secrets-file <path>] [--all-at-once]';

const FLAGS = {
  'dry-run': { type: 'boolean', default: false },
  'all-at-once': { type: 'boolean', default: false },
  'secrets-file': { type: 'string' },
} as const;

function parseFlags() {
  try {
    return parseArgs({ allowPositionals: true, options: FLAGS });
  } catch (error) {
    // Only the first sentence is about the mistake.
    const [mistake] = String((error as Error).message).split('. ');
    throw new StepFailure(`${mistake}.`, USAGE, { cause: error });
  }
}

/** @throws StepFailure if the arguments are wrong */
function readArguments() {
  const { positionals, values } = parseFlags();
  const isDryRun = values['dry-run'];
  const known = positionals.filter((name): name is Environment => ENVIRONMENTS.some((each) => each === name));
  const chosen = positionals.length === 0 && isDryRun ? ENVIRONMENTS : known;
  const isValid = known.length === positionals.length && (isDryRun || chosen.length === 1);
  if (!isValid) throw new StepFailure('Which environment?', USAGE);
  return {
    chosen,
    isDryRun,
    isAllAtOnce: values['all-at-once'],
    secretsFile: values['secrets-file'],
  };
}

async function run(): Promise<void> {
  const { chosen, isDryRun, ...options } = readArguments();
  const wrangler = createWrangler();
  for (const environment of chosen) {
    const log = (line: string) => console.log(`${environment}: ${line}`);
    if (isDryRun) await dryRun({ environment, wrangler, log });
    else await deploy({ ...options, environment, wrangler, log, fetch, sleep, shell: process.env });
  }
}

try {
  await run();
} catch (error) {
  process.exitCode = 1;
  if (error instanceof StepFailure) {
    console.error(`\nStopped. ${error.message}\nWhat to do: ${error.advice}`);
  } else if (error instanceof CommandError) {
    console.error(
      `\nStopped. ${error.message}\nWhat to do: correct the cause, then run the same command again.`,
    );
  } else {
    throw error;
  }
}
