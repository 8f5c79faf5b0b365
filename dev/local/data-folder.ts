import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const LOCK = 'lock';
const OWNER = 'lock.pid';
/** Names the version of the data. It's written last. */
export const COMPLETE = 'complete';

/**
 * Reserves a data folder for this process. The system releases the lock when the process ends, however it ends.
 * @returns a function that releases the folder
 * @throws if another process has the folder
 */
export function lockDataFolder(dataDir: string): () => void {
  mkdirSync(dataDir, { recursive: true });
  const owner = join(dataDir, OWNER);
  const lock = new DatabaseSync(join(dataDir, LOCK));
  if (!reserve(lock)) {
    lock.close();
    const process = existsSync(owner) ? ` (process ${readFileSync(owner, 'utf8')})` : '';
    throw new Error(
      `SolCallers already runs with the data in ${dataDir}${process}. ` +
        'Stop it, or choose another folder: SOLCALLERS_DATA=<folder> npm start',
    );
  }
  writeFileSync(owner, String(process.pid));
  return () => {
    if (lock.isOpen) lock.close();
  };
}

function reserve(lock: DatabaseSync): boolean {
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if (error instanceof Error && error.message.includes('database is locked')) return false;
    throw error;
  }
}

/** True if the folder has complete data of this version. */
export function isFilled(dataDir: string, version: string): boolean {
  const mark = join(dataDir, COMPLETE);
  return existsSync(mark) && readFileSync(mark, 'utf8') === version;
}

interface FillOptions {
  readonly dataDir: string;
  readonly version: string;
  /** Writes the data into an empty folder. */
  readonly fill: (folder: string) => Promise<void>;
}

/**
 * Replaces the data in a locked folder. If this is interrupted at any time, `isFilled` returns false for the folder.
 */
export async function fillDataFolder({ dataDir, version, fill }: FillOptions): Promise<void> {
  rmSync(join(dataDir, COMPLETE), { force: true });
  for (const name of readdirSync(dataDir)) {
    if (name !== LOCK && name !== OWNER) rmSync(join(dataDir, name), { recursive: true });
  }
  // The name is unique, because an interrupted call's process may still write for a while.
  const folder = join(dataDir, `new-${process.pid}`);
  mkdirSync(folder);
  await fill(folder);
  for (const name of readdirSync(folder)) renameSync(join(folder, name), join(dataDir, name));
  rmSync(folder, { recursive: true });
  writeFileSync(join(dataDir, COMPLETE), version);
}

/** Returns the path of the only D1 database in a folder for `wrangler dev --persist-to`. */
export function findDatabase(stateDir: string): string {
  const files = globSync(join(stateDir, 'v3/d1/**/*.sqlite'));
  const [file, ...others] = files.filter((name) => !name.endsWith('metadata.sqlite'));
  if (file === undefined || others.length > 0) throw new Error(`No single database: ${files.join()}`);
  return file;
}
