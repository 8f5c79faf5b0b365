import { WRAPPED_SOL_MINT } from '#schema/constants/money.ts';
import { isSolOrStableCoin, STABLE_COIN_MINTS } from './stable-coin-mints.ts';

/** A token account's balance before and after a transaction, in the token's smallest units. Addresses base58. */
export interface TokenAccountChange {
  readonly address: string;
  readonly owner: string;
  readonly mint: string;
  readonly decimals: number;
  readonly before: bigint;
  readonly after: bigint;
}

/** An account that a transaction opened. `lamports` is the part of its balance that the payer deposited. */
export interface OpenedAccount {
  readonly address: string;
  readonly payer: string;
  readonly lamports: bigint;
}

export interface TokenTransfer {
  /** Index of the top-level instruction that made the transfer, directly or through inner instructions. */
  readonly instruction: number;
  /** The token's mint; for SOL, the wrapped SOL mint. Null if the transaction doesn't name it. */
  readonly mint: string | null;
  /** A wallet or a token account. Null for minted tokens. */
  readonly from: string | null;
  readonly authority: string;
  readonly to: string;
}

/**
 * A landed transaction's effect on its accounts. `lamportChanges` are the lamports after the transaction
 * minus the lamports before it.
 */
export interface Movements {
  readonly signature: string;
  readonly blockTime: number | null;
  readonly hasFailed: boolean;
  readonly feePayer: string;
  readonly feeLamports: bigint;
  readonly lamportChanges: ReadonlyMap<string, bigint>;
  readonly tokenAccounts: readonly TokenAccountChange[];
  readonly openedAccounts: readonly OpenedAccount[];
  readonly handovers: readonly TokenTransfer[];
}

export interface Bought {
  readonly mint: string;
  readonly amount: bigint;
  readonly decimals: number;
}

/**
 * Finds the tokens that a user bought in a transaction. `owners` are the user's wallets. The user must have
 * more of the token afterwards, and must have paid SOL or a stable coin for it (`wasPaidFor`). If the user
 * also gave another token away, nothing counts as bought. Wrapped SOL, stable coins and NFTs never count.
 */
export function findBuys(movements: Movements, owners: readonly string[]): readonly Bought[] {
  if (movements.hasFailed) return [];
  const changes = tokenChanges(movements, owners);
  const others = [...changes.values()].filter(({ mint }) => !isSolOrStableCoin(mint));
  const hasPaid =
    solChange(movements, owners) < 0n ||
    STABLE_COIN_MINTS.some((mint) => (changes.get(mint)?.amount ?? 0n) < 0n);
  // If another token was given away, this is a swap of tokens or a deposit of liquidity.
  if (!hasPaid || others.some(({ amount }) => amount < 0n)) return [];
  return others.filter(
    (got) => got.amount > 0n && !isNft(got) && wasPaidFor({ movements, owners, mint: got.mint }),
  );
}

interface Purchase {
  readonly movements: Movements;
  readonly owners: readonly string[];
  readonly mint: string;
}

/**
 * True if the owners' payment was for this token: one instruction took something from the owners and gave them the
 * token, as swap programs do, or the token's seller gained something. Gifts, claims and airdrops don't count, even if
 * the transaction also contains an unrelated payment.
 */
function wasPaidFor({ movements, owners, mint }: Purchase): boolean {
  const accounts = walletsAndTokenAccounts(movements, owners);
  const { handovers, tokenAccounts } = movements;
  const given = handovers.filter(
    (each) => each.mint === mint && accounts.has(each.to) && !owners.includes(each.authority),
  );
  const taken = handovers.filter(
    (each) =>
      each.from !== null &&
      !accounts.has(each.to) &&
      (accounts.has(each.from) || owners.includes(each.authority)),
  );
  if (given.some(({ instruction }) => taken.some((each) => each.instruction === instruction))) return true;
  const minters = given.flatMap(({ from, authority }) => (from === null ? authority : []));
  const holders = tokenAccounts
    .filter((account) => account.mint === mint && !owners.includes(account.owner))
    .map(({ owner }) => owner);
  const sellers = [...new Set(holders)].filter(
    (owner) => (tokenChanges(movements, [owner]).get(mint)?.amount ?? 0n) < 0n,
  );
  return [...sellers, ...minters].some((seller) => hasGained(movements, seller));
}

function hasGained(movements: Movements, owner: string): boolean {
  return (
    solChange(movements, [owner]) > 0n ||
    [...tokenChanges(movements, [owner]).values()].some(
      ({ mint, amount }) => mint !== WRAPPED_SOL_MINT && amount > 0n,
    )
  );
}

export function tokenChanges(
  { tokenAccounts }: Movements,
  owners: readonly string[],
): ReadonlyMap<string, Bought> {
  const changes = new Map<string, Bought>();
  for (const { owner, mint, decimals, before, after } of tokenAccounts) {
    if (owners.includes(owner)) {
      changes.set(mint, { mint, decimals, amount: (changes.get(mint)?.amount ?? 0n) + after - before });
    }
  }
  return changes;
}

/**
 * The owners' net change in lamports, without the network fee and the rent of new accounts. Includes the
 * lamports in their token accounts (rent, wrapped SOL).
 */
export function solChange(movements: Movements, owners: readonly string[]): bigint {
  const accounts = walletsAndTokenAccounts(movements, owners);
  const change = sum([...accounts].map((address) => movements.lamportChanges.get(address) ?? 0n));
  const fee = owners.includes(movements.feePayer) ? movements.feeLamports : 0n;
  const rent = movements.openedAccounts.map(({ address, payer, lamports }) => {
    const isPaid = owners.includes(payer);
    if (isPaid === accounts.has(address)) return 0n;
    return isPaid ? lamports : -lamports;
  });
  return change + fee + sum(rent);
}

export function walletsAndTokenAccounts(
  { tokenAccounts }: Movements,
  owners: readonly string[],
): ReadonlySet<string> {
  return new Set([
    ...owners,
    ...tokenAccounts.flatMap(({ address, owner }) => (owners.includes(owner) ? address : [])),
  ]);
}

/** True for exactly one indivisible token. The transaction doesn't show whether more exist. */
export function isNft({ amount, decimals }: Pick<Bought, 'amount' | 'decimals'>): boolean {
  return decimals === 0 && amount === 1n;
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}
