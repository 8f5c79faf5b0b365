import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RestoreBucket } from '../backup/restore.ts';
import type { AnyD1Database } from 'drizzle-orm/d1';
import { root } from '../settings.ts';
import { migrateDatabase } from './migrate-database.ts';

// Without this, Miniflare would ask Cloudflare for this machine's location.
process.env['CLOUDFLARE_CF_FETCH_ENABLED'] = 'false';

const CONFIG = join(root, 'wrangler.toml');

interface LocalBucket extends RestoreBucket {
  put(key: string, value: string): Promise<unknown>;
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
  migrateDatabase(stateDir, lastMigration);
  const { unstable_readConfig } = await import('wrangler');
  // Configures only the database. With Durable Objects, the proxy would warn that it can't run them.
  const { d1_databases } = unstable_readConfig({ config: CONFIG });
  return withBindings<{ DB: AnyD1Database }, Result>(
    { stateDir, file: 'database.json', bindings: { d1_databases } },
    ({ DB }) => use(DB),
  );
}

/**
 * Passes the bucket with the backups to `use`, and closes it afterwards.
 *
 * @param environment the deployed environment, whose bucket is read with wrangler's login; null for the local bucket
 */
export async function withBackups<Result>(
  stateDir: string,
  environment: string | null,
  use: (bucket: LocalBucket) => Promise<Result>,
): Promise<Result> {
  const { unstable_readConfig } = await import('wrangler');
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
  const { getPlatformProxy, unstable_readConfig } = await import('wrangler');
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
