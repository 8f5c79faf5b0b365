import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../settings.ts';
import { expandRanges, findTests, listSources, listTests } from './specification.ts';

const ROW = /^\| (?<id>\d+\.\d+) \| (?<text>.*) \|[^|]*\|$/gm;
const page = readFileSync(join(root, 'docs/SPECIFICATION.md'), 'utf8');
const lines = [...page.matchAll(ROW)].map(({ groups: { id = '', text = '' } = {} }) => ({ id, text }));
const tests = listTests();
const provenIds = new Set(tests.flatMap(({ ids }) => ids));

it('docs/SPECIFICATION.md numbers the lines of each section without gaps', () => {
  const numbered = [...new Set(lines.map(({ id }) => id.split('.')[0]))];
  expect(numbered).toEqual(['2', '4', '5', '6', '8', '9']);
  for (const section of numbered) {
    const ids = lines.map(({ id }) => id).filter((id) => id.startsWith(`${section}.`));
    expect(ids).toEqual(ids.map((_, index) => `${section}.${index + 1}`));
  }
  expect(lines).toHaveLength(399);
  expect(lines.filter(({ text }) => text.trim() === '')).toEqual([]);
});

it('docs/SPECIFICATION.md has a test for each line', () => {
  expect(lines.filter(({ id }) => !provenIds.has(id)).map(({ id, text }) => `${id} ${text}`)).toEqual([]);
});

it('docs/SPECIFICATION.md has a line for each number in a test’s comment', () => {
  const known = new Set(lines.map(({ id }) => id));
  expect([...provenIds].filter((id) => !known.has(id))).toEqual([]);
});

describe('the Specification comment of a test', () => {
  it('every Specification comment is directly above a test that isn’t skipped', () => {
    const annotations = listSources().flatMap(
      (source) => source.match(/^[ \t]*\/\/ Specification \d/gm) ?? [],
    );
    expect(tests).toHaveLength(annotations.length);
    expect(tests.filter(({ title }) => title === '')).toEqual([]);
  });

  it('a Specification comment can have numbers and ranges', () => {
    expect(expandRanges('2.9-2.11, 2.40')).toEqual(['2.9', '2.10', '2.11', '2.40']);
  });

  it('a Specification comment is found above `it`, `test` and `it.each`, but not above skipped tests', () => {
    const above = (ids: string) => `  // Specification ${ids}\n`;
    const source = `${above('2.1')}it('is the caller\\'s', () => {});
${above('4.2, 4.3')}  it.each([
    ['a', 1],
  ])("%s", () => {});
${above('9.1')}test(\`pays\`, () => {});
${above('2.2')}it.skip('is skipped', () => {});
${above('2.3')}const text = 'is no test';`;
    expect(findTests(source)).toEqual([
      { title: "is the caller's", ids: ['2.1'] },
      { title: '%s', ids: ['4.2', '4.3'] },
      { title: 'pays', ids: ['9.1'] },
    ]);
  });
});
