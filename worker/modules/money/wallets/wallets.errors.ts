import { MAX_WALLETS } from '#schema/constants.ts';
import { AppError } from '../../../app/errors.ts';

export const createWalletAlreadyAddedError = () =>
  new AppError({ code: 'wallets.already_added', message: 'This wallet is already saved to your account.' });

export const createTooManyWalletsError = () =>
  new AppError({
    code: 'wallets.too_many',
    message: `You have saved ${MAX_WALLETS} wallets, which is the most. Remove one and try again.`,
  });

export const createChallengeInvalidError = () =>
  new AppError({
    code: 'wallets.challenge_invalid',
    message: 'The message to sign has expired or was used. Connect the wallet again.',
  });

export const createSignatureInvalidError = () =>
  new AppError({
    code: 'wallets.signature_invalid',
    message: 'The signature does not match this wallet. Connect the wallet again and sign the message.',
  });

export const createOtherMessageSignedError = () =>
  new AppError({
    code: 'wallets.signature_invalid',
    message:
      'Your wallet signed a different message than requested. Connect it again, or use another wallet.',
  });

export const createWalletNotFoundError = () =>
  new AppError({
    code: 'wallets.not_found',
    message: 'This wallet is not saved to your account. Reload the page to see your wallets.',
  });
