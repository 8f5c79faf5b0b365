import { describe, expect, it } from 'vitest';
import { findTweetTextProblem, tweetLength } from './tweet-text.ts';

describe('a tweet’s text', () => {
  it.each([
    ['', 0],
    ['  \n ', 0],
    [' a ', 1],
    ['🪁🪁', 2],
    ['日本', 2],
    ['a\nb', 3],
  ])('%j is %i long', (text, length) => expect(tweetLength(text)).toBe(length));

  it.each([
    ['', 'empty'],
    [' \t\n', 'empty'],
    ['\u200B \u2060\u202E', 'empty'],
    ['a', null],
    ['a'.repeat(280), null],
    [` ${'a'.repeat(280)} `, null],
    ['🪁'.repeat(280), null],
    ['a'.repeat(281), 'too_long'],
    ['🪁'.repeat(281), 'too_long'],
  ])('%j: %s', (text, problem) => expect(findTweetTextProblem(text)).toBe(problem));
});
