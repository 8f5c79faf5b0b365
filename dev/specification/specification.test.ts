import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../settings.ts';
import { composePage, expandTag, findTaggedTests, listTaggedTests, readSections } from './specification.ts';

const sections = readSections();
const lines = sections.flatMap((section) => section.lines);
const tests = listTaggedTests();
const provenIds = new Set(tests.flatMap(({ ids }) => ids));

describe('the specification', () => {
  it('numbers the lines of each section without gaps', () => {
    const numbered = [...new Set(lines.map(({ id }) => id.split('.')[0]))];
    expect(numbered).toEqual(['2', '4', '5', '6', '8', '9']);
    for (const section of numbered) {
      const ids = lines.map(({ id }) => id).filter((id) => id.startsWith(`${section}.`));
      expect(ids).toEqual(ids.map((_, index) => `${section}.${index + 1}`));
    }
    expect(lines).toHaveLength(399);
    expect(lines.filter(({ text }) => text === '')).toEqual([]);
  });

  it('has a test for every line', () => {
    expect(lines.filter(({ id }) => !provenIds.has(id)).map(({ id, text }) => `${id} ${text}`)).toEqual([]);
  });

  it('has a line for every tagged test', () => {
    const known = new Set(lines.map(({ id }) => id));
    expect([...provenIds].filter((id) => !known.has(id))).toEqual([]);
  });

  it('is written to docs/SPECIFICATION.md (if not, run npm run specification)', () => {
    const written = readFileSync(join(root, 'docs/SPECIFICATION.md'), 'utf8');
    expect(written === composePage(sections, tests)).toBe(true);
  });

  it('does not contain the titles of tests', () => {
    const renamed = tests.map((test) => ({ ...test, title: `${test.title} (renamed)` }));
    expect(composePage(sections, renamed)).toBe(composePage(sections, tests));
  });
});

describe('a test title’s tag', () => {
  it.each([
    ['2.31', ['2.31']],
    ['2.31, 4.2', ['2.31', '4.2']],
    ['2.9-2.11, 2.40', ['2.9', '2.10', '2.11', '2.40']],
  ])('expands %s to its line numbers', (tag, ids) => {
    expect(expandTag(tag)).toEqual(ids);
  });

  it('is found in the titles of `it`, `test` and `it.each` in any kind of quotes, but not in titles of skipped tests', () => {
    const tag = (ids: string) => `[${ids}] `;
    const source = `it('${tag('2.1')}is the caller\\'s', () => {}); it.each([])("${tag('4.2, 4.3')}%s", () => {});
      test(\`${tag('9.1')}pays\`, () => {}); it('[] has no tag', () => {}); it('[2] has none either', () => {});
      it.skip('${tag('2.2')}is skipped', () => {}); const text = '${tag('2.3')}is no test'`;
    expect(findTaggedTests(source, 'web')).toEqual([
      { part: 'web', tag: '[2.1]', title: "is the caller's", ids: ['2.1'] },
      { part: 'web', tag: '[4.2, 4.3]', title: '%s', ids: ['4.2', '4.3'] },
      { part: 'web', tag: '[9.1]', title: 'pays', ids: ['9.1'] },
    ]);
  });
});
