import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '#dev/settings.ts';
import type { Environment } from './environments.ts';
import { StepFailure } from './failure.ts';
import { runScript } from './wrangler.ts';

export interface Build {
  /** The path of the configuration that wrangler deploys. */
  readonly config: string;
  /** The URLs of the scripts and styles that every page loads. They are unique to this build. */
  readonly firstFiles: readonly string[];
}

/** Texts that only the test dashboard contains. */
const DASHBOARD_TEXTS = ['Development Test Mode', 'test-dashboard-page'];

/** Builds an environment into `.cache/deploy/`. @throws CommandError with Vite's output */
export async function buildEnvironment(
  environment: Environment,
  outDir = join(root, '.cache/deploy', environment),
): Promise<Build> {
  const { NODE_ENV: _, ...env } = process.env;
  const args = ['build', '--mode', 'deploy', '--outDir', outDir, '--logLevel', 'warn'];
  await runScript('node_modules/vite/bin/vite.js', args, { ...env, CLOUDFLARE_ENV: environment });
  const leaked = findDashboardFiles(outDir);
  if (leaked.length > 0) {
    throw new StepFailure(
      `The build contains the test dashboard: ${leaked.join(', ')}`,
      'Import it only where import.meta.env.MODE is not "deploy".',
    );
  }
  return readBuild(outDir);
}

export function readBuild(outDir: string): Build {
  const page = readFileSync(join(outDir, 'client/index.html'), 'utf8');
  const files = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+\.(?:js|css))"/g)];
  return { config: join(outDir, 'solcallers/wrangler.json'), firstFiles: files.map(([, path = '']) => path) };
}

function findDashboardFiles(outDir: string): readonly string[] {
  return readdirSync(outDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:js|html|css)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => DASHBOARD_TEXTS.some((text) => readFileSync(path, 'utf8').includes(text)));
}
