import { CONFIG, type Environment } from './environments.ts';
import { StepFailure } from './failure.ts';
import { checkMigrations } from './migrations/check-migrations.ts';
import { readMigrations } from './migrations/read-migrations.ts';
import type { Wrangler } from './wrangler.ts';

const ADVICE = 'See "Migrations" in docs/OPERATIONS.md. Nothing was changed.';

interface Database {
  readonly environment: Environment;
  readonly name: string;
  readonly isFirstDeploy: boolean;
}

/**
 * Creates the database before the first deploy, checks the migrations that it doesn't have, and applies them.
 * @returns how many it applied
 * @throws StepFailure if a check fails; then it has applied none
 */
export async function migrate(
  wrangler: Wrangler,
  { environment, name, isFirstDeploy }: Database,
): Promise<number> {
  const databases = JSON.parse(await wrangler.run('d1', 'list', '--json')) as { readonly name: string }[];
  const isThere = databases.some((database) => database.name === name);
  if (!isThere && !isFirstDeploy) {
    throw new StepFailure(
      `The worker is deployed, but the database ${name} does not exist.`,
      'Check that you are logged in to the right account (npx wrangler whoami).',
    );
  }
  if (!isThere) await wrangler.run('d1', 'create', name);
  const target = [name, '--remote', '--config', CONFIG, '--env', environment];
  const pending = pendingIn(await wrangler.run('d1', 'migrations', 'list', ...target));
  checkPending(pending);
  if (pending.length > 0) await wrangler.run('d1', 'migrations', 'apply', ...target);
  return pending.length;
}

/** Wrangler has no JSON for this list. */
const pendingIn = (output: string) => [...new Set(output.match(/\b\d{4}_\w+\.sql\b/g))];

function checkPending(pending: readonly string[]): void {
  const migrations = readMigrations();
  const appliedCount = migrations.length - pending.length;
  const newest = migrations.slice(appliedCount).map(({ name }) => name);
  if (newest.join() !== pending.toSorted().join()) {
    throw new StepFailure(
      `The database lacks ${pending.join(', ')}, but these are not the newest migrations.`,
      'Another branch may have been deployed. Compare with "npx wrangler d1 migrations list".',
    );
  }
  const problems = checkMigrations(migrations, { appliedCount });
  if (problems.length > 0) throw new StepFailure(problems.join('\n'), ADVICE);
}
