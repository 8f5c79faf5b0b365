import { AppError } from '../../../app/errors.ts';

export const createTermsNotAcceptedError = () =>
  new AppError({
    code: 'terms.not_accepted',
    message: 'Accept the terms, the privacy notice and the risks first. Nothing was changed or charged.',
  });

export const createTermsOutdatedError = () =>
  new AppError({
    code: 'terms.outdated',
    message: 'These documents have changed. Reload the page to read and accept the current ones.',
  });
