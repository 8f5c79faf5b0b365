import { parseArgs } from 'node:util';
import { ENVIRONMENTS, type Environment } from './environments.ts';
import { StepFailure } from './failure.ts';

const USAGE =
  'Usage: npm run deploy -- staging|production [--dry-run] [--secrets-file <path>] [--all-at-once]';

const FLAGS = {
  'dry-run': { type: 'boolean', default: false },
  'all-at-once': { type: 'boolean', default: false },
  'secrets-file': { type: 'string' },
} as const;

function parseFlags(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options: FLAGS });
  } catch (error) {
    // Only the error's first sentence describes the mistake.
    const [mistake] = (error instanceof Error ? error.message : String(error)).split('. ');
    throw new StepFailure(`${mistake}.`, USAGE, { cause: error });
  }
}

/** @throws StepFailure with the usage if the arguments are wrong */
export function readArguments(args: readonly string[]) {
  const { positionals, values } = parseFlags(args);
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
