import { DAY_MS, HOUR_MS } from '#schema/constants/time.ts';

/**
 * A cheat's costs on the real market, in USD. Sources: docs.raydium.io, "CPMM fees" and "Protocol fees".
 * Gifts to other traders (somebody else buys the pumped token's liquidity) aren't counted.
 */
const SOL_USD = 150;
/** The fee for a new CPMM pool, plus rent that isn't returned. */
const POOL_CREATION_SOL = 0.15 + 0.04;
const TRADE_FEE = 0.0025;
/** The pool's owner gets the rest of the fee back. */
const SHARE_OF_FEE_LOST = 0.16;
/** Interest on the money that is tied up, per year. */
const INTEREST = 0.2;
const PLATFORM_SHARE = 0.1;
const YEAR_MS = 365 * DAY_MS;

/** The USD that raise the price of a constant-product pool by `factor`, with half of the liquidity on each side. */
const pumpUsd = (liquidityUsd: number, factor: number) => (liquidityUsd / 2) * (Math.sqrt(factor) - 1);

export interface OwnToken {
  readonly liquidityUsd: number;
  /** Traded with oneself before the call. */
  readonly volumeUsd?: number;
  readonly factor: number;
  readonly heldMs?: number;
}

/** A token with a new pool of one's own, pumped by `factor` and sold again. */
export const ownTokenUsd = (token: OwnToken): number => POOL_CREATION_SOL * SOL_USD + pumpedAgainUsd(token);

/** A token whose pool exists already. */
export function pumpedAgainUsd({ liquidityUsd, volumeUsd = 0, factor, heldMs = HOUR_MS }: OwnToken): number {
  const pump = pumpUsd(liquidityUsd, factor);
  const fees = (volumeUsd + 2 * pump) * TRADE_FEE * SHARE_OF_FEE_LOST;
  return fees + (liquidityUsd + pump) * INTEREST * (heldMs / YEAR_MS);
}

/** Pumps other people's pool by `factor`. They sell into it before the cheat can. */
export function pumpedUsd({ liquidityUsd, factor }: { liquidityUsd: number; factor: number }): number {
  const pump = pumpUsd(liquidityUsd, factor);
  return pump * (1 - 1 / Math.sqrt(factor)) + 2 * pump * TRADE_FEE;
}

/** The commission of a month's subscriptions from own accounts. */
export const subscribedUsd = (count: number, feeSol: number): number =>
  count * feeSol * PLATFORM_SHARE * SOL_USD;
