import { MIN_COUNTED_HOLD_MS } from '#schema/constants/market.ts';
import { MINUTE_MS } from '#schema/constants/time.ts';
import { formatPrice } from '#schema/rules/prices/format-prices.ts';
import { pluralize, formatChange } from '#schema/rules/text/format.ts';
import { LEVEL_RULES, type CallLevel } from '#schema/rules/calls/price-levels.ts';
import type { UncountedGainReason } from '#schema/rules/calls/ranking.ts';
import { AppError } from '../../../app/errors.ts';

export const createTokenNotCalledError = () =>
  new AppError({ code: 'tokens.not_found', message: 'No call on this token has ended yet.' });

/** `activeMint` may differ from the requested mint, because a caller can have only one active call per symbol. */
export const createAlreadyCalledError = (symbol: string, activeMint: string | null) => {
  const token = activeMint === null ? symbol : `${symbol} (${activeMint})`;
  return new AppError({
    code: 'calls.already_called',
    message: `Already Called: you have an active ${token} call. End it first.`,
    details: { activeMint },
  });
};

export const createPriceInvalidError = (field: 'entryPrice' | 'targetPrice' | 'stopPrice') =>
  new AppError({
    code: 'request.invalid',
    message: `${field}: Enter a price above 0, such as 0.00002.`,
    details: { field },
  });

export const createLevelInvalidError = (level: CallLevel, entryPrice: string) =>
  new AppError({
    code: `calls.${level}_invalid`,
    message: `${LEVEL_RULES[level]}. The entry price is now $${entryPrice}. Change the ${level} or leave it empty.`,
    details: { entryPrice },
  });

export const createPriceMovedError = ({
  currentPrice,
  act = 'make',
}: {
  currentPrice: string;
  act?: string;
}) =>
  new AppError({
    code: 'calls.price_moved',
    message:
      `The price has moved by over 3% and is now $${formatPrice(currentPrice)}. Nothing was recorded. ` +
      `Check the new price and ${act} the call again.`,
    details: { currentPrice },
  });

export interface UncountedGain {
  readonly reason: UncountedGainReason;
  readonly endPrice: string;
  readonly changePercent: number;
  readonly heldMs: number;
}

const countedLater: Readonly<Record<UncountedGainReason, (heldMs: number) => string>> = {
  short_hold: (heldMs) => {
    const minutes = Math.ceil((MIN_COUNTED_HOLD_MS - heldMs) / MINUTE_MS);
    return (
      `because the call was open for less than ${MIN_COUNTED_HOLD_MS / MINUTE_MS} minutes. ` +
      `For a gain to count, end it in ${pluralize(minutes, 'minute')} or later.`
    );
  },
  one_source: () =>
    'because no second price source confirms the price at the moment, or the issuer has changed how many tokens ' +
    'wallets show. For a gain to count, end it once neither is so.',
};

export const createGainNotCountedError = ({ reason, endPrice, changePercent, heldMs }: UncountedGain) =>
  new AppError({
    code: 'calls.gain_not_counted',
    message: `The gain of ${formatChange(changePercent)} would count as 0% ${countedLater[reason](heldMs)}`,
    details: { reason, endPrice, changePercent },
  });
