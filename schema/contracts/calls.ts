import { z } from 'zod';
import {
  type CALL_ORIGINS,
  ENDED_CALLS_FILTERS,
  ENDED_CALLS_PAGE_SIZE,
  type HOLDINGS_STATES,
  THESIS_MAX_LENGTH,
} from '#schema/constants/market.ts';
import {
  TOKEN_NAME_MAX_LENGTH,
  TOKEN_SYMBOL_MAX_LENGTH,
  type QUOTE_FAILURES,
} from '#schema/constants/prices.ts';
import type { FoundHoldings } from '#schema/rules/calls/call-holdings.ts';
import type { CallLevel } from '#schema/rules/calls/price-levels.ts';
import type { FollowerRule } from '#schema/rules/calls/follower-return.ts';
import type { AutomaticEnd, UncountedGainReason, UnrankedReason } from '#schema/rules/calls/ranking.ts';
import { normalizeSymbol } from '#schema/rules/text/search.ts';
import { TOO_LONG_MESSAGES } from '#schema/rules/text/text-limits.ts';
import type { CallerSummary } from './callers.ts';
import type { ShownPrice } from './prices.ts';
import { addressSchema, idSchema, limitSchema, pageQuerySchema } from './shared.ts';

export const createCallSchema = z.object({
  tokenSymbol: z.string().trim().min(1).max(TOKEN_SYMBOL_MAX_LENGTH),
  tokenName: z.string().trim().min(1).max(TOKEN_NAME_MAX_LENGTH),
  tokenMint: addressSchema,
  /** The price of one unscaled token that the caller saw. If it differs by over 3% from the server's price, the call is refused. */
  entryPrice: z.string().min(1).max(60),
  callerId: idSchema,
  /** The icon that the caller saw. The server takes the icon's URL from its price sources. */
  logoURI: z.string().max(2_000).nullish(),
  /** The caller's reasons for the call. They can't be changed later. */
  thesis: z.string().trim().max(THESIS_MAX_LENGTH, TOO_LONG_MESSAGES.thesis).nullish(),
  /** Decimal strings in USD, for one unscaled token. The target must be at least 2% above the entry price, and the stop 2% below it. */
  targetPrice: z.string().min(1).max(60).nullish(),
  stopPrice: z.string().min(1).max(60).nullish(),
  isPaidPromotion: z.boolean().optional(),
});
export type CreateCallBody = z.infer<typeof createCallSchema>;

export const endedCallsQuerySchema = pageQuerySchema
  .extend({
    limit: limitSchema.default(ENDED_CALLS_PAGE_SIZE),
    only: z.enum(ENDED_CALLS_FILTERS).optional(),
    symbol: z.string().trim().min(1).max(TOKEN_SYMBOL_MAX_LENGTH).transform(normalizeSymbol).optional(),
  })
  .refine(({ only, symbol }) => only === undefined || symbol === undefined, {
    path: ['symbol'],
    error: 'Use one filter at a time: leave out only or symbol.',
  });
export type EndedCallsQuery = z.output<typeof endedCallsQuerySchema>;

export const endCallQuerySchema = z.object({
  /** Refuses to end the call at a gain that would count as 0%. The error is then `calls.gain_not_counted`. */
  onlyIfCounted: z.literal('true').optional(),
});

/**
 * A token call. Prices are decimal strings in USD, times ISO 8601. `endPrice` and `endTimestamp` are absent
 * while active. `endPrice` is '0' if the call ended because no source had a price.
 */
export interface TokenCall {
  readonly id: string;
  readonly callerId: string;
  readonly caller: CallerSummary;
  readonly tokenSymbol: string;
  readonly tokenName: string;
  readonly tokenMint: string;
  /** A path on our own site (`/api/images/…`), as in all responses. */
  readonly logoURI: string | null;
  /** Decimal string in USD, as all prices of a call for one unscaled token (10^decimals of its smallest units). */
  readonly entryPrice: string;
  /** The market cap at the entry in whole USD. Null if no source reported a market cap. */
  readonly entryMarketCapUsd: number | null;
  readonly callTimestamp: string;
  readonly isActive: boolean;
  readonly endPrice?: string;
  readonly endTimestamp?: string;
  /** An active call's current price. Left out if no source has had a price since the call was opened. */
  readonly lastPrice?: ShownPrice | undefined;
  readonly changePercent?: number;
  readonly thesis: string | null;
  readonly targetPrice: string | null;
  readonly stopPrice: string | null;
  readonly isPaidPromotion: boolean;
  /** Null for a ranked call. */
  readonly unrankedReason: UnrankedReason | null;
  /** The reason why the gain counts as 0%. Null for an active call, and for a result that counts unchanged. */
  readonly uncountedGainReason: UncountedGainReason | null;
  /** Reason for an automatic end. Null while the call is active, and if the caller ended it. */
  readonly automaticEnd: AutomaticEnd | null;
  /** The highest price since the entry. Absent until the cron has seen a price. */
  readonly peak?: { readonly price: string; readonly at: string } | undefined;
}

