import { cpSync, existsSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fingerprintOf } from '../build/build-product.ts';
import { createSampleData, sampleDataVersion } from './create-sample-data.ts';
import { COMPLETE, fillDataFolder, isFilled, lockDataFolder } from './data-folder.ts';
import { migrationsFolder } from '../build/migrations.ts';
import { moveStandIns } from './move-stand-ins.ts';
import { root, type Settings } from '../settings.ts';

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
 * Replaces the environments' data with copies of the same sample data, because creating sample data takes long.
 * The copies' backups still name the address of the original.
 */
export async function copySampleData(environments: readonly Settings[]): Promise<void> {
  const unlock = lockDataFolder(SHARED.dataDir);
  try {
    await createShared();
    for (const environment of environments) await replaceData(environment);
  } finally {
    unlock();
  }
}

/** Fills an empty folder with a copy, so that the tests needn't create sample data after `npm start`, and vice versa. */
export async function fillWithSampleData(settings: Settings): Promise<void> {
  const unlock = tryLock(SHARED.dataDir);
  // Another process creates or copies them.
  if (unlock === null) return createSampleData(settings);
  try {
    await createShared();
    copyInto(settings);
  } finally {
    unlock();
  }
}

function tryLock(dataDir: string): (() => void) | null {
  try {
    return lockDataFolder(dataDir);
  } catch {
    return null;
  }
}

async function createShared(): Promise<void> {
  const { dataDir } = SHARED;
  // One of the sources may have to be built first.
  migrationsFolder();
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

async function replaceData(environment: Settings): Promise<void> {
  rmSync(environment.dataDir, { recursive: true, force: true });
  const unlock = lockDataFolder(environment.dataDir);
  try {
    await fillDataFolder({
      dataDir: environment.dataDir,
      version: sampleDataVersion(),
      fill: (folder) => Promise.resolve(copyInto({ ...environment, dataDir: folder })),
    });
  } finally {
    unlock();
  }
}

function copyInto(environment: Settings): void {
  for (const name of ['chain', 'stand-ins', 'state']) {
    cpSync(join(SHARED.dataDir, name), join(environment.dataDir, name), { recursive: true });
  }
  moveStandIns(environment);
}
