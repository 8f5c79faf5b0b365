import fc from 'fast-check';
import { expect, it } from 'vitest';
import { callerSearchText, normalizeSearch, searchPhrase } from './search.ts';

it.each([
  ['  Amara   LANTERNBY ', 'amara lanternby'],
  ['ＡＭＡＲＡ', 'amara'],
  ['Søns\t"MP" 🪁', 'søns "mp" 🪁'],
  ['%_', '%_'],
  ['   ', ''],
  ['J\u030Cohn', '\u01F0ohn'],
])('the search text %j is normalized to %j', (text, normalized) => {
  expect(normalizeSearch(text)).toBe(normalized);
});

it('a search finds callers by name, handle and @handle in any case', () => {
  const text = callerSearchText({ firstName: 'Amara', lastName: 'Lanternby', handle: 'Amara_Calls' });
  for (const term of ['amara', 'LANTERN', 'amara lanternby', 'amara_calls', '@Amara_calls']) {
    expect(text).toContain(normalizeSearch(term));
  }
  expect(text).not.toContain(normalizeSearch('kenji'));
});

it('normalizing a normalized search text changes nothing', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      (text) => normalizeSearch(normalizeSearch(text)) === normalizeSearch(text),
    ),
  );
});

it.each([
  ['a', '"61"'],
  ['ab', '"6162"'],
  ['aaaab', '"616161 616161 616162"'],
  ['é"*', '"c3a9222a"'],
  ['🪁🪁🪁', '"f09faa81f09faa81f09faa81"'],
])('the search index is searched for %j with the phrase %s', (term, phrase) => {
  expect(searchPhrase(term)).toBe(phrase);
});
