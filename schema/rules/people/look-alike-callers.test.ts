import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  compareByReputation,
  isBetterKnownCaller,
  personKey,
  type KnownCaller,
} from './look-alike-callers.ts';

it.each([
  ['arnara_calls', 'amara_calls'],
  ['amara__calls', 'amara_calls'],
  ['AmaraCalls_', 'amara_calls'],
  ['Amara_CaIIs', 'amara_calls'],
  ['amara_ca11s', 'amara_calls'],
  ['solm00n', 'SolMoon'],
  ['vvhale', 'whale'],
  ['5ol_calls', 'sol_calls'],
  ['Амаrа Саlls', 'Amara Calls'],
  ['Аmаrа Cаllѕ', 'Amara Calls'],
  ['𝐀𝐦𝐚𝐫𝐚 𝐂𝐚𝐥𝐥𝐬', 'Amara Calls'],
  ['🅐🅜🅐🅡🅐', 'Amara'],
  ['🅰🅼🅰🆁🅰', 'Amara'],
  ['Amara Calls 🚀', 'Amara Calls'],
  ['Amara 🇳🇬 Calls™', 'Amara Calls™'],
  ['Amára  Cálls', 'Amara Calls'],
  ['Ama\u200Bra Calls', 'Amara Calls'],
  ['Amara Calls', 'amara_calls'],
])('the look-alike key is the same for the people’s names %s and %s', (one, other) => {
  expect(personKey(one)).toBe(personKey(other));
});

it.each([
  ['amara_calls', 'amara_call'],
  ['amara_calls', 'amara_calls2'],
  ['Ada', 'Eda'],
  ['李明', '李红'],
])('the look-alike key differs for the people’s names %s and %s', (one, other) => {
  expect(personKey(one)).not.toBe(personKey(other));
});

it.each(['', '🚀🚀', '\u200B', '___', '— . —'])(
  'the look-alike key of a person’s name is empty without letters and digits: %j',
  (text) => {
    expect(personKey(text)).toBe('');
  },
);

it('the look-alike key of a person ignores underscores and case in every handle', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^\w{1,15}$/), (handle) => {
      expect(personKey(handle.toUpperCase().replaceAll('_', ''))).toBe(personKey(handle.toLowerCase()));
    }),
  );
});

const known = (change: Partial<KnownCaller> = {}): KnownCaller => ({
  isVerified: false,
  subscriberCount: 0,
  keySince: 2_000,
  ...change,
});

it.each<[string, Partial<KnownCaller>, Partial<KnownCaller>, boolean]>([
  ['a verified caller', { isVerified: true, keySince: 9_000 }, { subscriberCount: 500 }, true],
  [
    'an older caller with more subscribers, against a verified one',
    { subscriberCount: 500, keySince: 1 },
    { isVerified: true },
    false,
  ],
  ['one of two verified callers', { isVerified: true, keySince: 1 }, { isVerified: true }, false],
  ['an older caller with ten subscribers', { subscriberCount: 10, keySince: 1 }, {}, true],
  ['an older caller with nine subscribers', { subscriberCount: 9, keySince: 1 }, {}, false],
  [
    'an older caller with fewer subscribers',
    { subscriberCount: 40, keySince: 1 },
    { subscriberCount: 41 },
    false,
  ],
  [
    'a newer caller, with any number of subscribers',
    { subscriberCount: 1e6 },
    { subscriberCount: 40, keySince: 1 },
    false,
  ],
])('isBetterKnownCaller for $0 is $3', (_who, one, other, isBetter) => {
  expect(isBetterKnownCaller(known(one), known(other))).toBe(isBetter);
});

const anyCaller = fc.record({
  isVerified: fc.boolean(),
  subscriberCount: fc.nat(40),
  keySince: fc.nat(5),
});

it('isBetterKnownCaller is never true in both directions', () => {
  fc.assert(
    fc.property(
      anyCaller,
      anyCaller,
      (one, other) => !(isBetterKnownCaller(one, other) && isBetterKnownCaller(other, one)),
    ),
  );
});

it('isBetterKnownCaller is never true for an unverified caller who came later', () => {
  fc.assert(
    fc.property(
      anyCaller,
      anyCaller,
      (one, other) => one.isVerified || one.keySince < other.keySince || !isBetterKnownCaller(one, other),
    ),
  );
});

it('better-known callers come first: verified before unverified callers, then those with more subscribers', () => {
  const sorted = [
    known({ subscriberCount: 50 }),
    known({ isVerified: true, subscriberCount: 1 }),
    known({ subscriberCount: 60 }),
    known({ isVerified: true, subscriberCount: 2 }),
  ].toSorted(compareByReputation);
  expect(sorted.map(({ subscriberCount }) => subscriberCount)).toEqual([2, 1, 60, 50]);
});
