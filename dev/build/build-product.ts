import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../settings.ts';

const STAMP = join(root, 'dist/.sources');
const SOURCES = ['web', 'worker', 'schema', 'verify', 'vite.config.ts', 'wrangler.toml', 'package-lock.json'];

export async function buildProduct(): Promise<void> {
  const sources = fingerprintOf(SOURCES);
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === sources) return;
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
