import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '#dev/settings.ts';
import { plant } from './bug-plugin.ts';
import { plantedBugs } from '../planted-bugs.ts';

const read = (file: string) => readFileSync(join(root, file), 'utf8');

it.each(plantedBugs)('a planted bug replaces code that its file contains exactly once: $name', (bug) => {
  const source = read(bug.file);
  expect(plant(source, bug)).not.toBe(source);
});

it('planted bugs include 28 different bugs', () => {
  expect(new Set(plantedBugs.map(({ file, place }) => file + place)).size).toBe(28);
  expect(new Set(plantedBugs.map(({ name }) => name)).size).toBe(28);
});

it('a planted bug replaces its code in any formatting, and is rejected unless the file contains the code once', () => {
  const bug = { name: 'sample', file: '', place: "a('b', [c,])", replacement: 'd' };
  expect(() => plant('x', bug)).toThrow('found 0 times');
  expect(() => plant(`a('b', [c]); a( "b", [c], )`, bug)).toThrow('found 2 times');
  expect(plant('a(\n  "b",\n  [c]\n);', bug)).toBe('d;');
});
