import type { Movements } from './buys.ts';
import { findTrade, type Trade } from './trades.ts';

/**
 * A caller's buys and sales of a call's token. Amounts are in the token's smallest units, times in unix ms.
 */
export interface FoundHoldings {
  readonly decimals: number;
  readonly heldBefore: bigint;
  /** The amount bought before the call, since the balance was last zero. */
  readonly bought: bigint;
  /** The cost of `bought`. Null if not all of it was paid in SOL alone. */
  readonly spentLamports: bigint | null;
  readonly firstBoughtAt: number | null;
  /** The amount bought or received between the call and its end. The fields below cover the same time. */
  readonly acquired: bigint;
  readonly sold: bigint;
  readonly firstSoldAt: number | null;
  readonly movedAway: bigint;
}

export interface TokenHistory {
  readonly mint: string;
  readonly owners: readonly string[];
  /** The owners' token accounts by address, with the balance at the end of the history (null if unknown). */
  readonly accounts: ReadonlyMap<string, bigint | null>;
  /** Every transaction of `accounts` up to the call's end, oldest slot first. */
  readonly transactions: readonly { readonly slot: number; readonly movements: Movements }[];
  /** Unix ms. */
  readonly calledAt: number;
}

/** Returns null if transactions are missing, because the figures would be wrong. */
export function findHoldings(history: TokenHistory): FoundHoldings | null {
  const { mint, owners, accounts, transactions, calledAt } = history;
  if (![...accounts.keys()].every((account) => isWhole(history, account))) return null;
  const changes = transactions.flatMap(({ movements }) => movements.tokenAccounts);
  const found = {
    ...nothingBought,
    decimals: changes.find((change) => change.mint === mint)?.decimals ?? 0,
    heldBefore: 0n,
    acquired: 0n,
    sold: 0n,
    firstSoldAt: null as number | null,
    movedAway: 0n,
  };
  for (const { movements } of transactions) {
    const { blockTime } = movements;
    if (blockTime === null) return null;
    const trade = findTrade(movements, { owners, mint });
    if (trade === null) continue;
    if (blockTime <= calledAt) {
      const heldBefore = found.heldBefore + signed(trade);
      Object.assign(found, heldBefore === 0n ? nothingBought : bought(found, trade, blockTime), {
        heldBefore,
      });
    } else if (trade.kind === 'sale') {
      found.sold += trade.amount;
      found.firstSoldAt ??= blockTime;
    } else if (trade.kind === 'moved') found.movedAway += trade.amount;
    else found.acquired += trade.amount;
  }
  return found;
}

type Purchases = Pick<FoundHoldings, 'bought' | 'spentLamports' | 'firstBoughtAt'>;

const nothingBought: Purchases = { bought: 0n, spentLamports: 0n, firstBoughtAt: null };

function bought(before: Purchases, { kind, amount, lamports }: Trade, at: number): Purchases {
  if (kind !== 'buy') return before;
  const isKnown = before.spentLamports !== null && lamports !== null;
  return {
    bought: before.bought + amount,
    spentLamports: isKnown ? before.spentLamports + lamports : null,
    firstBoughtAt: before.firstBoughtAt ?? at,
  };
}

function signed({ kind, amount }: Trade): bigint {
  return kind === 'buy' || kind === 'received' ? amount : -amount;
}

/**
 * True if an account's history has no gap: each transaction starts with the balance that the previous one
 * left, from zero to the final balance. Endpoints order the transactions of a slot differently, so any
 * matching order within a slot is accepted.
 */
function isWhole({ mint, owners, accounts, transactions }: TokenHistory, address: string): boolean {
  const left = transactions.flatMap(({ slot, movements }) =>
    movements.tokenAccounts
      .filter((change) => change.address === address && !movements.hasFailed)
      .map((change) => ({ ...change, slot })),
  );
  // The account belonged to another owner at some time, so its balance isn't only the caller's.
  if (left.some((change) => change.mint !== mint || !owners.includes(change.owner))) return false;
  let balance = 0n;
  while (left.length > 0) {
    const next = left.findIndex((change) => change.slot === left[0]?.slot && change.before === balance);
    const [change] = next < 0 ? [] : left.splice(next, 1);
    if (change === undefined) return false;
    balance = change.after;
  }
  const atTheEnd = accounts.get(address) ?? null;
  return atTheEnd === null || atTheEnd === balance;
}

export interface HoldingsSummary {
  /** The number of calls whose token the caller held, before or during the call. */
  readonly held: number;
  /** The number of held calls without a sale or a transfer away before the end. */
  readonly kept: number;
  readonly sold: number;
  /** The median time from a call to the first sale, in ms. Null without a sale. */
  readonly medianFirstSaleMs: number | null;
}

export interface SummedHoldings extends Pick<
  FoundHoldings,
  'heldBefore' | 'acquired' | 'sold' | 'movedAway' | 'firstSoldAt'
> {
  readonly calledAt: number;
}

export function summarizeHoldings(calls: readonly SummedHoldings[]): HoldingsSummary {
  const held = calls.filter(({ heldBefore, acquired }) => heldBefore + acquired > 0n);
  const delays = held
    .flatMap(({ firstSoldAt, calledAt }) => (firstSoldAt === null ? [] : [firstSoldAt - calledAt]))
    .toSorted((one, other) => one - other);
  const [low, high] = [delays[(delays.length - 1) >> 1], delays[delays.length >> 1]];
  return {
    held: held.length,
    kept: held.filter(({ sold, movedAway }) => sold + movedAway === 0n).length,
    sold: delays.length,
    medianFirstSaleMs: low === undefined || high === undefined ? null : Math.round((low + high) / 2),
  };
}
