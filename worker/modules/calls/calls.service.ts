import { CALL_HISTORY_LIMIT, ENDED_CALLS_PAGE_SIZE, LIST_MAX_PAGE_SIZE } from '#schema/constants.ts';
import type { CreateCallBody, TokenCall } from '#schema/contracts/calls.ts';
import type { CallEventKind } from '#schema/contracts/notifications.ts';
import type { ShownPrices } from '#schema/contracts/prices.ts';
import { changePercent } from '#schema/rules/performance.ts';
import { contradictingLevel, readLevel, type PriceLevels } from '#schema/rules/price-levels.ts';
import { isTooFarApart, readPrice } from '#schema/rules/prices.ts';
import { unrankedReason } from '#schema/rules/ranking.ts';
import { trimUnseen } from '#schema/rules/visible-text.ts';
import { isUniqueViolation } from '../../shared/database.ts';
import { createId } from '../../shared/ids.ts';
import { readOptionalCursor } from '../../shared/keyset.ts';
import { cutPage, type Page } from '../../app/pages.ts';
import type { Clock } from '../../ports/clock.ts';
import type { TokenIdentity, TokenQuote } from '../../ports/price-source.ts';
import { describeCall } from './call-view.ts';
import {
  createAlreadyCalledError,
  createAlreadyEndedError,
  createCallNotFoundError,
  createLevelInvalidError,
  createNotEntitledError,
  createNotYourCallError,
  createPriceInvalidError,
  createPriceMovedError,
  createTokenUnnamedError,
} from './calls.errors.ts';
import type { CallRow, CallsRepository } from './calls.repository.ts';

/** Prices: one fetched now from all sources, fit to be recorded, and the last known ones to look at. */
export interface QuotePort {
  storedPrices(mints: readonly string[]): Promise<ShownPrices>;
  freshQuote(question: { mint: string; action: string }): Promise<{
    price: string;
    quotes: readonly TokenQuote[];
    recordedSource: string;
    token: TokenIdentity | null;
  }>;
}

/** Whether the viewer may see this caller's active calls now; throws `callers.not_found` for nobody's id. */
export interface EntitlementPort {
  mayReadActiveCalls(question: { viewerId: string | null; callerId: string }): Promise<boolean>;
  assertIsCaller(userId: string): Promise<void>;
}

/** Tells followers. */
export interface TellingPort {
  /** Never throws: what does not begin now begins by itself. */
  announceSoon(event: { kind: CallEventKind; id: string }): Promise<void>;
}

export interface CallsOptions {
  readonly repository: CallsRepository;
  readonly quotes: QuotePort;
  readonly entitlement: EntitlementPort;
  readonly telling: TellingPort;
  readonly clock: Clock;
}

