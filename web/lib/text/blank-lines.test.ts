import { expect, it } from 'vitest';
import { collapseBlankLines } from './blank-lines.ts';

it.each([
  ['one\ntwo', 'one\ntwo'],
  ['one\n\ntwo', 'one\n\ntwo'],
  ['one\n\n\n\n\ntwo', 'one\n\ntwo'],
  ['one\n \n\t\n \ntwo\n\n\nthree', 'one\n\ntwo\n\nthree'],
  ['  one\n  two', '  one\n  two'],
])('keeps at most one blank line in a row in %j', (text, collapsed) => {
  expect(collapseBlankLines(text)).toBe(collapsed);
});
