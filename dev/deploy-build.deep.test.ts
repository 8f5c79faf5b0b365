import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { root } from './settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'solcallers-builds-'));
afterAll(() => rmSync(folder, { recursive: true }));

const sampleData = readFileSync(join(root, 'web/features/test-dashboard/sample-data.ts'), 'utf8');
const sampleTexts = [...sampleData.matchAll(/'(sample[^']+)'/gi)].map(([, text]) => text as string);
/** Texts that only the test dashboard contains. */
const dashboardTexts = ['Development Test Mode', 'test-dashboard-page', ...sampleTexts];

const scripts = (
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<'build' | 'deploy', string>;
  }
).scripts;

/** Runs the build of an npm script into its own folder. Returns each file's path and text. */
async function build(script: 'build' | 'deploy'): Promise<readonly string[]> {
  const [command = ''] = scripts[script].split(' && ');
  const [bin, ...args] = command.split(' ');
  expect(bin).toBe('vite');
  const outDir = join(folder, script);
  const { NODE_ENV: _, ...env } = process.env;
  const vite = spawn(
    process.execPath,
    [join(root, 'node_modules/vite/bin/vite.js'), ...args, '--outDir', outDir, '--logLevel', 'warn'],
    { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] },
  );
  expect(await once(vite, 'exit')).toEqual([0, null]);
  return readdirSync(outDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => `${path}\n${readFileSync(path, 'latin1')}`);
}

const foundIn = (files: readonly string[]) =>
  dashboardTexts.filter((text) => files.some((file) => file.includes(text)));

describe('the test dashboard', () => {
  it('[2.11, 2.13] is in a local build, but a deploy has neither its page nor its sample data', async () => {
    expect(sampleTexts.length).toBeGreaterThan(40);
    const routeTree = readFileSync(join(root, 'web/route-tree.gen.ts'), 'utf8');
    const local = await build('build');
    expect(foundIn(local)).toEqual(dashboardTexts);
    const deployed = await build('deploy');
    expect(foundIn(deployed)).toEqual([]);
    const config = readFileSync(join(folder, 'deploy/solcallers/wrangler.json'), 'utf8');
    const { vars } = JSON.parse(config) as { vars: Record<string, string> };
    expect(new URL(vars['APP_ORIGIN'] ?? '').protocol).toBe('https:');
    // Checks that the deploy still has the other pages, and that the build left the route tree unchanged.
    expect(deployed.some((file) => file.includes('Page Not Found'))).toBe(true);
    expect(readFileSync(join(root, 'web/route-tree.gen.ts'), 'utf8')).toBe(routeTree);
  }, 120_000);
});
