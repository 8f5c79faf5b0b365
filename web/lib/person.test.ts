import { expect, it } from 'vitest';
import { fullName } from '#schema/rules/person-name.ts';
import { initialOf } from './person.ts';

it.each([
  ['Ada', 'ada', 'C', 'Ada'],
  ['', 'ada', 'C', 'ada'],
  ['', '', 'C', 'C'],
  ['', '', 'U', 'U'],
])(
  '[2.89-2.91] first name %o, handle %o and fallback %s give the initial of %s',
  (firstName, twitterHandle, otherwise, letter) => {
    expect(initialOf({ firstName, twitterHandle }, otherwise)).toBe(letter);
  },
);

it.each([
  ['Ada', 'Byron', 'Ada Byron'],
  ['Ada', '', 'Ada'],
  ['', '', '@ada'],
])('first name %o and last name %o give %s', (firstName, lastName, name) => {
  expect(fullName({ firstName, lastName, twitterHandle: 'ada' })).toBe(name);
});
