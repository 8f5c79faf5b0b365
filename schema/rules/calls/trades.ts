import { WRAPPED_SOL_MINT } from '#schema/constants.ts';
import {
  walletsAndTokenAccounts,
  findBuys,
  isSolOrStableCoin,
  solChange,
  tokenChanges,
  type Movements,
} from './buys.ts';

/**
 * A change of the owners' balance. `received` and `moved` are changes without a payment, such as gifts,
 * transfers to other people and deposits in pools.
 */
export interface Trade {
  readonly kind: 'buy' | 'sale' | 'received' | 'moved';
  /** The traded amount in the token's smallest units, above 0. */
  readonly amount: bigint;
  /** The cost of a buy. Null if it wasn't paid in SOL alone, or paid for several tokens. */
  readonly lamports: bigint | null;
}

interface TradeQuery {
  /** All wallets of one person. Transfers between them are no trade. */
  readonly owners: readonly string[];
  readonly mint: string;
}

/**
 * Returns the change of the owners' total balance of a token by a transaction. Null if the balance stays the
 * same.
 */
export function findTrade(movements: Movements, { owners, mint }: TradeQuery): Trade | null {
  if (movements.hasFailed) return null;
  const amount = tokenChanges(movements, owners).get(mint)?.amount ?? 0n;
  if (amount === 0n) return null;
  if (amount < 0n) {
    const kind = isSale(movements, { owners, mint }) ? 'sale' : 'moved';
    return { kind, amount: -amount, lamports: null };
  }
  const bought = findBuys(movements, owners);
  if (!bought.some((each) => each.mint === mint)) return { kind: 'received', amount, lamports: null };
  return { kind: 'buy', amount, lamports: bought.length === 1 ? solPaid(movements, owners) : null };
}

function solPaid(movements: Movements, owners: readonly string[]): bigint | null {
  const sol = solChange(movements, owners);
  return sol < 0n && coinChanges(movements, owners).every((change) => change === 0n) ? -sol : null;
}

/** Returns the changes of the owners' balances of stable coins. */
function coinChanges(movements: Movements, owners: readonly string[]): bigint[] {
  return [...tokenChanges(movements, owners).values()]
    .filter(({ mint }) => isSolOrStableCoin(mint) && mint !== WRAPPED_SOL_MINT)
    .map(({ amount }) => amount);
}

/** True if the owners got SOL or a stable coin, or if one instruction exchanged the token for another one. */
function isSale(movements: Movements, { owners, mint }: TradeQuery): boolean {
  if (solChange(movements, owners) > 0n || coinChanges(movements, owners).some((change) => change > 0n)) {
    return true;
  }
  const accounts = walletsAndTokenAccounts(movements, owners);
  const instructions = new Set(movements.handovers.map(({ instruction }) => instruction));
  return [...instructions].some((instruction) => {
    // Minted tokens are left out, because pools mint receipts for deposits.
    const transfers = movements.handovers.filter(
      (each) => each.instruction === instruction && each.from !== null && each.mint !== null,
    );
    const given = transfers.filter(({ from, to }) => accounts.has(from ?? '') && !accounts.has(to));
    const got = transfers.filter(({ from, to }) => !accounts.has(from ?? '') && accounts.has(to));
    return (
      given.length > 0 && given.every((each) => each.mint === mint) && got.some((each) => each.mint !== mint)
    );
  });
}
