import { AppError } from '../../../app/errors.ts';

export const createImageNotFoundError = () =>
  new AppError({ code: 'images.not_found', message: "This image doesn't exist, or it can't be loaded now." });
