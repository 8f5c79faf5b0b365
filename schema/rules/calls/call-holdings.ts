import { HOLDINGS_AFTER_MS, HOLDINGS_BEFORE_MS, HOLDINGS_MIN_USD } from '#schema/constants/market.ts';
import { HOUR_MS, SECOND_MS } from '#schema/constants/time.ts';
import { formatUnits } from '../money/units.ts';
import type { Movements } from './buys.ts';
import { findTrade, type Trade } from './trades.ts';

/** A change of a caller's balance of a call's token. */
export interface HoldingsMovement extends Pick<Trade, 'kind'> {
  /** ISO 8601. A block's time has whole seconds. */
  readonly at: string;
  /** Decimal string in tokens. */
  readonly amount: string;
  /** Null if no price is known. */
  readonly usd: number | null;
}

/** Movements of a call's token in the caller's wallets, from an hour before the call to a day after its end. */
export interface FoundHoldings {
  /** The balance an hour before the call, a decimal string in tokens. Null if the chain doesn't show it. */
  readonly heldBefore: string | null;
  /** Oldest first, without movements of less than HOLDINGS_MIN_USD. */
  readonly movements: readonly HoldingsMovement[];
}

export interface CallTimes {
  readonly calledAt: number;
  readonly endedAt: number | null;
}

export function holdingsWindow({ calledAt, endedAt }: CallTimes): { from: number; until: number } {
  return {
    from: calledAt - HOLDINGS_BEFORE_MS,
    until: endedAt === null ? Number.POSITIVE_INFINITY : endedAt + HOLDINGS_AFTER_MS,
  };
}

/**
 * A block's time is rounded down to a second, so a movement in the same second as the call counts as during the call,
 * and a movement in the same second as the end counts as after the call.
 */
export function phaseOf(at: number, { calledAt, endedAt }: CallTimes): 'before' | 'during' | 'after' {
  if (at + SECOND_MS <= calledAt) return 'before';
  return endedAt === null || at + SECOND_MS <= endedAt ? 'during' : 'after';
}

export interface TokenHistory {
  readonly mint: string;
  readonly owners: readonly string[];
  /** The balance of each token account without a transaction in the window; null for the others. */
  readonly accounts: ReadonlyMap<string, bigint | null>;
  /** Oldest first. Transactions after the window only show the balances before them. */
  readonly transactions: readonly Movements[];
}

export interface FoundTrades {
  readonly decimals: number;
  readonly heldBefore: bigint | null;
  readonly trades: readonly (Trade & { readonly at: number })[];
}

export function findTrades(
  { mint, owners, accounts, transactions }: TokenHistory,
  times: CallTimes,
): FoundTrades {
  const { from, until } = holdingsWindow(times);
  const changes = transactions
    .filter(({ hasFailed }) => !hasFailed)
    .flatMap(({ tokenAccounts }) => tokenAccounts)
    .filter((change) => change.mint === mint && owners.includes(change.owner));
  // An account that was closed is only in the transactions.
  const addresses = new Set([...accounts.keys(), ...changes.map(({ address }) => address)]);
  const held = [...addresses].map(
    (address) =>
      accounts.get(address) ?? changes.find((change) => change.address === address)?.before ?? null,
  );
  return {
    decimals: changes[0]?.decimals ?? 0,
    heldBefore: held.reduce((total, each) => (total === null || each === null ? null : total + each), 0n),
    trades: transactions.flatMap((movements) => {
      const at = movements.blockTime;
      const trade = at === null || at < from || at > until ? null : findTrade(movements, { owners, mint });
      return at === null || trade === null ? [] : [{ ...trade, at }];
    }),
  };
}

/** Decimal strings in USD. */
export interface PricesAt {
  readonly token: string;
  readonly sol: string | null;
}

/**
 * A purchase or sale for less than this share of the last recorded value is a transfer with a tip, a fee or a reward. It
 * doesn't apply to purchases before the call or after its end, because the price may have been much lower then.
 */
const MIN_PAID_SHARE = 0.1;

export function describeTrades(
  { decimals, heldBefore, trades }: FoundTrades,
  { calledAt, endedAt, prices }: CallTimes & { readonly prices: ReadonlyMap<number, PricesAt> },
): FoundHoldings {
  const movements = trades.flatMap(({ at, kind, amount, payment }): HoldingsMovement[] => {
    const price = prices.get(at);
    const tokens = formatUnits(amount, decimals);
    const worth = Number(tokens) * Number(price?.token);
    const paid = payment && usdOf(payment, price?.sol ?? null);
    // No prices are recorded after the call's end.
    const market = endedAt !== null && at > endedAt + HOUR_MS ? null : worth;
    const isComparable = kind === 'sold' || (market !== null && at >= calledAt);
    const isTransfer = paid !== null && isComparable && paid < worth * MIN_PAID_SHARE;
    const usd = isTransfer ? market : (paid ?? market);
    if ((usd ?? worth) < HOLDINGS_MIN_USD) return [];
    return [
      {
        at: new Date(at).toISOString(),
        kind: isTransfer ? transferOf[kind] : kind,
        amount: tokens,
        usd: usd === null ? null : Math.round(usd * 100) / 100,
      },
    ];
  });
  return { heldBefore: heldBefore === null ? null : formatUnits(heldBefore, decimals), movements };
}

const transferOf = { bought: 'received', received: 'received', sold: 'sent', sent: 'sent' } as const;

function usdOf({ lamports, coins }: NonNullable<Trade['payment']>, sol: string | null): number | null {
  if (lamports > 0n && sol === null) return null;
  return Number(coins) / 1e6 + (Number(lamports) / 1e9) * Number(sol ?? 0);
}

export interface HoldingsSummary {
  /** The number of ended calls for which the chain was read. */
  readonly read: number;
  /** The number of these calls whose token was bought between an hour before the call and its end. */
  readonly bought: number;
  /** The number of these calls whose token was sold between the call and its end. */
  readonly sold: number;
  /** The median time from a call to the first sale, in ms. Null without a sale. */
  readonly medianFirstSaleMs: number | null;
}

export type SummedHoldings = Pick<FoundHoldings, 'movements'> & CallTimes;

export function summarizeHoldings(calls: readonly SummedHoldings[]): HoldingsSummary {
  const untilEnd = calls.map((call) => ({
    ...call,
    movements: call.movements.filter(({ at }) => phaseOf(Date.parse(at), call) !== 'after'),
  }));
  const delays = untilEnd
    .flatMap(({ calledAt, endedAt, movements }) => {
      const sale = movements.find(
        ({ kind, at }) => kind === 'sold' && phaseOf(Date.parse(at), { calledAt, endedAt }) === 'during',
      );
      return sale === undefined ? [] : [Math.max(0, Date.parse(sale.at) - calledAt)];
    })
    .toSorted((one, other) => one - other);
  const [low, high] = [delays[(delays.length - 1) >> 1], delays[delays.length >> 1]];
  return {
    read: calls.length,
    bought: untilEnd.filter(({ movements }) => movements.some(({ kind }) => kind === 'bought')).length,
    sold: delays.length,
    medianFirstSaleMs: low === undefined || high === undefined ? null : Math.round((low + high) / 2),
  };
}
