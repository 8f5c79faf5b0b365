import { zValidator } from '@hono/zod-validator';
import type { ValidationTargets } from 'hono';
import { z } from 'zod';
import { describeIssue } from './describe-issue.ts';
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

/** Validates one part of a request. The error message names the first problem. */
export function validate<Target extends keyof ValidationTargets, Schema extends z.ZodType>(
  target: Target,
  schema: Schema,
) {
  const validator = zValidator(target, schema, (result) => {
    if (result.success) return;
    const issue = result.error.issues[0];
    const field = issue?.path.join('.') ?? '';
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
