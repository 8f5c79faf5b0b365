import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { root } from '#dev/settings.ts';
import { buildEnvironment } from './build.ts';
import { dryRun } from './dry-run.ts';
import { ENVIRONMENTS } from './environments.ts';
import { createWrangler, runScript } from './wrangler.ts';

const folder = mkdtempSync(join(tmpdir(), 'solcallers-builds-'));
afterAll(() => rmSync(folder, { recursive: true }));

const sampleData = readFileSync(join(root, 'web/features/test-dashboard/sample-data.ts'), 'utf8');
const sampleTexts = [...sampleData.matchAll(/'(sample[^']+)'/gi)].map(([, text]) => text as string);
/** Texts that only the test dashboard contains. */
const dashboardTexts = ['Development Test Mode', 'test-dashboard-page', ...sampleTexts];

/** Builds the web app and the worker for the local environment. */
async function buildLocally(outDir: string): Promise<void> {
  const { NODE_ENV: _, ...env } = process.env;
  await runScript('node_modules/vite/bin/vite.js', ['build', '--outDir', outDir, '--logLevel', 'warn'], env);
}

/** Returns each file's path and text, without the worker's source maps: they quote the route but are never served. */
const filesIn = (outDir: string): readonly string[] =>
  readdirSync(outDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.map'))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => `${path}\n${readFileSync(path, 'latin1')}`);

const foundIn = (files: readonly string[]) =>
  dashboardTexts.filter((text) => files.some((file) => file.includes(text)));

// Specification 2.11, 2.13
it('the test dashboard and its sample data are in a local build, but not in a production build', async () => {
  expect(sampleTexts).toContain('sample_caller');
  const routeTree = readFileSync(join(root, 'web/route-tree.gen.ts'), 'utf8');
  const local = join(folder, 'local');
  await buildLocally(local);
  expect(foundIn(filesIn(local))).toEqual(dashboardTexts);
  const production = join(folder, 'production');
  await buildEnvironment('production', production);
  const deployed = filesIn(production);
  expect(foundIn(deployed)).toEqual([]);
  // The deploy still has the other pages, and the build left the route tree unchanged.
  expect(deployed.some((file) => file.includes('Page Not Found'))).toBe(true);
  expect(readFileSync(join(root, 'web/route-tree.gen.ts'), 'utf8')).toBe(routeTree);
});

it.each(ENVIRONMENTS)(
  'a dry run for %s builds and bundles the worker for that environment',
  async (environment) => {
    const lines: string[] = [];
    await dryRun({
      environment,
      wrangler: createWrangler(),
      log: (line) => lines.push(line),
      build: () => buildEnvironment(environment, join(folder, environment)),
    });
    expect(lines.at(-2)).toMatch(/^startup: [\d.]+ ms of at most 1000/);
    expect(lines.at(-1)).toBe(`Dry run of ${environment} passed. Nothing was changed.`);
    const config = JSON.parse(
      readFileSync(join(folder, environment, 'solcallers/wrangler.json'), 'utf8'),
    ) as object;
    expect(config).toMatchObject({ name: `solcallers-${environment}`, targetEnvironment: environment });
  },
);
