import { CONFIG, type Environment } from './environments.ts';
import { StepFailure } from './failure.ts';
import { checkSplitting } from './migrations/check-splitting.ts';
import { readMigrations } from '#dev/build/migrations.ts';
import type { Wrangler } from './wrangler.ts';

interface Database {
  readonly environment: Environment;
  readonly name: string;
  readonly isFirstDeploy: boolean;
}

/** @returns the number of migrations @throws StepFailure if D1's remote endpoint would misread one */
export function checkMigrations(): number {
  const migrations = readMigrations();
  const problems = migrations.flatMap(checkSplitting);
  if (problems.length > 0) {
    throw new StepFailure(problems.join('\n  '), 'See "Migrations" in docs/DEPLOY.md. Nothing was changed.');
  }
  return migrations.length;
}

/**
 * Creates the database before the first deploy, and applies the pending migrations.
 * @returns the number of applied migrations
 * @throws StepFailure if a check fails, before applying any migration
 */
export async function migrate(
  wrangler: Wrangler,
  { environment, name, isFirstDeploy }: Database,
): Promise<number> {
  checkMigrations();
  const databases = JSON.parse(await wrangler('d1', 'list', '--json')) as { readonly name: string }[];
  const databaseExists = databases.some((database) => database.name === name);
  if (!databaseExists && !isFirstDeploy) {
    throw new StepFailure(
      `The worker is deployed, but the database ${name} does not exist.`,
      'Check that you are logged in to the right account (npx wrangler whoami).',
    );
  }
  if (!databaseExists) await wrangler('d1', 'create', name);
  const target = [name, '--remote', '--config', CONFIG, '--env', environment];
  const pending = pendingIn(await wrangler('d1', 'migrations', 'list', ...target));
  checkOrder(pending);
  if (pending.length > 0) await wrangler('d1', 'migrations', 'apply', ...target);
  return pending.length;
}

/** Parses wrangler's text output, because this command has no JSON output. */
const pendingIn = (output: string) => [...new Set(output.match(/\b\d{4}_\w+\.sql\b/g))];

function checkOrder(pending: readonly string[]): void {
  const names = readMigrations().map(({ name }) => name);
  const newest = names.slice(names.length - pending.length);
  if (newest.join() === pending.toSorted().join()) return;
  throw new StepFailure(
    `The database lacks ${pending.join(', ')}, but these are not the newest migrations.`,
    'Another branch may have been deployed. Compare with "npx wrangler d1 migrations list".',
  );
}
