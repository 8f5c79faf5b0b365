import type { z } from 'zod';

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

/** Returns a plain error message for an invalid part of a request, or `undefined` to use Zod's message. */
export function describeIssue(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'This is missing.';
      return `This must be ${TYPES[issue.expected] ?? issue.expected}.`;
    case 'invalid_value':
      return `This must be one of: ${issue.values.join(', ')}.`;
    case 'invalid_format':
      return 'This has the wrong format.';
    case 'too_big':
      return issue.origin === 'string' ? `Use at most ${issue.maximum} characters.` : undefined;
    case 'too_small':
      return issue.origin === 'string' && issue.minimum === 1 ? "This mustn't be empty." : undefined;
    default:
      return undefined;
  }
}
