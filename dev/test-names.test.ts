import { describe, expect, it } from 'vitest';
import { isProvenBy } from './specification.ts';
import { namePattern } from './test-names.ts';

describe('a name of a test', () => {
  it.each([
    ['the layout › says where', 'the layout > says where nothing is', true],
    ['the layout › says where', 'the layout says where nothing is', true],
    ['says where', 'the layout > says where nothing is', true],
    ['sends %s as %s', 'the fee > sends .5 as 0.5', true],
    ['(enabled: %s)', 'reads Free (enabled: true)', true],
    ['the layout › says where', 'the layout of it > says where', false],
    ['a.c', 'abc', false],
    ['+50.0%', '+50.0%', true],
  ])('%o in %o: %s', (name, fullName, isMatch) => {
    expect(new RegExp(namePattern(name)).test(fullName)).toBe(isMatch);
  });
});

describe('a proof', () => {
  const source = "it.each([['0.01', 1], ['.5', 2]])('sends %s as a fee', () => {})";
  const test = { part: 'web', name: 'the fee › sends %s as a fee', file: '' };
  it.each([
    ['web › the fee › sends %s as a fee', true],
    ['web › the fee › sends .5 as a fee', true],
    ['web › the fee › sends 0.02 as a fee', false],
    ['unit › the fee › sends .5 as a fee', false],
    ['web › the fee › sends .5', false],
    ['web › sends .5 as a fee', false],
  ])('%o: %s', (proof, isProven) => {
    expect(isProvenBy(proof, { test, source })).toBe(isProven);
  });
});
