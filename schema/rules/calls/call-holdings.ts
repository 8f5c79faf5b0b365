import type { Movements } from './buys.ts';
import { findTrade, type Trade } from './trades.ts';

/** A caller's buys and sales of a call's token. Amounts are in its smallest units, times in unix ms. */
export interface FoundHoldings {
  readonly decimals: number;
  readonly heldBefore: bigint;
  /** Bought before the call, since they last held nothing. */
  readonly bought: bigint;
  /** The cost of `bought`. Null if not all of it was paid in SOL alone. */
  readonly spentLamports: bigint | null;
  readonly firstBoughtAt: number | null;
  /** Bought or received between the call and its end. The next three are from the same time. */
  readonly acquired: bigint;
  readonly sold: bigint;
  readonly firstSoldAt: number | null;
  readonly movedAway: bigint;
}

export interface TokenHistory {
  readonly mint: string;
  readonly owners: readonly string[];
  /** All of the owners' token accounts. The value is the balance at the end of the history; null if unknown. */
  readonly accounts: ReadonlyMap<string, bigint | null>;
  /** Every transaction of these accounts up to the end, the oldest slot first. */
  readonly transactions: readonly { readonly slot: number; readonly movements: Movements }[];
  /** Unix ms. */
  readonly calledAt: number;
}

/** Null if transactions are missing, so that no figure is wrong. */
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
 * True if each transaction starts with the balance that the one before it left, from nothing to the balance at the end.
 * Endpoints order the transactions of a slot differently, so within a slot any order that fits is good.
 */
function isWhole({ mint, owners, accounts, transactions }: TokenHistory, address: string): boolean {
  const left = transactions.flatMap(({ slot, movements }) =>
    movements.tokenAccounts
      .filter((change) => change.address === address && !movements.hasFailed)
      .map((change) => ({ ...change, slot })),
  );
  // Somebody else owned the account, or owns it now. Its balance says nothing about these owners.
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
  /** Calls whose token the caller held, before the call or during it. */
  readonly held: number;
  /** The held calls without a sale or a transfer away before the end. */
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
