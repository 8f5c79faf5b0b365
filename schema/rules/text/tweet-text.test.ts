import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { TWEET_LINK_LENGTH } from '#schema/constants/public.ts';
import { findTweetTextProblem, hasMention, tweetLength, weightedTweetLength } from './tweet-text.ts';

const LINK = TWEET_LINK_LENGTH;

describe('a tweet’s text', () => {
  it.each([
    ['', 0],
    ['  \n ', 0],
    [' a ', 1],
    ['🪁🪁', 2],
    ['日本', 2],
    ['a\nb', 3],
  ])('a tweet with the text %j has %i characters', (text, length) => expect(tweetLength(text)).toBe(length));

  // Specification 5.17, 9.11
  it.each([
    ['', 'empty'],
    [' \t\n', 'empty'],
    ['\u200B \u2060\u202E', 'empty'],
    ['a', null],
    ['a'.repeat(280), null],
    [` ${'a'.repeat(280)} `, null],
    ['🪁'.repeat(140), null],
    ['🪁'.repeat(141), 'too_heavy'],
    ['日'.repeat(280), 'too_heavy'],
    [`${'a'.repeat(256)} https://x.example/`, null],
    [`${'a'.repeat(257)} https://x.example/`, 'too_heavy'],
    ['a'.repeat(281), 'too_long'],
    ['🪁'.repeat(281), 'too_long'],
    [`https://x.example/${'a'.repeat(280)}`, 'too_long'],
  ])('findTweetTextProblem of the text %j is %s', (text, problem) =>
    expect(findTweetTextProblem(text)).toBe(problem),
  );

  it.each([
    ['too_long', `${'é'.repeat(61)}.`.repeat(50_000)],
    ['too_long', '🪁'.repeat(281)],
    ['too_long', '\uD83D'.repeat(281)],
    ['empty', ' '.repeat(100_000)],
    ['empty', '\u200B'.repeat(100_000)],
  ])('a tweet’s text is refused as %s before its links and emoji are counted', (problem, text) => {
    const weighing = vi.spyOn(String.prototype, 'normalize');
    expect(findTweetTextProblem(text)).toBe(problem);
    expect(weighing).not.toHaveBeenCalled();
    expect(findTweetTextProblem('a')).toBeNull();
    expect(weighing).toHaveBeenCalledOnce();
  });

  afterEach(() => vi.restoreAllMocks());
});

it.each([
  ['', 0],
  [' \n', 0],
  [' hello \n', 5],
  ['\u200B \u2060', 0],
  ['e\u0301', 1],
  ['שּׁ', 3],
  ['ჿ', 1],
  ['ᄀ', 2],
  ['\u2000.\u200D.\u200E', 5],
  ['\u200F', 0],
  ['.\u200E.\u2010.\u201F.\u2020', 10],
  ['‘’“”–—', 6],
  ['…•€', 6],
  ['′‷‹', 4],
  ['日本', 4],
  ['\uD83D', 2],
])('weightedTweetLength counts the characters %j as %i', (text, weight) =>
  expect(weightedTweetLength(text)).toBe(weight),
);

it.each([
  ['🪁', 2],
  ['👍🏽', 2],
  ['👨‍👩‍👧‍👦', 2],
  ['👩🏽‍❤️‍💋‍👨🏿', 2],
  ['🇳🇴', 2],
  ['🇽🇽', 4],
  ['🇳', 2],
  ['🏴󠁧󠁢󠁥󠁮󠁧󠁿', 2],
  ['1️⃣', 2],
  ['1⃣#⃣', 4],
  ['1', 1],
  ['❤️❤', 4],
  ['❤️‍🔥❤‍🔥', 4],
  ['🏳️‍🌈🏳‍🌈', 4],
  ['©®', 2],
  ['©️®️', 4],
  ['🐱‍👨‍👩‍👧', 5],
  ['👨‍👩‍👧‍👦🏽', 4],
  ['😀🏽', 4],
  ['☺\uFE0E', 4],
  ['a🪁b', 4],
])('weightedTweetLength counts the emoji %j as %i', (text, weight) =>
  expect(weightedTweetLength(text)).toBe(weight),
);

