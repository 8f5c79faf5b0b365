import { z } from 'zod';
import { MAX_MINTS_PER_REQUEST } from '#schema/constants.ts';
import { addressSchema } from './shared.ts';

export const pricesQuerySchema = z.strictObject({
  mints: z
    .string()
    .transform((text) => [...new Set(text.split(',').filter((mint) => mint !== ''))].sort())
    .pipe(
      z
        .array(addressSchema)
        .min(1, 'Name at least one mint.')
        .max(MAX_MINTS_PER_REQUEST, `At most ${MAX_MINTS_PER_REQUEST} mints at a time.`),
    ),
});

/** A price for people to look at: decimal string in USD, when it was fetched (ISO 8601) and from where. */
export interface ShownPrice {
  readonly price: string;
  readonly at: string;
  readonly source: string;
}

/** By mint; a mint without a price is left out. */
export type ShownPrices = Readonly<Record<string, ShownPrice>>;

export interface TokenLookup {
  readonly mint: string;
  readonly symbol: string;
  readonly name: string;
  readonly logoURI: string | null;
  /** Decimal string in USD, or null when no source prices it. */
  readonly price: string | null;
  readonly liquidityUsd: number | null;
}
