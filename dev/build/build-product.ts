import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../settings.ts';

const STAMP = join(root, 'dist/.sources');
const SOURCES = ['web', 'worker', 'schema', 'verify', 'vite.config.ts', 'wrangler.toml', 'package-lock.json'];

const isBuilt = (): boolean => existsSync(STAMP) && readFileSync(STAMP, 'utf8') === fingerprintOf(SOURCES);

/** Builds the product in a process of its own, so that a long-running process doesn't keep the memory of the build. */
export async function buildProductApart(): Promise<void> {
  if (isBuilt()) return;
  const args = ['--disable-warning=ExperimentalWarning', join(root, 'dev/build/main.ts')];
  // The child ends when its input does, so it doesn't outlive this process.
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'inherit', 'inherit'] });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error('The product could not be built. See the message above.');
}

export async function buildProduct(): Promise<void> {
  if (isBuilt()) return;
  // Import Vite only if there's something to build, because Vite loads slowly.
  const { createBuilder } = await import('vite');
  const builder = await createBuilder({ configFile: join(root, 'vite.config.ts'), logLevel: 'warn' });
  // Delete the stamp first, so that the product is built again if this build is interrupted.
  rmSync(STAMP, { force: true });
  await builder.buildApp();
  writeFileSync(STAMP, fingerprintOf(SOURCES));
}

/** A hash of these files and folders without their tests and generated files. */
export function fingerprintOf(sources: readonly string[]): string {
  const hash = createHash('sha256');
  for (const source of sources) {
    for (const file of filesBelow(join(root, source))) hash.update(file).update(readFileSync(file));
  }
  return hash.digest('hex');
}

function filesBelow(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return (
    readdirSync(path, { recursive: true, withFileTypes: true })
      // Skips generated files, because the router's plugin writes the route tree during the build.
      .filter((entry) => entry.isFile() && !/\.test\.tsx?$|\.gen\.ts$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
  );
}
