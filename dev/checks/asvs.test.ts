import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../settings.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');

it('docs/ASVS.md names only tests that exist', () => {
  const references = [...read('docs/ASVS.md').matchAll(/`([\w./-]+\.(?:test|spec)\.ts)(?: › ([^`]+))?`/g)];
  expect(references.length).toBeGreaterThan(50);
  const missing = references.filter(([, file = '', title]) => {
    const source = read(file);
    return title !== undefined && !source.includes(`'${title}'`);
  });
  expect(missing.map(([reference]) => reference)).toEqual([]);
});
