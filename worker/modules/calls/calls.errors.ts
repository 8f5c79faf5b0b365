import { AppError } from '../../app/errors.ts';

export const createCallNotFoundError = () =>
  new AppError({ code: 'calls.not_found', message: 'This call does not exist.' });

export const createNotYourCallError = () =>
  new AppError({ code: 'calls.not_yours', message: 'You can only make, end and update calls of your own.' });

export const createNotEntitledError = () =>
  new AppError({ code: 'calls.not_entitled', message: 'Subscribe to see the active calls of this caller.' });

export const createAlreadyEndedError = () =>
  new AppError({ code: 'calls.already_ended', message: 'This call has ended already.' });

/** The mint may be another than the one asked for: the same symbol counts as already called too. */
export const createAlreadyCalledError = ({
  symbol,
  activeMint,
}: {
  symbol: string;
  activeMint: string | null;
}) =>
  new AppError({
    code: 'calls.already_called',
    message: `Already Called: you have an active call of ${symbol}${activeMint === null ? '' : ` (${activeMint})`}. End it first.`,
    details: { activeMint },
  });

export const createPriceInvalidError = (field: 'entryPrice' | 'targetPrice' | 'stopPrice') =>
  new AppError({
    code: 'request.invalid',
    message: `${field}: This is not a price above 0.`,
    details: { field },
  });

const levelRefusals = {
  target: { code: 'calls.target_invalid', rule: 'A target must be above the entry price' },
  stop: { code: 'calls.stop_invalid', rule: 'A stop must be below the entry price' },
} as const;

/** A target or a stop on the wrong side of the entry price that the server fetched. */
export const createLevelInvalidError = ({
  level,
  entryPrice,
}: {
  level: 'target' | 'stop';
  entryPrice: string;
}) => {
  const { code, rule } = levelRefusals[level];
  return new AppError({
    code,
    message: `${rule}, which is ${entryPrice} now. Change it, or call without one.`,
    details: { entryPrice },
  });
};

export const createTokenUnnamedError = () =>
  new AppError({
    code: 'prices.missing',
    message: 'Failed to create token call - no source knows the name of this token',
  });

export const createPriceMovedError = ({ currentPrice }: { currentPrice: string }) =>
  new AppError({
    code: 'calls.price_moved',
    message: `The price has moved by over 3% since you saw it: it is ${currentPrice} now. Check it and call again.`,
    details: { currentPrice },
  });
