import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { root } from './settings.ts';
import { type KnownTest, type SpecificationRow, isProvenBy, readSpecification } from './specification.ts';

const rows = readSpecification(readFileSync(join(root, 'docs/SPECIFICATION.md'), 'utf8'));
let known: readonly KnownTest[] = [];

/** Runs a tool of the project's own. The runner's variables stay here: the tool may be the same runner. */
function runTool(bin: string, args: readonly string[]): string {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_ENV$|TEST$|DEV$|PROD$|MODE$)/.test(name)),
  );
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'node_modules', bin), ...args], {
    cwd: root,
    env,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`${bin} failed: ${stderr}${stdout}`);
  return stdout;
}

/** The tests of the three vitest parts, as their sources name them. */
function listVitest(): KnownTest[] {
  const folder = mkdtempSync(join(tmpdir(), 'solcallers-tests-'));
  try {
    const file = join(folder, 'tests.json');
    runTool('vitest/vitest.mjs', ['list', '--static-parse', `--json=${file}`]);
    const found = JSON.parse(readFileSync(file, 'utf8')) as {
      name: string;
      file: string;
      projectName: string;
    }[];
    return found.map((test) => ({
      part: test.projectName,
      name: test.name.replaceAll(' > ', ' › ').replaceAll(/\\(['"])/g, '$1'),
      file: test.file,
    }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface PlaywrightSuite {
  readonly title: string;
  readonly suites?: readonly PlaywrightSuite[];
  readonly specs: readonly { readonly title: string }[];
}

function listPlaywright(): KnownTest[] {
  const folder = join(root, 'e2e');
  const { suites } = JSON.parse(
    runTool('@playwright/test/cli.js', [
      'test',
      '--config',
      'e2e/playwright.config.ts',
      '--list',
      '--reporter=json',
    ]),
  ) as { suites: readonly PlaywrightSuite[] };
  const walk = (
    suite: PlaywrightSuite,
    { path, file }: { path: readonly string[]; file: string },
  ): KnownTest[] => [
    ...suite.specs.map(({ title }) => ({ part: 'e2e', name: [...path, title].join(' › '), file })),
    ...(suite.suites ?? []).flatMap((inner) => walk(inner, { path: [...path, inner.title], file })),
  ];
  return suites.flatMap((suite) => walk(suite, { path: [], file: join(folder, suite.title) }));
}

beforeAll(() => {
  known = [...listVitest(), ...listPlaywright()];
}, 60_000);

const describeRow = ({ id, line }: SpecificationRow) => `${id} ${line}`;

describe('the table of the specification', () => {
  it('covers its sections, numbered without gaps', () => {
    const sections = [...new Set(rows.map(({ id }) => id.split('.')[0]))];
    expect(sections).toEqual(['2', '4', '5', '6', '8', '9']);
    for (const section of sections) {
      const ids = rows.map(({ id }) => id).filter((id) => id.startsWith(`${section}.`));
      expect(ids).toEqual(ids.map((_, index) => `${section}.${index + 1}`));
    }
  });

  it('quotes a line in every row', () => {
    expect(rows.filter(({ line }) => line === '').map(describeRow)).toEqual([]);
  });

  it('has a proof for every line', () => {
    expect(rows.filter(({ proofs }) => proofs.length === 0).map(describeRow)).toEqual([]);
  });

  it('names only tests that there are', () => {
    expect(known.length).toBeGreaterThan(500);
    const sources = new Map(
      [...new Set(known.map(({ file }) => file))].map((file) => [file, readFileSync(file, 'utf8')]),
    );
    const missing = rows.flatMap((row) =>
      row.proofs
        .filter(
          (proof) => !known.some((test) => isProvenBy(proof, { test, source: sources.get(test.file) ?? '' })),
        )
        .map((proof) => `${row.id}: ${proof}`),
    );
    expect(missing).toEqual([]);
  });
});
