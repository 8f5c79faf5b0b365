import { expect, it } from 'vitest';
import { fullName } from '#schema/rules/people/person-name.ts';
import { avatarNameOf } from './person-avatar.tsx';

// Specification 2.89-2.91
it.each([
  ['Ada', 'ada', 'C', 'Ada'],
  ['', 'ada', 'C', 'ada'],
  ['', '', 'C', 'C'],
  ['', '', 'U', 'U'],
  ['', 'user-1900000000000000006', 'U', 'U'],
])(
  'the avatar of a person with first name %o, handle %o and fallback %s has the name %s',
  (firstName, twitterHandle, otherwise, name) => {
    expect(avatarNameOf({ firstName, twitterHandle }, otherwise)).toBe(name);
  },
);

it.each([
  ['Ada', 'Byron', 'Ada Byron'],
  ['Ada', '', 'Ada'],
  ['', '', '@ada'],
])('a person with first name %o and last name %o has the full name %s', (firstName, lastName, name) => {
  expect(fullName({ firstName, lastName, twitterHandle: 'ada' })).toBe(name);
});
