import { zValidator } from '@hono/zod-validator';
import type { ValidationTargets } from 'hono';
import { z } from 'zod';
import { AppError, UNREADABLE_REQUEST } from './errors.ts';

z.config({ customError: describeIssue });

interface Validation {
  readonly target: keyof ValidationTargets;
  readonly schema: z.ZodType;
}

const validations = new WeakMap<object, Validation>();

/** The target and schema of a `validate` middleware; undefined for others. Tests generate requests from them. */
export function validationOf(handler: object): Validation | undefined {
  return validations.get(handler);
}

export function validate<Target extends keyof ValidationTargets, Schema extends z.ZodType>(
  target: Target,
  schema: Schema,
) {
  const validator = zValidator(target, schema, (result, c) => {
    if (result.success) return;
    const issue = result.error.issues[0];
    const field = issue?.path.join('.') ?? '';
    const isRepeated = target === 'query' && (c.req.queries(field)?.length ?? 0) > 1;
    if (isRepeated) {
      throw new AppError({ code: 'request.invalid', message: `Use \`${field}\` once.`, details: { field } });
    }
    const problem = issue?.message ?? UNREADABLE_REQUEST;
    throw new AppError({
      code: 'request.invalid',
      message: field === '' ? problem : `${field}: ${problem}`,
      details: field === '' ? {} : { field },
    });
  });
  validations.set(validator, { target, schema });
  return validator;
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

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
      if (issue.origin === 'array') return `Use at most ${issue.maximum} entries.`;
      return issue.origin === 'string' ? `Use at most ${issue.maximum} characters.` : undefined;
    case 'unrecognized_keys':
      return `Leave out ${issue.keys.join(', ')}.`;
    case 'too_small':
      return issue.origin === 'string' && issue.minimum === 1 ? "This mustn't be empty." : undefined;
    default:
      return undefined;
  }
}
