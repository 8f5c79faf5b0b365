import { DatabaseSync } from 'node:sqlite';
import { checkSplitting } from './check-splitting.ts';
import { findBreaks, type Break } from './find-breaks.ts';
import { readKnownSchema, type Migration } from './read-migrations.ts';
import { schemaOf, type Schema } from './schema-of.ts';
import { normalizeSql, splitLikeD1 } from './split-like-d1.ts';

/**
 * These migrations broke the version before them, when no production database existed yet. Never add one: see
 * "Migrations" in docs/OPERATIONS.md.
 */
export const BROKE_BEFORE_PRODUCTION: readonly string[] = [
  '0003_payment_ledger.sql',
  '0004_append_only.sql',
  '0005_broadcast_ends.sql',
  '0008_no_replacing.sql',
  '0009_prices_and_statistics.sql',
  '0010_calls_stay.sql',
  '0011_quotes_stay.sql',
  '0013_notifications.sql',
  '0014_tell_by_itself.sql',
  '0016_honest_rankings.sql',
  '0019_payment_timers.sql',
  '0020_one_holder_per_handle.sql',
  '0021_level_hits.sql',
  '0023_market_caps.sql',
  '0028_directory_rows.sql',
  '0029_active_mints.sql',
];

/**
 * Checks all migrations: whether D1's remote endpoint can read them, and whether the version that runs while they are
 * applied can live with them. `appliedCount` is the number of migrations that the database already has: they aren't
 * checked again, and the others are compared with them as one change. Without it, each migration is one change.
 * @returns the problems; none if the migrations are good
 */
export function checkMigrations(
  migrations: readonly Migration[],
  { appliedCount }: { readonly appliedCount?: number } = {},
): readonly string[] {
  const unreadable = migrations.flatMap(checkSplitting);
  if (unreadable.length > 0) return unreadable;
  const counts =
    appliedCount === undefined
      ? [...migrations.keys(), migrations.length]
      : [appliedCount, migrations.length];
  const schemas = schemasAfter(migrations, counts);
  return counts
    .slice(1)
    .map((to, index) => ({ from: counts[index] ?? 0, to }))
    .filter(({ from, to }) => from > 0 && from < to)
    .flatMap((change) => problemsOf(change, { migrations, schemas }));
}

interface Change {
  /** Numbers of migrations in the running version's database and in the database after the deploy. */
  readonly from: number;
  readonly to: number;
}

interface History {
  readonly migrations: readonly Migration[];
  /** The schema after this many migrations. */
  readonly schemas: ReadonlyMap<number, Schema>;
}

function problemsOf(change: Change, history: History): readonly string[] {
  const applied = history.migrations.slice(change.from, change.to);
  if (applied.every(({ name }) => BROKE_BEFORE_PRODUCTION.includes(name))) return [];
  const accepted = new Set(applied.flatMap(({ sql }) => acceptedBreaks(sql)));
  return breaksOf(change, history)
    .filter(({ id }) => !accepted.has(id))
    .map(({ id, why }) => `${applied.map(({ name }) => name).join(', ')}: ${id}: ${why}`);
}

/** Finds the breaks of a change of the schema. @throws Error if a snapshot of drizzle-kit is missing */
export function breaksOf({ from, to }: Change, { migrations, schemas }: History): readonly Break[] {
  const [before, after, newest] = [schemas.get(from), schemas.get(to), migrations[from - 1]];
  if (before === undefined || after === undefined || newest === undefined) return [];
  const statements = migrations.slice(from, to).flatMap(({ sql }) => splitLikeD1(sql).map(normalizeSql));
  return findBreaks({ before, after, statements, known: readKnownSchema(newest) });
}

/** A migration accepts a break with the comment `-- compatible: <break>: <reason>`. */
function acceptedBreaks(sql: string): readonly string[] {
  return [...sql.matchAll(/^-- compatible: (.+?): \S.*$/gm)].map(([, id]) => id ?? '');
}

/**
 * Applies the migrations one after the other, as D1 does, and reads the schema after each of these numbers of
 * migrations. @throws Error if a statement fails
 */
export function schemasAfter(
  migrations: readonly Migration[],
  counts: readonly number[],
): ReadonlyMap<number, Schema> {
  const database = new DatabaseSync(':memory:');
  const schemas = new Map<number, Schema>();
  for (const count of [...migrations.keys(), migrations.length]) {
    if (counts.includes(count)) schemas.set(count, schemaOf(database));
    const next = migrations[count];
    if (next !== undefined) applyLikeD1(database, next);
  }
  database.close();
  return schemas;
}

/** Runs each statement that D1 would find, in one transaction. @throws Error that names the failed statement */
export function applyLikeD1(database: DatabaseSync, { name, sql }: Migration): void {
  database.exec('BEGIN');
  for (const statement of splitLikeD1(sql)) {
    try {
      database.exec(statement);
    } catch (error) {
      database.exec('ROLLBACK');
      throw new Error(`${name} fails at: ${statement}`, { cause: error });
    }
  }
  database.exec('COMMIT');
}
