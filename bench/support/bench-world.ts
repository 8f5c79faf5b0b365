import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '#dev/settings.ts';
import { buildWorld } from '../world.ts';
import { addPeople, type People } from './people.ts';

const CALLS_PER_CALLER = 5;
const CALLERS_PER_MINT = 10;
/** The sources of a world. When one of them changes, the world is built again. */
const SOURCES = ['bench/world.ts', 'bench/names.ts', 'bench/support/people.ts', 'schema/migrations'];

export interface BenchWorld {
  readonly callers: number;
  /** Has the local runtime's state in `state/v3`. */
  readonly dataDir: string;
  readonly file: string;
  readonly people: People;
}

/**
 * Builds a world with this many callers and five times as many calls in `.cache/bench/`. A world of today is used
 * again, because sessions last a day.
 */
export async function openBenchWorld(callers: number): Promise<BenchWorld> {
  const dataDir = join(root, '.cache/bench', String(callers));
  const stampFile = join(dataDir, 'world.json');
  const sources = fingerprint();
  if (existsSync(stampFile)) {
    const stamp = JSON.parse(readFileSync(stampFile, 'utf8')) as BenchWorld & { readonly sources: string };
    if (stamp.sources === sources) return stamp;
  }
  rmSync(dataDir, { recursive: true, force: true });
  mkdirSync(dataDir, { recursive: true });
  const file = await buildWorld({
    callers,
    calls: callers * CALLS_PER_CALLER,
    mints: Math.ceil(callers / CALLERS_PER_MINT),
    directory: join(dataDir, 'state'),
  });
  const world: BenchWorld = { callers, dataDir, file, people: addPeople(file) };
  writeFileSync(stampFile, JSON.stringify({ ...world, sources }));
  return world;
}

function fingerprint(): string {
  const hash = createHash('sha256').update(new Date().toISOString().slice(0, 10));
  for (const source of SOURCES) {
    const path = join(root, source);
    const files = source.endsWith('.ts')
      ? [path]
      : readdirSync(path)
          .filter((name) => name.endsWith('.sql'))
          .map((name) => join(path, name));
    for (const file of files) hash.update(readFileSync(file));
  }
  return hash.digest('hex');
}
