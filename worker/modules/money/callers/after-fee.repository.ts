import { sql, type SQL } from 'drizzle-orm';
import {
  FOLLOWER_STAKE_USD,
  FOLLOWER_STAKES_USD,
  MIN_AFTER_FEE_DAYS,
  MIN_PROVEN_RESULTS,
} from '#schema/constants/market.ts';
import {
  LAMPORTS_PER_SOL,
  MAX_SOL_PRICE_AGE_MS,
  SUBSCRIPTION_PERIOD_MS,
  WRAPPED_SOL_MINT,
} from '#schema/constants/money.ts';
import { shardOf } from '#schema/rules/prices/price-shards.ts';
import type { JsonText } from '#schema/rules/typed-json.ts';
import { NO_AFTER_FEE } from '#schema/tables/callers.ts';
import type { Statement } from '../../../shared/job-leases.ts';

export interface SeenPrice {
  readonly price: string;
  readonly at: number;
}

const newestClose = sql`
  SELECT c.price, s.refreshed_at AS at
  FROM price_shards s CROSS JOIN price_closes c
  WHERE s.shard = ${shardOf(WRAPPED_SOL_MINT)} AND c.mint = ${WRAPPED_SOL_MINT}
  ORDER BY c.at DESC
  LIMIT 1`;

/** SOL's newest closing price, and the time when it was last seen. */
export const solPrice = sql<JsonText<SeenPrice> | null>`(
  SELECT json_object('price', price, 'at', at) FROM (${newestClose}))`;

interface OrderTerms {
  /** JSON of CopiedSums, if the statement changes it. */
  readonly sums?: SQL;
  /** The fee, if the statement changes it. */
  readonly feeLamports?: bigint;
  readonly now: number;
}

/**
 * The value of the order `afterFee` for a row of `callers`: the gain beyond SOL with FOLLOWER_STAKE_USD per call, minus the
 * fee, in percent a month of the most money at one time. The months and SOL's price are those of the time when it's stored.
 * Without that price, the value stays.
 */
export const afterFeeOrder = ({ sums, feeLamports, now }: OrderTerms): SQL => sql`(
  SELECT iif(results < ${MIN_PROVEN_RESULTS} OR days < ${MIN_AFTER_FEE_DAYS}, ${NO_AFTER_FEE}, COALESCE(
    100 * (beyond / 1e6 / MAX(1, (${now} - since) / ${SUBSCRIPTION_PERIOD_MS}) - fee_usd / ${FOLLOWER_STAKE_USD}) / most,
    after_fee))
  FROM (
    SELECT sums ->> 'results' AS results, sums ->> 'days' AS days, sums ->> 'since' AS since, sums ->> 'mostAtOnce' AS most,
      (sums ->> ${STAKE_PPM}) - (sums ->> 'sol') AS beyond,
      iif(fee = 0, 0, fee / ${Number(LAMPORTS_PER_SOL)} * (
        SELECT CAST(price AS REAL) FROM (${newestClose}) WHERE at >= ${now - MAX_SOL_PRICE_AGE_MS})) AS fee_usd
    FROM (SELECT ${sums ?? sql`copied_sums`} AS sums, ${feeLamports === undefined ? sql`fee_lamports` : Number(feeLamports)} AS fee)))`;

/** Stores the value of the order for the months until now, so that it doesn't stay as it was while the caller is active. */
export const renewAfterFeeOrder = (callerId: string, now: number): Statement => sql`
  UPDATE callers SET after_fee = ${afterFeeOrder({ now })}
  WHERE caller_id = ${callerId} AND after_fee <> ${afterFeeOrder({ now })}`;

const STAKE_PPM = `$.ppm[${FOLLOWER_STAKES_USD.indexOf(FOLLOWER_STAKE_USD)}]`;
