import { type MOVEMENT_KINDS } from '#schema/constants/market.ts';
import { WRAPPED_SOL_MINT } from '#schema/constants/money.ts';
import { findBuys, solChange, tokenChanges, walletsAndTokenAccounts, type Movements } from './buys.ts';
import { isSolOrStableCoin } from './stable-coin-mints.ts';

export interface Payment {
  readonly lamports: bigint;
  /** USDC and USDT, in millionths. */
  readonly coins: bigint;
}

export interface Trade {
  readonly kind: (typeof MOVEMENT_KINDS)[number];
  /** In the token's smallest units, above 0. */
  readonly amount: bigint;
  /** Paid for a purchase, or got for a sale. Null for transfers, and if other tokens have also moved. */
  readonly payment: Payment | null;
}

interface TradeQuery {
  /** All wallets of one person. Transfers between them are no trade. */
  readonly owners: readonly string[];
  readonly mint: string;
}

/**
 * Returns the change of the owners' total balance of a token by a transaction, or null. Everything that isn't
 * clearly a purchase or a sale is a transfer: gifts, deposits in pools, swaps for other tokens.
 */
export function findTrade(movements: Movements, query: TradeQuery): Trade | null {
  if (movements.hasFailed) return null;
  const { owners, mint } = query;
  const changes = [...tokenChanges(movements, owners).values()];
  const amount = changes.find((change) => change.mint === mint)?.amount ?? 0n;
  if (amount === 0n) return null;
  const isAlone = changes.every(
    (change) => change.mint === mint || isSolOrStableCoin(change.mint) || change.amount === 0n,
  );
  if (amount > 0n) {
    const isBought = findBuys(movements, owners).some((bought) => bought.mint === mint);
    if (!isBought) return { kind: 'received', amount, payment: null };
    return { kind: 'bought', amount, payment: isAlone ? changeOf(movements, owners, -1n) : null };
  }
  if (!isSale(movements, query)) return { kind: 'sent', amount: -amount, payment: null };
  return { kind: 'sold', amount: -amount, payment: isAlone ? changeOf(movements, owners, 1n) : null };
}

/** The SOL and stable coins that the owners got (`sign` 1) or paid (`sign` -1). */
function changeOf(movements: Movements, owners: readonly string[], sign: 1n | -1n): Payment {
  const positive = (change: bigint) => (sign * change > 0n ? sign * change : 0n);
  const coins = [...tokenChanges(movements, owners).values()].filter(
    ({ mint }) => isSolOrStableCoin(mint) && mint !== WRAPPED_SOL_MINT,
  );
  return {
    lamports: positive(solChange(movements, owners)),
    coins: coins.reduce((total, { amount }) => total + positive(amount), 0n),
  };
}

const hasMoney = ({ lamports, coins }: Payment) => lamports + coins > 0n;

/** True if the owners got SOL or a stable coin: from an account that took the token, or in its instruction. */
function isSale(movements: Movements, { owners, mint }: TradeQuery): boolean {
  if (!hasMoney(changeOf(movements, owners, 1n))) return false;
  const takers = movements.tokenAccounts
    .filter((change) => change.mint === mint && change.after > change.before)
    .flatMap(({ owner }) => (owners.includes(owner) ? [] : owner));
  if (takers.some((taker) => hasMoney(changeOf(movements, [taker], -1n)))) return true;
  const accounts = walletsAndTokenAccounts(movements, owners);
  const instructions = new Set(movements.handovers.map(({ instruction }) => instruction));
  return [...instructions].some((instruction) => {
    const transfers = movements.handovers.filter((each) => each.instruction === instruction);
    const given = transfers.filter(
      ({ from, to }) => from !== null && accounts.has(from) && !accounts.has(to),
    );
    const got = transfers.filter(({ from, to }) => from !== null && !accounts.has(from) && accounts.has(to));
    return (
      given.length > 0 &&
      given.every((each) => each.mint === mint) &&
      got.some((each) => each.mint !== null && isSolOrStableCoin(each.mint))
    );
  });
}
