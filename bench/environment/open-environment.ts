import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fingerprintOf } from '#dev/build/build-product.ts';
import { root } from '#dev/settings.ts';
import { buildEnvironment } from './build-environment.ts';

const CALLS_PER_CALLER = 5;
const CALLERS_PER_MINT = 10;
/** The source files of an environment. If one of them changes, the environment is rebuilt. */
const SOURCES = ['bench/environment', 'schema/tables', 'schema/triggers.sql'];

export interface BenchEnvironment {
  readonly callers: number;
  /** The folder with the local runtime's state in `state/v3`. */
  readonly dataDir: string;
}

/**
 * Builds an environment with this many callers and five times as many calls in `.cache/bench/`. Reuses an environment
 * that was built today.
 */
export async function openBenchEnvironment(callers: number): Promise<BenchEnvironment> {
  const dataDir = join(root, '.cache/bench', String(callers));
  const environment = { callers, dataDir };
  const stampFile = join(dataDir, 'sources');
  const sources = `${new Date().toISOString().slice(0, 10)} ${fingerprintOf(SOURCES)}`;
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === sources) return environment;
  rmSync(dataDir, { recursive: true, force: true });
  mkdirSync(dataDir, { recursive: true });
  await buildEnvironment({
    callers,
    calls: callers * CALLS_PER_CALLER,
    mints: Math.ceil(callers / CALLERS_PER_MINT),
    directory: join(dataDir, 'state'),
  });
  writeFileSync(stampFile, sources);
  return environment;
}
