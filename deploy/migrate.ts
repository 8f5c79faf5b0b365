import { z } from 'zod';
import { compareMigrations } from '#schema/rules/compare-migrations.ts';
import { CONFIG, type Environment } from './environments.ts';
import { StepFailure } from './failure.ts';
import { checkSplitting } from './migrations/check-splitting.ts';
import { checkSchema, readMigrations } from '#dev/build/migrations.ts';
import { CommandError, namesSchema, readNames, type Wrangler } from './wrangler.ts';

const rowsOfNames = z.array(z.object({ results: namesSchema }));

interface Database {
  readonly environment: Environment;
  readonly name: string;
  readonly isFirstDeploy: boolean;
}

/** @returns the number of migrations @throws StepFailure if one is missing, or if D1's remote endpoint would misread one */
export function checkMigrations(): number {
  try {
    checkSchema();
  } catch (cause) {
    const problem = `The migrations lack a change of schema/: ${String(cause)}`;
    throw new StepFailure(problem, 'See "Migrations" in docs/DEPLOY.md. Nothing was changed.', { cause });
  }
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
  const databaseExists = readNames(await wrangler('d1', 'list', '--json')).includes(name);
  if (!databaseExists && !isFirstDeploy) {
    throw new StepFailure(
      `The worker is deployed, but the database ${name} does not exist.`,
      'Check that you are logged in to the right account (npx wrangler whoami).',
    );
  }
  if (!databaseExists) await wrangler('d1', 'create', name);
  const target = [name, '--remote', '--config', CONFIG, '--env', environment];
  const needed = readMigrations().map((migration) => migration.name);
  const { missing, conflict } = compareMigrations(needed, await listApplied(wrangler, target));
  if (conflict !== null) {
    throw new StepFailure(conflict, 'See "Migrations" in docs/DEPLOY.md. Nothing was changed.');
  }
  if (missing.length > 0) await wrangler('d1', 'migrations', 'apply', ...target);
  return missing.length;
}

async function listApplied(wrangler: Wrangler, target: readonly string[]): Promise<readonly string[]> {
  try {
    const query = 'SELECT name FROM d1_migrations ORDER BY id';
    const output = await wrangler('d1', 'execute', ...target, '--json', '--command', query);
    const [found] = rowsOfNames.parse(JSON.parse(output));
    return (found?.results ?? []).map(({ name }) => name);
  } catch (error) {
    if (error instanceof CommandError && error.output.includes('no such table: d1_migrations')) return [];
    throw error;
  }
}
