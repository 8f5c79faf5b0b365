import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { readMigrations } from '../build/migrations.ts';
import { root, type Settings } from '../settings.ts';

/**
 * Writes the sample data into the folder of the settings. Runs in its own process, so that the build can run at the
 * same time.
 * @param now the end of the history (unix ms). The same time and settings give the same data.
 */
export async function createSampleData(
  { port, solanaPort, standInsPort, dataDir }: Settings,
  now = Date.now(),
): Promise<void> {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(root, 'dev/seed/main.ts'), String(now)],
    {
      // The child ends when its input does, so it doesn't outlive this process.
      stdio: ['pipe', 'inherit', 'inherit'],
      env: {
        ...process.env,
        PORT: String(port),
        SOLANA_PORT: String(solanaPort),
        STAND_INS_PORT: String(standInsPort),
        SOLCALLERS_DATA: dataDir,
      },
    },
  );
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error('The sample data could not be created. See the message above.');
}

/** The baseline of the migrations. Data with another one are replaced; later migrations upgrade them. */
export const sampleDataVersion = (): string => readMigrations()[0]?.name ?? '';
