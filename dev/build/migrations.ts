import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../settings.ts';
import { virtualModule } from './virtual-module.ts';

export const FOLDER = join(root, 'schema/migrations');
/** The tables of the newest migration, for drizzle-kit. It exists from the first release on. */
export const SNAPSHOT = join(FOLDER, 'snapshot.json');
const WRITER = 'dev/build/write-migrations.ts';
const QUIET = '--disable-warning=ExperimentalWarning';
const SOURCES = [
  'schema/{tables,triggers.sql,{tables,rules,constants}/**/*.ts}',
  WRITER,
  'package-lock.json',
];

export interface Migration {
  /** The file's name, which D1 records when it has applied the migration. It ends with a hash of the SQL. */
  readonly name: string;
  readonly sql: string;
}

/** The folder of the migrations. Until the first release, builds the baseline if it is older than its sources. */
export function migrationsFolder(): string {
  if (!existsSync(SNAPSHOT) && !isBaselineRecent()) {
    execFileSync(process.execPath, [QUIET, WRITER], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  }
  return FOLDER;
}

/** @throws with the reason if schema/ was changed without a migration. Until the first release, the baseline has all. */
export function checkSchema(): void {
  if (!existsSync(SNAPSHOT)) return;
  const { status, stderr } = spawnSync(process.execPath, [QUIET, WRITER, '--check'], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr.trim());
}

function isBaselineRecent(): boolean {
  const [baseline] = listMigrations();
  if (baseline === undefined) return false;
  const sources = globSync(SOURCES, { cwd: root }).map((path) => statSync(join(root, path)).mtimeMs);
  return statSync(join(FOLDER, baseline)).mtimeMs >= Math.max(...sources);
}

/** @returns the names in the order in which migrations are applied */
export const listMigrations = (): readonly string[] =>
  readdirSync(FOLDER)
    .filter((name) => name.endsWith('.sql'))
    .toSorted();

export function nameMigration(number: number, title: string, sql: string): string {
  const hash = createHash('sha256').update(sql).digest('hex').slice(0, 8);
  return `${String(number).padStart(4, '0')}_${title}_${hash}.sql`;
}

/** Returns all migrations in the order in which they are applied. @throws if one was edited, or a number isn't the next */
export function readMigrations(): readonly Migration[] {
  const folder = migrationsFolder();
  return listMigrations().map((name, number) => {
    const sql = readFileSync(join(folder, name), 'utf8');
    const title = name.slice(5, -13);
    if (name !== nameMigration(number, title, sql)) {
      throw new Error(
        `${name} was edited, or its number isn't ${number}. If no database has it yet, run "npm run migrations".`,
      );
    }
    return { name, sql };
  });
}

/** Lists the names of the migrations that the worker needs. */
export const migrationNames = () =>
  virtualModule(
    'migrations',
    () => `export default ${JSON.stringify(readMigrations().map(({ name }) => name))};`,
  );
