import type { CallSide, QuoteRefusal } from '#schema/rules/prices/quotes.ts';
import { AppError } from '../../../app/errors.ts';

const actions: Readonly<Record<CallSide, string>> = {
  open: 'Failed to create token call',
  end: 'Failed to end token call',
};

const reasons: Readonly<Record<QuoteRefusal, string>> = {
  unavailable: 'could not fetch current price',
  missing: 'no source has a price for this token. Try again later.',
  stale: 'the newest price is over 60 seconds old. Try again in a minute.',
  undated:
    "we can't tell how old the newest price is, because Solana doesn't respond. Try again in a minute.",
  unit_unknown:
    "we can't tell for which unit of this token the price is, because Solana or a price source doesn't say. Try again in a minute.",
  disagree: 'the price sources disagree by over 3%. Try again in a minute.',
};

/** We have used up a source's rate limit. The source isn't down, so the other source alone isn't enough. */
export const createPricesBusyError = ({ side, waitMs }: { side: CallSide; waitMs: number }) =>
  new AppError({
    code: 'prices.busy',
    message: `${actions[side]} - we can't ask for more prices right now. Nothing was recorded. Try again in {wait}.`,
    waitMs,
  });

export const createQuoteRefusedError = (refusal: QuoteRefusal, side: CallSide) =>
  new AppError({ code: `prices.${refusal}`, message: `${actions[side]} - ${reasons[refusal]}` });
