import { globSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../settings.ts';

/** Loads all files of tables, so that `allTables` returns every table. */
export async function loadTables(): Promise<void> {
  for (const path of globSync('schema/tables/*.ts', { cwd: root })) {
    await import(/* @vite-ignore */ pathToFileURL(join(root, path)).href);
  }
}
