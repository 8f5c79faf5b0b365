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
