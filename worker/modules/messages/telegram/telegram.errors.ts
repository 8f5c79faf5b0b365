import { AppError } from '../../../app/errors.ts';

export const createHandleInvalidError = (problem: string) =>
  new AppError({ code: 'telegram.handle_invalid', message: problem });

export const createWebhookSecretError = () =>
  new AppError({ code: 'telegram.secret_invalid', message: 'Only Telegram may post here.' });
