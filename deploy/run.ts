import { setTimeout as sleep } from 'node:timers/promises';
import { readArguments } from './arguments.ts';
import { deploy } from './deploy.ts';
import { dryRun } from './dry-run.ts';
import { StepFailure } from './failure.ts';
import { CommandError, createWrangler } from './wrangler.ts';

// npm run deploy -- staging|production [--dry-run] [--secrets-file <path>] [--all-at-once]

async function run(): Promise<void> {
  const { chosen, isDryRun, ...options } = readArguments(process.argv.slice(2));
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
