import type { TokenSafety } from '#schema/rules/prices/token-safety.ts';
import { z } from 'zod';
import {
  MAX_MINTS_PER_REQUEST,
  TOKEN_SEARCH_MAX_LENGTH,
  TOKEN_SEARCH_MIN_LENGTH,
} from '#schema/constants/prices.ts';
import type { KnownToken } from '#schema/rules/prices/look-alike.ts';
import { oneLine } from '#schema/rules/text/visible-text.ts';
import { addressSchema } from './shared.ts';

export const pricesQuerySchema = z.strictObject({
  mints: z
    .string()
    .transform((text) => [...new Set(text.split(',').filter((mint) => mint !== ''))].sort())
    .pipe(
      z
        .array(addressSchema)
        .min(1, 'Add at least one mint.')
        .max(MAX_MINTS_PER_REQUEST, `Request at most ${MAX_MINTS_PER_REQUEST} mints at a time.`),
    ),
});

/** A price of one unscaled token to show, as a decimal string in USD, with its time (ISO 8601) and its source. */
export interface ShownPrice {
  readonly price: string;
  readonly at: string;
  readonly source: string;
}

/** Prices by mint. A mint without a price is left out. */
export type ShownPrices = Readonly<Record<string, ShownPrice>>;

/** Query of `GET /api/prices/sol`. Unknown parameters are refused, so that all viewers share a cache key. */
export const solPriceQuerySchema = z.strictObject({});

/** Response of `GET /api/prices/sol`: the last stored price of SOL. Null until a price is stored. */
export interface SolPrice {
  readonly sol: ShownPrice | null;
}

/** A better-known token with the same or a similar-looking symbol or name. */
export interface LookAlike extends Omit<KnownToken, 'safety'> {
  readonly isVerified: boolean;
}

/** A mint, or a part of a name or symbol. A comma becomes a space, because sources read it as a separator of mints. */
export const tokenSearchQuerySchema = z.strictObject({
  q: z
    .string()
    .max(TOKEN_SEARCH_MAX_LENGTH, `Use at most ${TOKEN_SEARCH_MAX_LENGTH} characters.`)
    .transform((text) => oneLine(text.replaceAll(',', ' ')))
    .pipe(z.string().min(TOKEN_SEARCH_MIN_LENGTH, `Type at least ${TOKEN_SEARCH_MIN_LENGTH} characters.`)),
});

/** One result of `GET /api/tokens/search`. Null means unknown. */
export interface FoundToken extends Omit<KnownToken, 'safety'> {
  readonly isVerified: boolean | null;
  readonly logoURI: string | null;
  readonly marketCapUsd: number | null;
  /** The best-known token with which this token could be confused. Null if there is none. */
  readonly lookAlike: LookAlike | null;
}

/** Response of `GET /api/tokens/{mint}`: new data of the price sources. `lookAlikes` may be ten minutes old. */
export interface TokenLookup {
  readonly mint: string;
  readonly symbol: string;
  readonly name: string;
  readonly logoURI: string | null;
  /** Decimal string in USD, of one unscaled token; null if no source prices the token. */
  readonly price: string | null;
  /** Wallets show this many for one unscaled token, as the price's source states. Null if it states nothing. */
  readonly multiplier: number | null;
  readonly liquidityUsd: number | null;
  readonly volume24hUsd: number | null;
  readonly marketCapUsd: number | null;
  /** The time when the token's first pool opened, ISO 8601. */
  readonly createdAt: string | null;
  readonly holderCount: number | null;
  readonly safety: TokenSafety;
  /** Null if the search failed. */
  readonly lookAlikes: readonly LookAlike[] | null;
  /** The time of the price, or of the request if there is no price; ISO 8601. */
  readonly at: string;
}