export function createCallsService({ repository, quotes, entitlement, telling, clock }: CallsOptions) {
  const findOwn = async ({ id, userId }: { id: string; userId: string }) => {
    const row = await repository.find(id);
    if (!row) throw createCallNotFoundError();
    if (row.caller_id !== userId) throw createNotYourCallError();
    if (row.ended_at !== null) throw createAlreadyEndedError();
    return row;
  };

  /** Rows for a viewer who may see all of them: active ones carry the last known price. */
  const describeCalls = async (rows: readonly CallRow[]): Promise<TokenCall[]> => {
    const active = rows.filter((row) => row.ended_at === null).map((row) => row.token_mint);
    const prices = active.length === 0 ? {} : await quotes.storedPrices(active);
    return rows.map((row) => describeCall(row, row.ended_at === null ? prices[row.token_mint] : undefined));
  };

  return {
    /**
     * Publishes a call at the price the server fetches now. The body's price is only what the caller
     * saw, and the token's name comes from the price sources. Whether it is ranked is decided here, once.
     */
    async create({ userId, body }: { userId: string; body: CreateCallBody }): Promise<TokenCall> {
      if (body.callerId !== userId) throw createNotYourCallError();
      await entitlement.assertIsCaller(userId);
      const seenPrice = readPrice(body.entryPrice);
      if (seenPrice === null) throw createPriceInvalidError('entryPrice');
      const levels = readLevels(body);
      const assertNotCalled = async (symbol: string) => {
        const active = await repository.findActive({ callerId: userId, mint: body.tokenMint, symbol });
        if (active) {
          throw createAlreadyCalledError({ symbol: active.tokenSymbol, activeMint: active.tokenMint });
        }
      };
      await assertNotCalled(body.tokenSymbol);
      const quote = await quotes.freshQuote({ mint: body.tokenMint, action: 'Failed to create token call' });
      if (isTooFarApart(seenPrice, quote.price)) throw createPriceMovedError({ currentPrice: quote.price });
      const level = contradictingLevel(levels, quote.price);
      if (level !== null) throw createLevelInvalidError({ level, entryPrice: quote.price });
      const { token } = quote;
      if (!token) throw createTokenUnnamedError();
      const id = createId();
      try {
        await repository.insert({
          call: {
            id,
            callerId: userId,
            tokenMint: body.tokenMint,
            tokenSymbol: token.symbol,
            tokenName: token.name,
            logoUri: token.logoURI,
            entryPrice: quote.price,
            calledAt: clock.now(),
            thesis: trimUnseen(body.thesis ?? '') || null,
            ...levels,
            isPaidPromotion: body.isPaidPromotion ?? false,
            unrankedReason: unrankedReason(quote.quotes, clock.now()),
          },
          quotes: quote.quotes,
          recordedSource: quote.recordedSource,
        });
      } catch (error) {
        if (!isUniqueViolation(error)) throw error;
        await assertNotCalled(token.symbol);
        throw createAlreadyCalledError({ symbol: token.symbol, activeMint: null });
      }
      await telling.announceSoon({ kind: 'call_opened', id });
      return this.get(id);
    },

    /** Ends the user's own active call at the price the server fetches now. Refused, the call stays as it was. */
    async end({ id, userId }: { id: string; userId: string }): Promise<TokenCall> {
      const call = await findOwn({ id, userId });
      const quote = await quotes.freshQuote({ mint: call.token_mint, action: 'Failed to end token call' });
      try {
        const hasEnded = await repository.end({
          call: { id, callerId: call.caller_id },
          endPrice: quote.price,
          changePercent: changePercent(call.entry_price, quote.price),
          endedAt: Math.max(clock.now(), call.called_at),
          quotes: quote.quotes,
          recordedSource: quote.recordedSource,
        });
        if (!hasEnded) throw createAlreadyEndedError();
      } catch (error) {
        throw isUniqueViolation(error) ? createAlreadyEndedError() : error;
      }
      await telling.announceSoon({ kind: 'call_ended', id });
      return this.get(id);
    },

    /** @throws calls.not_found, calls.not_yours, calls.already_ended */
    async assertOwnActive(question: { id: string; userId: string }): Promise<void> {
      await findOwn(question);
    },

    /** A call by id, for its owner. */
    async get(id: string): Promise<TokenCall> {
      const row = await repository.find(id);
      if (!row) throw createCallNotFoundError();
      return describeCall(row);
    },

    /** An ended call, for everyone. An active one is as absent as one that never was. @throws calls.not_found */
    async getEnded(id: string): Promise<TokenCall> {
      const row = await repository.find(id);
      if (!row || row.ended_at === null) throw createCallNotFoundError();
      return describeCall(row);
    },

    /** @throws calls.not_entitled, callers.not_found */
    async listActive({
      callerId,
      viewerId,
    }: {
      callerId: string;
      viewerId: string | null;
    }): Promise<TokenCall[]> {
      if (!(await entitlement.mayReadActiveCalls({ viewerId, callerId }))) throw createNotEntitledError();
      return describeCalls(await repository.listActive(callerId));
    },

    /** Ended calls for everyone, before them the active ones for who is entitled. */
    async listAll({
      callerId,
      viewerId,
    }: {
      callerId: string;
      viewerId: string | null;
    }): Promise<TokenCall[]> {
      const isEntitled = await entitlement.mayReadActiveCalls({ viewerId, callerId });
      const [active, ended] = await Promise.all([
        isEntitled ? repository.listActive(callerId) : [],
        repository.listEndedOf({ callerId, limit: CALL_HISTORY_LIMIT }),
      ]);
      return describeCalls([...active, ...ended]);
    },

    /** Calls of the callers a subscriber follows. The question names whose active calls may be read. */
    async listOfCallers(question: {
      activeCallerIds: readonly string[];
      endedCallerIds: readonly string[];
    }): Promise<TokenCall[]> {
      return describeCalls(await repository.listOfCallers({ ...question, limit: LIST_MAX_PAGE_SIZE }));
    },

    /** One page of everybody's ended calls, newest first. */
    async listEnded({
      cursor,
      limit = ENDED_CALLS_PAGE_SIZE,
    }: {
      cursor: string | undefined;
      limit: number | undefined;
    }): Promise<Page<TokenCall>> {
      const rows = await repository.listEnded({ cursor: readOptionalCursor(cursor), limit: limit + 1 });
      const { shown, nextCursor } = cutPage(rows, limit, ({ ended_at, id }) => ({
        value: ended_at ?? 0,
        id,
      }));
      return { rows: shown.map((row) => describeCall(row)), nextCursor };
    },
  };
}

/** @throws request.invalid for what is no price. */
function readLevels(body: CreateCallBody): PriceLevels {
  const read = (field: 'targetPrice' | 'stopPrice') => {
    const typed = body[field] ?? null;
    const price = typed === null ? null : readLevel(typed);
    if (typed !== null && price === null) throw createPriceInvalidError(field);
    return price;
  };
  return { targetPrice: read('targetPrice'), stopPrice: read('stopPrice') };
}
