import { DatabaseSync } from 'node:sqlite';
import { findDatabase } from '#dev/data-folder.ts';
import { stateDirOf } from '#dev/settings.ts';
import { e2eSettings } from './settings.ts';

/**
 * Writes into the database of the running environment. Only for states that take hours to reach, such as messages that
 * failed for an hour.
 */
export function writeToDatabase(write: (database: DatabaseSync) => void): void {
  const database = new DatabaseSync(findDatabase(stateDirOf(e2eSettings)), { timeout: 5_000 });
  try {
    write(database);
  } finally {
    database.close();
  }
}
