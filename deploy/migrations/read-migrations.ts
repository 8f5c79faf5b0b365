import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '#dev/settings.ts';

export interface Migration {
  /** The file's name, which D1 records when it has applied the migration. */
  readonly name: string;
  readonly sql: string;
}

const FOLDER = join(root, 'schema/migrations');

/** Returns all migrations in the order in which they are applied. */
export function readMigrations(): readonly Migration[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.sql'))
    .toSorted()
    .map((name) => ({ name, sql: readFileSync(join(FOLDER, name), 'utf8') }));
}

/** The part of drizzle-kit's snapshot that says which tables, columns and indexes the code knew. */
export interface KnownSchema {
  readonly tables: Readonly<
    Record<string, { readonly columns: object; readonly indexes: object } | undefined>
  >;
}

/** Reads the tables and columns that the code had when this migration was the newest. @throws Error if there is no snapshot */
export function readKnownSchema({ name }: Migration): KnownSchema {
  const [number] = name.split('_', 1);
  return JSON.parse(readFileSync(join(FOLDER, `meta/${number}_snapshot.json`), 'utf8')) as KnownSchema;
}
