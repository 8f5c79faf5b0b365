import { SECOND_MS } from '#schema/constants/time.ts';
import { AppError } from '../../../app/errors.ts';

export const createTooManyExportsError = (waitMs: number) =>
  new AppError({
    code: 'account.too_many_exports',
    message: 'You have exported your data too often. Try again in a few minutes.',
    retryAfterSeconds: Math.ceil(waitMs / SECOND_MS),
  });

export const createUnknownSectionError = () =>
  new AppError({
    code: 'request.invalid',
    message: 'section: There is no such section. Start from the first part.',
    details: { field: 'section' },
  });

export const createOpenCallsError = (symbols: readonly string[]) =>
  new AppError({
    code: 'account.open_calls',
    message: `End your open calls first: ${symbols.join(', ')}. Nothing was deleted.`,
    details: { symbols },
  });
