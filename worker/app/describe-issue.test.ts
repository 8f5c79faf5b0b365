import { expect, it } from 'vitest';
import { z } from 'zod';
import { describeIssue } from './validate.ts';

const schema = z.object({
  text: z.string().min(1).max(3),
  count: z.number().optional(),
  parts: z.array(z.string()).optional(),
  kind: z.enum(['free', 'paid']).optional(),
  address: z
    .string()
    .regex(/^[a-z]+$/)
    .optional(),
});

it.each([
  [{}, 'text', 'This is missing.'],
  [{ text: 7 }, 'text', 'This must be text.'],
  [{ text: '' }, 'text', "This mustn't be empty."],
  [{ text: 'four' }, 'text', 'Use at most 3 characters.'],
  [{ text: 'a', count: 'many' }, 'count', 'This must be a number.'],
  [{ text: 'a', parts: {} }, 'parts', 'This must be a list.'],
  [{ text: 'a', kind: 'rich' }, 'kind', 'This must be one of: free, paid.'],
  [{ text: 'a', address: '7' }, 'address', 'This has the wrong format.'],
  [null, '', 'This must be an object.'],
])('the issue of the input %j names %j and says %s', (input, path, message) => {
  const [issue] = schema.safeParse(input, { error: describeIssue }).error?.issues ?? [];
  expect([issue?.path.join('.'), issue?.message]).toEqual([path, message]);
});