// Specification 9.11
it.each([
  ['http://a.co', LINK],
  [`HTTPS://a.co/${'long/'.repeat(99)}`, LINK],
  ['solcallers.example/call/1', LINK],
  ['a.co', LINK],
  ['name.al-lastname.com', LINK],
  ['https://a.example:8443/b?c=d#e', LINK],
  ['a.example:8443', LINK],
  ['https://пример.рф/путь', LINK],
  ['http://xn--e1afmkfd.xn--p1ai/', LINK],
  ['https://sub_domain.a.example', LINK],
  ['https://a.example/b_(c)', LINK],
  ['https://a.example/b_(c_(d))', LINK],
  ['(https://a.example/b)', LINK + 2],
  ['https://a.example/b.', LINK + 1],
  ['https://a.example/b!?', LINK + 2],
  ['https://a.example/b?c=d.', LINK + 1],
  ['https://a.example。', LINK + 2],
  ['a.exampleです', LINK + 4],
  ['日a.example/b日', LINK + 4],
  ['ELPAÍS.com', LINK],
  ['a.co b.co\nc.co', 3 * LINK + 2],
  ['a.co/🪁', LINK + 2],
  ['🪁a.co', LINK + 2],
  ['Sold.Again', LINK],
  [`${'é'.repeat(64)}.co`, 1 + LINK],
  [`é.${'é'.repeat(64)}.co`, 3 + LINK],
  ['@aéé.co', 3 + LINK],
  ['é.é.http://a.co', LINK + 7],
  ['é.é http://a.co', 4 + LINK],
  ['é.-a.é.b.co', 11],
  ['aé.é1.éa.co', LINK],
  ['é.é.1.5 a.co', 8 + LINK],
])('weightedTweetLength counts the links %j as %i', (text, weight) =>
  expect(weightedTweetLength(text)).toBe(weight),
);

it.each([
  '$a.co',
  '#a.co',
  '@a.co',
  '@http://a.co',
  'me@a.co',
  'john.doe@a.example',
  'john.doe.gov@a.example',
  '$0.00002000',
  'e.g. this',
  'a.m.',
  '1.50',
  'test.tar.bz2',
  'http://',
  'http://localhost:8787/call/1',
  'http://127.0.0.1/',
  'http://-a.co',
  'http://a-.co',
  'etc...and',
  '_a.co',
  '-a.co',
  '/a.co',
  `http://${'a'.repeat(64)}.co`,
  'a.c',
])('weightedTweetLength counts %j as plain text without a link', (text) =>
  expect(weightedTweetLength(text)).toBe(text.length),
);

const plain = fc.string({ unit: fc.constantFrom(...'abcdefghij KLMNO é–“”') });

it('weightedTweetLength counts the same for a short and a long link', () => {
  const path = fc.string({ unit: fc.constantFrom(...'abcXYZ019-_/'), maxLength: 200 });
  fc.assert(
    fc.property(plain, path, (words, end) => {
      expect(weightedTweetLength(`. ${words} https://a.example/${end}`)).toBe(
        weightedTweetLength(`. ${words} a.co`),
      );
    }),
  );
});

it('weightedTweetLength stays fast on long text that almost forms links', () => {
  const near = [
    'a.',
    'http://',
    'é',
    'a-',
    '日.',
    'é.',
    'aé.',
    '-é.',
    'http://é.',
    'http://a.co/(',
    'http://a.co/(a',
    '(a)',
    'http://a.co/?.',
    '👨‍',
  ].map((part) => part.repeat(2_000));
  // These texts would take minutes if every position started a search to the end of the text.
  near.push(
    `${'é'.repeat(61)}.`.repeat(4_000),
    `http://${'aéé'.repeat(20)}.`.repeat(2_000),
    `🏴${'\u{E0061}'.repeat(100_000)}\u{E007F}`,
  );
  for (const text of near) expect(weightedTweetLength(text)).toBeGreaterThan(0);
});

it.each([
  ['thanks, @ada', true],
  ['(＠ada)', true],
  ['@ada', true],
  ['日本@ada', true],
  ['é@ada', true],
  ['.@ada', true],
  ['RT@ada', true],
  ['rt:@ada', true],
  ['ada@mail', false],
  ['ART@mail', false],
  ['.rt@mail', false],
  ['_@ada', false],
  ['#@ada', false],
  ['$@ada', false],
  ['@＠ada', false],
  ['@\u2060ada', false],
  ['a price @ $1', false],
])('hasMention of %j is %s', (text, expected) => {
  expect(hasMention(text)).toBe(expected);
});
