import { expect, it } from 'vitest';
import {
  fullName,
  handleOf,
  profileSlug,
  shownHandle,
  withHandle,
  xIdFromPlaceholderHandle,
} from './person-name.ts';

const ada = { id: 'ada-id', firstName: 'Ada', lastName: 'Byron', twitterHandle: 'ada' };
const former = { ...ada, twitterHandle: 'user-1900000000000000006' };
const nameless = { firstName: '', lastName: '' };

it('the placeholder handle of a person who lost the handle is never shown', () => {
  expect(handleOf(former)).toBeNull();
  expect(shownHandle(former)).toBe('Handle changed on X');
  expect(withHandle('Ada Byron', former)).toBe('Ada Byron');
  expect(fullName(former)).toBe('Ada Byron');
  expect(fullName({ ...former, ...nameless })).toBe('Unnamed');
  expect(profileSlug(former)).toBe('ada-id');
  expect(xIdFromPlaceholderHandle(former)).toBe('1900000000000000006');
});

it.each(['ada', 'user_1900', 'user1900', 'User'])(
  'a person with the ordinary handle %s is shown with this handle',
  (twitterHandle) => {
    const person = { ...ada, twitterHandle };
    expect(handleOf(person)).toBe(`@${twitterHandle}`);
    expect(shownHandle(person)).toBe(`@${twitterHandle}`);
    expect(withHandle('Ada Byron', person)).toBe(`Ada Byron (@${twitterHandle})`);
    expect(fullName({ ...person, ...nameless })).toBe(`@${twitterHandle}`);
    expect(profileSlug(person)).toBe(twitterHandle);
    expect(xIdFromPlaceholderHandle(person)).toBeNull();
  },
);
