import { zValidator } from '@hono/zod-validator';
import type { ValidationTargets } from 'hono';
import type { z } from 'zod';
import { AppError, UNREADABLE_REQUEST } from './errors.ts';

/** Validates one part of a request. The error message names the first problem. */
export function validate<Target extends keyof ValidationTargets, Schema extends z.ZodType>(
  target: Target,
  schema: Schema,
) {
  return zValidator(target, schema, (result) => {
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
}
