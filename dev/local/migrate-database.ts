import { createHash, createHmac } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { compareMigrations } from '#schema/rules/compare-migrations.ts';
import { readMigrations } from '../build/migrations.ts';

/** The `database_id` in wrangler.toml. */
const DATABASE_ID = 'local';
/** The class of Miniflare's databases. */
const CLASS = 'miniflare-D1DatabaseObject';

/**
 * Creates the local database unless it exists. Applies the missing migrations and records them as `wrangler d1
 * migrations apply` does. It opens the file without workerd: on a slow machine, the hundreds of statements took longer
 * than workerd keeps an idle connection, and the next request failed.
 *
 * @param stateDir the folder that `wrangler dev --persist-to` gets
 * @param lastMigration the last migration to apply; by default all
 */
export function migrateDatabase(stateDir: string, lastMigration?: string): void {
  const folder = join(stateDir, 'v3/d1', CLASS);
  mkdirSync(folder, { recursive: true });
  const database = new DatabaseSync(join(folder, `${objectId(DATABASE_ID)}.sqlite`));
  try {
    database.exec('PRAGMA journal_mode = WAL');
    migrate(database, lastMigration);
  } finally {
    database.close();
  }
}

/** The id of a Durable Object with this name in Miniflare, which is also the name of its file. */
function objectId(name: string): string {
  const key = createHash('sha256').update(CLASS).digest();
  const start = createHmac('sha256', key).update(name).digest().subarray(0, 16);
  const end = createHmac('sha256', key).update(start).digest().subarray(0, 16);
  return Buffer.concat([start, end]).toString('hex');
}

function migrate(database: DatabaseSync, last?: string): void {
  database.exec(
    `CREATE TABLE IF NOT EXISTS d1_migrations (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT UNIQUE,
      applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
    )`,
  );
  const applied = database
    .prepare('SELECT name FROM d1_migrations')
    .all()
    .map(({ name }) => String(name));
  const migrations = readMigrations();
  const end = last === undefined ? migrations.length : migrations.findIndex(({ name }) => name === last) + 1;
  if (end === 0) throw new Error(`This version doesn't have the migration ${last}.`);
  const needed = migrations.slice(0, end);
  const { missing, conflict } = compareMigrations(
    needed.map(({ name }) => name),
    applied,
  );
  if (conflict !== null) throw new Error(`${conflict} Locally, "npm run reset" empties it.`);
  for (const { name, sql } of needed) {
    if (!missing.includes(name)) continue;
    database.exec(`BEGIN; ${sql}`);
    database.prepare('INSERT INTO d1_migrations (name) VALUES (?)').run(name);
    database.exec('COMMIT');
  }
}