export type EndedCall = TokenCall & Required<Pick<TokenCall, 'endPrice' | 'endTimestamp' | 'changePercent'>>;

export type { AutomaticEnd, UncountedGainReason, UnrankedReason };

export type CallOrigin = (typeof CALL_ORIGINS)[number];

/** Time at which the price of an active call first reached its target or stop, confirmed by two sources. */
export interface LevelHit {
  readonly level: CallLevel;
  /** Decimal string in USD. */
  readonly price: string;
  /** ISO 8601. */
  readonly at: string;
}

export interface CallUpdate {
  readonly id: string;
  readonly message: string;
  /** ISO 8601. */
  readonly at: string;
}

export interface CallQuote {
  readonly side: 'open' | 'end';
  readonly source: string;
  /** Decimal string in USD, of one unscaled token. Null if the source had no price; `failure` gives the reason. An undated or rescaled quote has both. */
  readonly price: string | null;
  /** The price that the source sent, for another unit of a scaled token. Null if it's `price`. */
  readonly sentPrice: string | null;
  readonly failure: (typeof QUOTE_FAILURES)[number] | null;
  readonly isRecorded: boolean;
  /** The time when the source saw the price, ISO 8601. */
  readonly quotedAt: string;
  readonly blockId: number | null;
  readonly liquidityUsd: number | null;
  readonly volume24hUsd: number | null;
  /** The time when the token's pool opened, ISO 8601. */
  readonly poolCreatedAt: string | null;
  /** The token's multiplier on the chain. Null if the token isn't scaled. */
  readonly multiplier: number | null;
}

/** The token's movements in the caller's verified wallets. Nobody sees wallets that a caller hasn't verified. */
export interface CallHoldings {
  /** ISO 8601. Null until the chain is read, minutes after the call. It's read again at the end and a day later. */
  readonly readUntil: string | null;
  /** Null until the chain is read. */
  readonly state: (typeof HOLDINGS_STATES)[number] | null;
  /** Null unless `state` is `complete` or `partial`. */
  readonly found: FoundHoldings | null;
}

/** A price one minute after the call was made (`open`) or ended (`end`), for follower results. */
export interface PriceMark {
  readonly side: 'open' | 'end';
  /** Decimal string in USD. Null if no source had a price, while one had a price for SOL. */
  readonly price: string | null;
  readonly liquidityUsd: number | null;
  /** Decimal string in USD. Null if no source had one. */
  readonly solPriceUsd: string | null;
  readonly source: string | null;
  /** The time when the source saw the price, ISO 8601. */
  readonly seenAt: string;
}

/** Response of `GET /api/token-calls/{id}`. Only entitled viewers can read an active call. */
export interface CallDetail extends TokenCall {
  readonly madeOn: CallOrigin;
  readonly updates: readonly CallUpdate[];
  /** Oldest first; at most one per level. */
  readonly levelHits: readonly LevelHit[];
  readonly quotes: readonly CallQuote[];
  readonly holdings: CallHoldings | null;
  /** At most one per side, the opening's first. `followerResult` computes results from them. */
  readonly marks: readonly PriceMark[];
  /** The recorded result of FOLLOWER_STAKE_USD. Null until two minutes after the end. */
  readonly follower: {
    readonly rule: FollowerRule;
    /** Null if the call has no result. */
    readonly percent: number | null;
  } | null;
  /** Indexes of the call's entries in the public log. Empty while the call is active. */
  readonly logEntries: readonly number[];
  /** A note by operators. Null for an active call, and if there is none. */
  readonly note: { readonly text: string; readonly at: string } | null;
}

/** Response of `GET /api/token-calls/{id}/chart`. It has the prices from the entry to the end or now, oldest first. */
export interface CallChart {
  readonly points: readonly { readonly at: string; readonly price: string }[];
}

/** A token with an ended call. */
export interface CalledToken {
  readonly mint: string;
  readonly symbol: string;
  readonly name: string;
  readonly logoURI: string | null;
}

/** Response of `GET /api/tokens/{mint}/calls`. */
export interface TokenCalls extends CalledToken {
  /** At most TOKEN_CALLS, the newest first. */
  readonly ended: readonly TokenCall[];
  /** The token's first ended call. Null if no call has ended. */
  readonly first: TokenCall | null;
  /** Active calls of the viewer, and of followed callers to whom the viewer has access. */
  readonly active: readonly TokenCall[];
  /** Prices while the listed ended calls were open, oldest first. */
  readonly points: CallChart['points'];
}
