import { expect, it } from 'vitest';
import { namePattern } from './test-names.ts';

it.each([
  ['the layout › says where', 'matches', 'the layout > says where nothing is'],
  ['the layout › says where', 'matches', 'the layout says where nothing is'],
  ['says where', 'matches', 'the layout > says where nothing is'],
  ['sends %s as $1', 'matches', 'the fee > sends .5 as 0.5'],
  ['(enabled: %s)', 'matches', 'reads Free (enabled: true)'],
  ['the layout › says where', 'doesn’t match', 'the layout of it > says where'],
  ['a.c', 'doesn’t match', 'abc'],
  ['+50.0%', 'matches', '+50.0%'],
])('the pattern from the title “%s” %s the full test name “%s”', (name, verb, fullName) => {
  expect(new RegExp(namePattern(name)).test(fullName)).toBe(verb === 'matches');
});
