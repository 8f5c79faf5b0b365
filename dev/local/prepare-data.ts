import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sampleDataVersion } from './create-sample-data.ts';
import { COMPLETE, fillDataFolder, isFilled } from './data-folder.ts';
import { migrateDatabase } from './migrate-database.ts';
import { moveStandIns } from './move-stand-ins.ts';
import { fillWithSampleData } from './shared-sample-data.ts';
import { stateDirOf, type Settings } from '../settings.ts';

interface DataOptions {
  readonly log: (line: string) => void;
  readonly fill?: typeof fillWithSampleData;
}

/**
 * Creates the sample data once, and again if the baseline of the migrations has changed, which happens only before the
 * first release. Applies later migrations to the data.
 */
export async function prepareData(
  settings: Settings,
  { log, fill = fillWithSampleData }: DataOptions,
): Promise<void> {
  const { dataDir } = settings;
  const version = sampleDataVersion();
  if (isFilled(dataDir, version)) {
    log('Migrating the database...');
    migrateDatabase(stateDirOf(settings));
    return moveStandIns(settings);
  }
  if (existsSync(join(dataDir, COMPLETE))) {
    log(`The tables have changed since your local data were created. Replacing all data in ${dataDir}...`);
  }
  log('Creating sample data (once; about a minute)...');
  return fillDataFolder({ dataDir, version, fill: (folder) => fill({ ...settings, dataDir: folder }) });
}
