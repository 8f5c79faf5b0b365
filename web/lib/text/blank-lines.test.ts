import { expect, it } from 'vitest';
import { collapseBlankLines } from './blank-lines.ts';

it.each([
  ['one\ntwo', 'one\ntwo'],
  ['one\n\ntwo', 'one\n\ntwo'],
  ['one\n\n\n\n\ntwo', 'one\n\ntwo'],
  ['one\n \n\t\n \ntwo\n\n\nthree', 'one\n\ntwo\n\nthree'],
  ['  one\n  two', '  one\n  two'],
])('blank lines in %j are reduced to at most one in a row', (text, collapsed) => {
  expect(collapseBlankLines(text)).toBe(collapsed);
});
