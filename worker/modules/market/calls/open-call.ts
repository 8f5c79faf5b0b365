import type { CallOrigin, CreateCallBody } from '#schema/contracts/calls.ts';
import { recordedMarketCap } from '#schema/rules/calls/market-cap.ts';
import { contradictingLevel, readLevel, type PriceLevels } from '#schema/rules/calls/price-levels.ts';
import { callLimitWait, LONGEST_CALL_LIMIT_MS, MAX_CALLS_COUNTED } from '#schema/rules/calls/call-limits.ts';
import { hasClearlyMoved, isTooFarApart, readPrice } from '#schema/rules/prices/prices.ts';
import { isSafetyKnown } from '#schema/rules/prices/token-safety.ts';
import { unrankedReason } from '#schema/rules/calls/ranking.ts';
import { cleanLines } from '#schema/rules/text/visible-text.ts';
import { AppError } from '../../../app/errors.ts';
import type { Clock } from '../../../ports/clock.ts';
import { isUniqueViolation } from '../../../shared/database.ts';
import { createId } from '../../../shared/ids.ts';
import {
  createAlreadyCalledError,
  createLevelInvalidError,
  createPriceInvalidError,
  createPriceMovedError,
} from './calls.errors.ts';
import type { TokenQuery } from './call-queries.repository.ts';
import type { CallsOptions } from './calls.ports.ts';
import { createCallsRepository, type CallsRepository } from './calls.repository.ts';
import { takeAttempt } from './take-attempt.ts';

export interface NewCallRequest {
  readonly userId: string;
  readonly body: CreateCallBody;
  readonly madeOn?: CallOrigin;
}

interface QuoteRequest {
  readonly userId: string;
  readonly mint: string;
  readonly seenPrice: string;
  readonly levels: PriceLevels;
}

/**
 * Opens a call at a price fetched now. The price in the body is only the price that the user saw. The token's
 * name comes from the price sources. This function decides whether the call is ranked, which never changes
 * later. If the caller has reached a limit, no price source gets a request.
 * @returns the call's id
 */
export function createOpenCall({ db, prices, attempts, pauses, callerGuard, clock }: CallsOptions) {
  const repository = createCallsRepository(db);
  const assertSymbolNotCalled = ({ userId, body }: NewCallRequest, symbol: string) =>
    assertNotCalled(repository, { callerId: userId, mint: body.tokenMint, symbol });

  /** @throws calls.too_many_attempts, calls.price_moved, calls.target_invalid, calls.stop_invalid */
  const fetchQuote = async ({ userId, mint, seenPrice, levels }: QuoteRequest) => {
    await takeAttempt(attempts, userId);
    const recent = await prices.recentPrice({ mint, userId });
    if (recent !== null && hasClearlyMoved(seenPrice, recent)) {
      throw createPriceMovedError({ currentPrice: recent });
    }
    const quote = await prices.freshQuote({ mint, userId, side: 'open' });
    if (isTooFarApart(seenPrice, quote.price)) throw createPriceMovedError({ currentPrice: quote.price });
    const level = contradictingLevel(levels, quote.price);
    if (level !== null) throw createLevelInvalidError(level, quote.price);
    return quote;
  };

  return async (request: NewCallRequest): Promise<string> => {
    const { userId, body, madeOn = 'site' } = request;
    if (body.callerId !== userId) throw new AppError({ code: 'calls.not_yours' });
    await callerGuard.assertMayOpenCalls(userId);
    await pauses.assertRunning('calls');
    const seenPrice = readPrice(body.entryPrice);
    if (seenPrice === null) throw createPriceInvalidError('entryPrice');
    const levels = readLevels(body);
    await assertSymbolNotCalled(request, body.tokenSymbol);
    const waitMs = await findLimitWait({ repository, clock }, userId);
    if (waitMs > 0) throw new AppError({ code: 'calls.too_many', waitMs });
    const { price, token, usableQuotes, ...evidence } = await fetchQuote({
      userId,
      mint: body.tokenMint,
      seenPrice,
      levels,
    });
    if (!token) throw new AppError({ code: 'prices.missing' });
    const call = {
      id: createId(),
      callerId: userId,
      tokenMint: body.tokenMint,
      tokenSymbol: token.symbol,
      tokenName: token.name,
      logoUri: token.logoURI,
      entryPrice: price,
      entryMarketCapUsd: recordedMarketCap({ ...evidence, price }),
      entrySafety: evidence.quotes.find(({ safety }) => isSafetyKnown(safety))?.safety ?? null,
      calledAt: clock.now(),
      thesis: cleanLines(body.thesis ?? '') || null,
      ...levels,
      isPaidPromotion: body.isPaidPromotion ?? false,
      madeOn,
      unrankedReason: unrankedReason({
        mint: body.tokenMint,
        quotes: evidence.quotes,
        usableCount: usableQuotes.length,
        now: clock.now(),
      }),
    };
    try {
      if (!(await repository.insert({ call, ...evidence }))) {
        await pauses.assertRunning('calls');
        throw new AppError({
          code: 'calls.too_many',
          waitMs: await findLimitWait({ repository, clock }, userId),
        });
      }
      return call.id;
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      await assertSymbolNotCalled(request, token.symbol);
      throw createAlreadyCalledError(token.symbol, null);
    }
  };
}

export async function assertNotCalled(repository: CallsRepository, token: TokenQuery): Promise<void> {
  const active = await repository.findActive(token);
  if (active) throw createAlreadyCalledError(active.tokenSymbol, active.tokenMint);
}

async function findLimitWait(
  { repository, clock }: { repository: CallsRepository; clock: Clock },
  callerId: string,
): Promise<number> {
  const now = clock.now();
  const since = now - LONGEST_CALL_LIMIT_MS;
  const calledAt = await repository.listNewestCallTimes({ callerId, since, limit: MAX_CALLS_COUNTED });
  return callLimitWait({ calledAt, now });
}

function readLevels(body: CreateCallBody): PriceLevels {
  const read = (field: 'targetPrice' | 'stopPrice') => {
    const typed = body[field] ?? null;
    if (typed === null) return null;
    const price = readLevel(typed);
    if (price === null) throw createPriceInvalidError(field);
    return price;
  };
  return { targetPrice: read('targetPrice'), stopPrice: read('stopPrice') };
}
