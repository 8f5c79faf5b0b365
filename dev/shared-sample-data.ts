import { cpSync, existsSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fingerprintOf } from './build-product.ts';
import { createSampleData, sampleDataVersion } from './create-sample-data.ts';
import { COMPLETE, fillDataFolder, findDatabase, isFilled, lockDataFolder } from './data-folder.ts';
import { root, stateDirOf, type Settings } from './settings.ts';

/** No port is opened here: the data only name these addresses. */
const SHARED: Settings = {
  port: 8787,
  solanaPort: 8899,
  standInsPort: 8788,
  dataDir: join(root, '.local/sample'),
  productUrl: 'http://localhost:8787',
};
const SOURCES = ['dev', 'worker', 'schema', 'package-lock.json'];
/** Older data are created again, so that their history ends now. */
const MAX_AGE_MS = 30 * 60_000;

/**
 * Replaces the environments' data with copies of the same sample data, because creating sample data takes a minute.
 * The copies' backups still name the address of the original.
 */
export async function copySampleData(environments: readonly Settings[]): Promise<void> {
  const unlock = lockDataFolder(SHARED.dataDir);
  try {
    await createShared();
    for (const environment of environments) await copyTo(environment);
  } finally {
    unlock();
  }
}

async function createShared(): Promise<void> {
  const { dataDir } = SHARED;
  const version = fingerprintOf(SOURCES);
  const complete = join(dataDir, COMPLETE);
  const isRecent = existsSync(complete) && Date.now() - statSync(complete).mtimeMs < MAX_AGE_MS;
  if (isRecent && isFilled(dataDir, version)) return;
  await fillDataFolder({
    dataDir,
    version,
    fill: (folder) => createSampleData({ ...SHARED, dataDir: folder }),
  });
}

async function copyTo(environment: Settings): Promise<void> {
  rmSync(environment.dataDir, { recursive: true, force: true });
  const unlock = lockDataFolder(environment.dataDir);
  try {
    await fillDataFolder({
      dataDir: environment.dataDir,
      version: sampleDataVersion(),
      fill(folder) {
        for (const name of ['chain', 'stand-ins', 'state']) {
          cpSync(join(SHARED.dataDir, name), join(folder, name), { recursive: true });
        }
        moveAddresses({ ...environment, dataDir: folder });
        return Promise.resolve();
      },
    });
  } finally {
    unlock();
  }
}

/** Replaces the stand-ins' address in the database, which has the addresses of images and icons. */
function moveAddresses(environment: Settings): void {
  const [from, to] = [SHARED, environment].map(({ standInsPort }) => `http://127.0.0.1:${standInsPort}/`);
  const database = new DatabaseSync(findDatabase(stateDirOf(environment)));
  // The triggers refuse to change a published call.
  const triggers = database.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").all() as {
    name: string;
    sql: string;
  }[];
  const columns = database
    .prepare(
      `SELECT t.name AS "table", c.name AS "column" FROM pragma_table_list t, pragma_table_info(t.name) c
       WHERE t.type = 'table' AND t.name NOT GLOB 'sqlite_*' AND t.name NOT GLOB '_cf_*' AND lower(c.type) = 'text'`,
    )
    .all() as { table: string; column: string }[];
  database.exec('BEGIN');
  for (const { name } of triggers) database.exec(`DROP TRIGGER ${name}`);
  for (const { table, column } of columns) {
    database
      .prepare(
        `UPDATE "${table}" SET "${column}" = replace("${column}", ?1, ?2) WHERE instr("${column}", ?1)`,
      )
      .run(from ?? '', to ?? '');
  }
  for (const { sql } of triggers) database.exec(sql);
  database.exec('COMMIT');
  database.close();
}
