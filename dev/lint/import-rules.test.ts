import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import config from '../../oxlint.config.ts';
import type { ImportArea, ImportRule } from './import-area.ts';
import { importAreas, importOverrides } from './import-rules.ts';

const RULE = 'no-restricted-imports';
const folder = mkdtempSync(path.join(tmpdir(), 'planted-imports-'));
afterAll(() => rmSync(folder, { recursive: true }));

const importOf = (specifier: string) => `export { a } from '${specifier}';`;
const typeImportOf = (specifier: string) => `export type { A } from '${specifier}';`;

const refusedBy = ({ forbid = {}, only }: ImportRule) => [...Object.values(forbid), ...(only?.refuses ?? [])];

/** A file that has each refused import of an area, as an import of a value and as one of a type. */
const plantedLines = (area: ImportArea) =>
  area.rules.flatMap(refusedBy).flatMap((specifier) => [importOf(specifier), typeImportOf(specifier)]);

interface Diagnostic {
  readonly code: string;
  readonly help: string;
  readonly filename: string;
  readonly labels: readonly { readonly span: { readonly line: number } }[];
}

/** Writes files with these lines and runs oxlint on them. Returns a function that lists the messages for a line. */
function lint(files: ReadonlyMap<string, readonly string[]>) {
  for (const [file, lines] of files) {
    mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
    writeFileSync(path.join(folder, file), `${lines.join('\n')}\n`);
  }
  const rules = { categories: { correctness: 'off' }, overrides: importOverrides };
  writeFileSync(path.join(folder, '.oxlintrc.json'), JSON.stringify(rules));
  const oxlint = path.resolve('node_modules/oxlint/bin/oxlint');
  const { stdout, stderr } = spawnSync(process.execPath, [oxlint, '--format', 'json'], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  expect(stderr).toBe('');
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: readonly Diagnostic[] };
  const found = diagnostics.map(({ code, help, filename, labels: [label] }) => {
    expect(code).toBe(`eslint(${RULE})`);
    return { message: help, file: filename, line: files.get(filename)?.[(label?.span.line ?? 0) - 1] };
  });
  return (file: string, line: string) =>
    found.filter((one) => one.file === file && one.line === line).map(({ message }) => message);
}

/** A file that a glob matches: `worker/planted.ts` for `worker/*.ts`. */
const exampleOf = (glob: string) =>
  glob
    .replaceAll(/\{([\w-]+)[^}]*\}/g, '$1')
    .replace('**/', '')
    .replace(/\*+$/, 'planted.ts')
    .replace('*.', 'planted.')
    .replaceAll('*', 'any');

const planted = importAreas.flatMap((area) => area.files.map((glob) => ({ example: exampleOf(glob), area })));
const messagesFor = lint(new Map(planted.map(({ example, area }) => [example, plantedLines(area)])));

test.for(planted)('the linter refuses each forbidden import in $example', ({ example, area }) => {
  for (const rule of area.rules) {
    for (const specifier of refusedBy(rule)) {
      expect(messagesFor(example, importOf(specifier)), specifier).toContain(rule.message);
      if (rule.typesAreFine) {
        expect(messagesFor(example, typeImportOf(specifier)), specifier).not.toContain(rule.message);
      } else {
        expect(messagesFor(example, typeImportOf(specifier)), specifier).toContain(rule.message);
      }
    }
  }
});

test('every import rule of the linter comes from importAreas and has an example for each pattern', () => {
  const overrides = (config.overrides ?? []).filter(({ rules }) => rules !== undefined && RULE in rules);
  expect(overrides).toEqual(importOverrides);
  expect(config.rules).not.toHaveProperty(RULE);
  for (const { forbid = {}, only } of importAreas.flatMap(({ rules }) => rules)) {
    expect(Object.keys(forbid).length + (only ? 1 : 0)).toBeGreaterThan(0);
    for (const [regex, example] of Object.entries(forbid)) expect(example).toMatch(new RegExp(regex));
    if (only) expect(only.refuses.length).toBeGreaterThan(0);
  }
});

test('no import rule uses a regex look-around, which oxlint ignores', () => {
  expect(JSON.stringify(config.overrides)).not.toMatch(/\(\?(!|=|<)/);
});

test('every glob of an import area matches its example file, and no file belongs to two areas', () => {
  for (const { files } of importAreas) {
    for (const glob of files) expect(path.matchesGlob(exampleOf(glob), glob), glob).toBe(true);
  }
  const tracked = execFileSync('git', ['ls-files', '*.ts', '*.tsx'], { encoding: 'utf8' }).trim().split('\n');
  const several = tracked.filter((file) => {
    const areas = importAreas.filter(
      ({ files, except = [] }) =>
        files.some((glob) => path.matchesGlob(file, glob)) &&
        !except.some((glob) => path.matchesGlob(file, glob)),
    );
    return areas.length > 1;
  });
  expect(several).toEqual([]);
});
