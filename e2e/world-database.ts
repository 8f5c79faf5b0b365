import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { e2eSettings } from './settings.ts';

/**
 * Writes into the database of the running world. Only for states that take hours to reach, such as messages that
 * failed for an hour.
 */
export function writeToDatabase(write: (database: DatabaseSync) => void): void {
  const folder = join(e2eSettings.dataDir, 'state/v3/d1/miniflare-D1DatabaseObject');
  const [file] = readdirSync(folder).filter((name) => /^[0-9a-f]+\.sqlite$/.test(name));
  if (file === undefined) throw new Error(`There is no database in ${folder}.`);
  const database = new DatabaseSync(join(folder, file), { timeout: 5_000 });
  try {
    write(database);
  } finally {
    database.close();
  }
}
