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

/** What sources know of how safe a token is; null where none says. */
export interface TokenSafety {
  readonly isMintAuthorityDisabled: boolean | null;
  readonly isFreezeAuthorityDisabled: boolean | null;
  /** How much of the supply the largest holders have, in percent. */
  readonly topHoldersPercent: number | null;
  /** Whether a source itself calls it suspicious. */
  readonly isSuspicious: boolean | null;
  readonly isVerified: boolean | null;
}

/** Another token that goes by the same symbol, or one that looks the same, and is the better known of the two. */
export interface LookAlike {
  readonly mint: string;
  readonly symbol: string;
  readonly name: string;
  readonly liquidityUsd: number | null;
  readonly isVerified: boolean;
}

/** `GET /api/tokens/{mint}`: a token and what it costs, at most ten seconds old. */
export interface TokenLookup {
  readonly mint: string;
  readonly symbol: string;
  readonly name: string;
  readonly logoURI: string | null;
  /** Decimal string in USD, or null when no source prices it. */
  readonly price: string | null;
  readonly liquidityUsd: number | null;
  /** When its first pool opened, ISO 8601. */
  readonly createdAt: string | null;
  readonly holderCount: number | null;
  readonly safety: TokenSafety;
  /** Null when they could not be looked for. */
  readonly lookAlikes: readonly LookAlike[] | null;
  /** ISO 8601: as of when all this is. */
  readonly at: string;
}
