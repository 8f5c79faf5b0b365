import { execFileSync } from 'node:child_process';
import {
  existsSync,
  globSync,
  readFileSync,
  readdirSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { KEYS } from '#worker/modules/running/backup/backup-tables.ts';
import { root } from '../settings.ts';

const FOLDER = join(root, 'schema/migrations');
/** Built from `schema/tables/` until the first release. The other migrations are written by hand. */
const TABLES = join(FOLDER, '0000_tables.sql');
const DRIZZLE_KIT = join(root, 'node_modules/drizzle-kit/bin.cjs');
const SOURCES = [
  'schema/{tables,tables/*.ts,*.ts,rules/**/*.ts}',
  'worker/modules/running/backup/backup-tables.ts',
  'dev/build/migrations.ts',
  'package-lock.json',
];

export interface Migration {
  /** The file's name, which D1 records when it has applied the migration. */
  readonly name: string;
  readonly sql: string;
}

/** The folder of the migrations. Builds the tables' migration first if it is missing or older than its sources. */
export function migrationsFolder(): string {
  const sources = globSync(SOURCES, { cwd: root }).map((path) => statSync(join(root, path)).mtimeMs);
  if (existsSync(TABLES) && statSync(TABLES).mtimeMs >= Math.max(...sources)) return FOLDER;
  const command = [DRIZZLE_KIT, 'export', '--config', 'schema/drizzle.config.ts'];
  const exported = execFileSync(process.execPath, command, { cwd: root, encoding: 'utf8' });
  // Other processes may read the file meanwhile.
  const written = `${TABLES}.${process.pid}`;
  writeFileSync(written, withoutRowids(exported));
  renameSync(written, TABLES);
  return FOLDER;
}

/** Returns all migrations in the order in which they are applied. */
export function readMigrations(): readonly Migration[] {
  const folder = migrationsFolder();
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .toSorted()
    .map((name) => ({ name, sql: readFileSync(join(folder, name), 'utf8') }));
}

/** Drizzle can't declare WITHOUT ROWID. */
function withoutRowids(sql: string): string {
  return Object.keys(KEYS).reduce(
    (result, table) =>
      result.replace(new RegExp(`(CREATE TABLE \`${table}\` \\([^;]*\\n\\));`), '$1 WITHOUT ROWID;'),
    sql,
  );
}
