import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '#dev/settings.ts';
import { plant } from './bug-plugin.ts';
import { plantedBugs } from '../planted-bugs.ts';

const read = (file: string) => readFileSync(join(root, file), 'utf8');

it.each(plantedBugs)('the code that a planted bug replaces occurs exactly once in its file: $name', (bug) => {
  const source = read(bug.file);
  expect(plant(source, bug)).not.toBe(source);
});

it('there are 40 planted bugs of payments and 18 of messages, all different', () => {
  expect(new Set(plantedBugs.map(({ file, place }) => file + place)).size).toBe(58);
  expect(new Set(plantedBugs.map(({ name }) => name)).size).toBe(58);
  expect(plantedBugs.filter(({ model }) => model === 'messages')).toHaveLength(18);
});

it('plant ignores formatting, and throws unless the file contains the code exactly once', () => {
  const bug = { name: 'sample', place: "a('b', [c,])", replacement: 'd' };
  expect(() => plant('x', bug)).toThrow('found 0 times');
  expect(() => plant(`a('b', [c]); a( "b", [c], )`, bug)).toThrow('found 2 times');
  expect(plant('a(\n  "b",\n  [c]\n);', bug)).toBe('d;');
});
