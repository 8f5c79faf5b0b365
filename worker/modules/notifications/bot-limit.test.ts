import { describe, expect, it } from 'vitest';
import { isBotLimited } from './bot-limit.ts';

/** '.' was taken, 'x' refused. */
const judge = (answers: string) => isBotLimited([...answers].map((answer) => answer === 'x'));

describe('whether a refusal is the bot’s own', () => {
  it.each([
    ['', false],
    ['x', false],
    ['xx', false],
    ['xxx', true],
    ['.xxx', false],
    ['xx.x', false],
    [`.${'x'.repeat(10)}`, false],
    [`.${'x'.repeat(11)}`, true],
    [`${'x'.repeat(11)}${'.'.repeat(9)}`, true],
    [`${'x'.repeat(10)}${'.'.repeat(10)}`, false],
    // What was long ago says nothing any more.
    [`${'x'.repeat(30)}${'.'.repeat(10)}`, false],
    [`${'.'.repeat(90)}${'x.'.repeat(10)}`, false],
    [`${'.'.repeat(90)}${'xx.'.repeat(7)}`, true],
  ])('%s: %s', (answers, isLimited) => expect(judge(answers)).toBe(isLimited));
});
