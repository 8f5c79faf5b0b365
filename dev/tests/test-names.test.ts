import { expect, it } from 'vitest';
import { namePattern } from './test-names.ts';

it.each([
  ['the layout › says where', 'the layout > says where nothing is', true],
  ['the layout › says where', 'the layout says where nothing is', true],
  ['says where', 'the layout > says where nothing is', true],
  ['sends %s as %s', 'the fee > sends .5 as 0.5', true],
  ['(enabled: %s)', 'reads Free (enabled: true)', true],
  ['the layout › says where', 'the layout of it > says where', false],
  ['a.c', 'abc', false],
  ['+50.0%', '+50.0%', true],
])('the pattern from the title %o matches the full test name %o: %s', (name, fullName, isMatch) => {
  expect(new RegExp(namePattern(name)).test(fullName)).toBe(isMatch);
});
