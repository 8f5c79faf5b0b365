import { z } from 'zod';
import { TOKEN_NAME_MAX_LENGTH, TOKEN_SYMBOL_MAX_LENGTH } from '#schema/constants/prices.ts';
import { UNKNOWN_SAFETY } from '#schema/rules/prices/token-safety.ts';
import type { MarketFigures } from '#schema/rules/calls/ranking.ts';
import { readPrice } from '#schema/rules/prices/prices.ts';
import { cutText, oneLine } from '#schema/rules/text/visible-text.ts';
import type { Clock } from '../ports/clock.ts';
import {
  SourceBackoffError,
  SourceFailedError,
  unnamedToken,
  type TokenFacts,
  type TokenIdentity,
  type TokenQuote,
} from '../ports/price-source.ts';

/** Drops a list's malformed entries. @throws if the body isn't a list */
export function readEntries<Schema extends z.ZodType>(schema: Schema) {
  return (body: unknown): z.output<Schema>[] =>
    z
      .array(z.unknown())
      .parse(body)
      .flatMap((entry) => schema.safeParse(entry).data ?? []);
}

/** A token's symbol or name on one line; empty if it's missing. */
export const textSchema = z.string().catch('').transform(oneLine);

interface SentNames {
  readonly symbol: string;
  readonly name: string;
  readonly icon?: string | null | undefined;
}

/** A token's names and logo. A missing name is replaced by the symbol, and the other way round. Null without both. */
export function readIdentity({ symbol, name, icon }: SentNames): TokenIdentity | null {
  if (symbol === '' && name === '') return null;
  return {
    // The chain allows names and symbols of any length, but a call doesn't.
    symbol: cutText(symbol || name, TOKEN_SYMBOL_MAX_LENGTH),
    name: cutText(name || symbol, TOKEN_NAME_MAX_LENGTH),
    logoURI: readLogo(icon),
  };
}

export function readLogo(address: string | null | undefined): string | null {
  const url = address == null ? null : URL.parse(address);
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : null;
}

/** A source's description of a token. Its price isn't checked yet. */
export interface FoundPrice
  extends Pick<TokenQuote, 'token' | 'multiplier' | 'blockId' | 'marketCapUsd' | 'safety'>, MarketFigures {
  readonly price: unknown;
}

export function describeToken(mint: string, found: FoundPrice, holderCount: number | null): TokenFacts {
  const { price, token, blockId: priceBlockId, poolCreatedAt: createdAt, ...facts } = found;
  const identity = token ?? unnamedToken(mint);
  return { ...identity, mint, price: readPrice(price), priceBlockId, createdAt, holderCount, ...facts };
}

/**
 * Builds a quote from the price that `find` returns, or one without a price if the source fails.
 * @throws SourceBackoffError if our rate limit is used up, and our own errors
 */
export async function quoteFrom(
  source: string,
  clock: Clock,
  find: () => Promise<FoundPrice | null>,
): Promise<TokenQuote> {
  const known = { source, multiplier: null, sentPrice: null };
  const fail = (failure: NonNullable<TokenQuote['failure']>, token: TokenIdentity | null = null) => {
    return {
      ...known,
      price: null,
      failure,
      quotedAt: clock.now(),
      blockId: null,
      liquidityUsd: null,
      volume24hUsd: null,
      poolCreatedAt: null,
      marketCapUsd: null,
      token,
      safety: UNKNOWN_SAFETY,
    };
  };
  try {
    const found = await find();
    if (found?.price == null) return fail('absent', found?.token);
    const price = readPrice(found.price);
    if (price === null) return fail('invalid', found.token);
    return { ...known, ...found, price, failure: null, quotedAt: clock.now() };
  } catch (error) {
    const isDown =
      error instanceof SourceFailedError || (error instanceof SourceBackoffError && error.isFailing);
    if (isDown) return fail('unavailable');
    throw error;
  }
}
