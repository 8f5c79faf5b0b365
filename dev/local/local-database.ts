import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readD1Migrations } from '@cloudflare/vitest-plugin';
import { compareMigrations } from '#schema/rules/compare-migrations.ts';
import { getPlatformProxy, unstable_readConfig } from 'wrangler';
import type { RestoreBucket } from '../backup/restore.ts';
import type { AnyD1Database } from 'drizzle-orm/d1';
import { migrationsFolder } from '../build/migrations.ts';
import { root } from '../settings.ts';

// Without this, Miniflare would ask Cloudflare for this machine's location.
process.env['CLOUDFLARE_CF_FETCH_ENABLED'] = 'false';

const CONFIG = join(root, 'wrangler.toml');

interface LocalBucket extends RestoreBucket {
  put(key: string, value: string): Promise<unknown>;
}

interface Migration {
  readonly name: string;
  /** One statement each. */
  readonly queries: readonly string[];
}

/**
 * Passes the local database with all migrations to `use`, and closes it afterwards.
 *
 * @param stateDir the folder that `wrangler dev --persist-to` gets
 * @param lastMigration the last migration to apply; by default all
 */
export async function withLocalDatabase<Result>(
  stateDir: string,
  use: (d1: AnyD1Database) => Promise<Result>,
  lastMigration?: string,
): Promise<Result> {
  // Configures only the database. With Durable Objects, the proxy would warn that it can't run them.
  const { d1_databases } = unstable_readConfig({ config: CONFIG });
  return withBindings<{ DB: AnyD1Database }, Result>(
    { stateDir, file: 'database.json', bindings: { d1_databases } },
    async ({ DB }) => {
      await migrate(DB, lastMigration);
      return use(DB);
    },
  );
}

/**
 * Passes the bucket with the backups to `use`, and closes it afterwards.
 *
 * @param environment the deployed environment, whose bucket is read with wrangler's login; null for the local bucket
 */
export function withBackups<Result>(
  stateDir: string,
  environment: string | null,
  use: (bucket: LocalBucket) => Promise<Result>,
): Promise<Result> {
  const config = unstable_readConfig({
    config: CONFIG,
    ...(environment === null ? {} : { env: environment }),
  });
  const r2_buckets = config.r2_buckets.map((bucket: object) => ({ ...bucket, remote: environment !== null }));
  return withBindings<{ BACKUPS: LocalBucket }, Result>(
    { stateDir, file: 'backups.json', bindings: { r2_buckets } },
    ({ BACKUPS }) => use(BACKUPS),
  );
}

interface BindingsOptions {
  readonly stateDir: string;
  /** The name of the configuration that wrangler reads. */
  readonly file: string;
  readonly bindings: object;
}

async function withBindings<Bindings extends Record<string, unknown>, Result>(
  { stateDir, file, bindings }: BindingsOptions,
  use: (bindings: Bindings) => Promise<Result>,
): Promise<Result> {
  const { name, compatibility_date } = unstable_readConfig({ config: CONFIG });
  const configPath = join(stateDir, file);
  mkdirSync(stateDir, { recursive: true });
  writeFileSync(configPath, JSON.stringify({ name, compatibility_date, ...bindings }));
  const { env, dispose } = await getPlatformProxy<Bindings>({
    configPath,
    persist: { path: join(stateDir, 'v3') },
  });
  try {
    return await use(env);
  } finally {
    await dispose();
  }
}

/**
 * Applies the missing migrations and records them as `wrangler d1 migrations apply` does. Wrangler would start a
 * runtime for each of them, which takes ten times as long.
 */
async function migrate(d1: AnyD1Database, last?: string): Promise<void> {
  await d1
    .prepare(
      `CREATE TABLE IF NOT EXISTS d1_migrations (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT UNIQUE,
        applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
      )`,
    )
    .run();
  const { results } = await d1.prepare('SELECT name FROM d1_migrations').all();
  const applied = (results as { name: string }[]).map(({ name }) => name);
  const migrations: readonly Migration[] = await readD1Migrations(migrationsFolder());
  const end = last === undefined ? migrations.length : migrations.findIndex(({ name }) => name === last) + 1;
  if (end === 0) throw new Error(`This version doesn't have the migration ${last}.`);
  const needed = migrations.slice(0, end);
  const { missing, conflict } = compareMigrations(
    needed.map(({ name }) => name),
    applied,
  );
  if (conflict !== null) throw new Error(`${conflict} Locally, "npm run reset" empties it.`);
  for (const { name, queries } of needed) {
    if (!missing.includes(name)) continue;
    const record = d1.prepare('INSERT INTO d1_migrations (name) VALUES (?)').bind(name);
    await d1.batch([...queries.map((query) => d1.prepare(query)), record]);
  }
}
