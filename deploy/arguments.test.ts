import { expect, it } from 'vitest';
import { readArguments } from './arguments.ts';

it.each([
  [['--foo'], "Unknown option '--foo'."],
  [[], 'Which environment?'],
  [['moon'], 'Which environment?'],
  [['staging', 'production'], 'Which environment?'],
])('a deploy with the invalid arguments %j stops and prints its usage', (args, message) => {
  expect(() => readArguments(args)).toThrow(
    expect.objectContaining({ message, advice: expect.stringContaining('Usage: npm run deploy') }),
  );
});

it('a dry run without an environment checks staging and production', () => {
  expect(readArguments(['--dry-run'])).toMatchObject({ chosen: ['staging', 'production'], isDryRun: true });
  expect(readArguments(['staging', '--all-at-once'])).toMatchObject({
    chosen: ['staging'],
    isAllAtOnce: true,
  });
});
