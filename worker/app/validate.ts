import { zValidator } from '@hono/zod-validator';
import type { ValidationTargets } from 'hono';
import type { z } from 'zod';
import { AppError } from './errors.ts';

/** Validates one part of a request. The error message names the first problem. */
export function validate<Target extends keyof ValidationTargets, Schema extends z.ZodType>(
  target: Target,
  schema: Schema,
) {
  return zValidator(target, schema, (result) => {
    if (result.success) return;
    const issue = result.error.issues[0];
    const field = issue?.path.join('.') ?? '';
    throw new AppError({
      code: 'request.invalid',
      message: `${field === '' ? '' : `${field}: `}${issue?.message ?? 'The request could not be read.'}`,
      details: field === '' ? {} : { field },
    });
  });
}
