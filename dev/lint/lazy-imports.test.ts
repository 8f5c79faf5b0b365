import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const tracked = execFileSync('git', ['ls-files', '*.ts', '*.tsx'], { encoding: 'utf8' }).trim().split('\n');

const resolve = (file: string, specifier: string) =>
  specifier.startsWith('#') ? specifier.slice(1) : path.posix.join(path.posix.dirname(file), specifier);

interface Imports {
  readonly fixed: readonly string[];
  readonly lazy: readonly string[];
}

function importsOf(file: string): Imports {
  const text = readFileSync(file, 'utf8');
  const find = (pattern: RegExp) =>
    [...text.matchAll(pattern)].map(([, specifier = '']) => resolve(file, specifier));
  return { fixed: find(/\bfrom '([#.][^']+)'/g), lazy: find(/\bimport\('([#.][^']+)'\)/g) };
}

/** Lists the lazy imports whose module imports the importing file, directly or through other modules. */
function lazyCycles(modules: ReadonlyMap<string, Imports>): string[] {
  const reaches = (from: string, target: string, seen = new Set<string>()): boolean => {
    if (from === target) return true;
    if (seen.has(from)) return false;
    seen.add(from);
    return modules.get(from)?.fixed.some((next) => reaches(next, target, seen)) ?? false;
  };
  return [...modules].flatMap(([file, { lazy }]) =>
    lazy.filter((loaded) => reaches(loaded, file)).map((loaded) => `${file} → ${loaded}`),
  );
}

test('lazyCycles finds a lazily imported module that imports its importer', () => {
  const modules = new Map<string, Imports>([
    ['a.ts', { fixed: [], lazy: ['b.ts', 'd.ts'] }],
    ['b.ts', { fixed: ['c.ts'], lazy: [] }],
    ['c.ts', { fixed: ['a.ts'], lazy: [] }],
    ['d.ts', { fixed: [], lazy: [] }],
  ]);
  expect(lazyCycles(modules)).toEqual(['a.ts → b.ts']);
});

// The linter's `import/no-cycle` doesn't follow `import()`.
test('no lazily imported module imports its importer', () => {
  const modules = new Map(tracked.map((file) => [file, importsOf(file)]));
  expect([...modules.values()].flatMap(({ lazy }) => lazy).length).toBeGreaterThan(20);
  expect(lazyCycles(modules)).toEqual([]);
});
