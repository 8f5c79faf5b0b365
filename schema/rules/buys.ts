import { STABLE_COIN_MINTS, WRAPPED_SOL_MINT } from '#schema/constants.ts';

/** A token account that a transaction names, before and after it, in the token's smallest units. Addresses base58. */
export interface TokenAccountChange {
  readonly address: string;
  readonly owner: string;
  readonly mint: string;
  readonly decimals: number;
  readonly before: bigint;
  readonly after: bigint;
}

/** An account that a transaction opened, who paid for that, and what of the money is still in it. */
export interface OpenedAccount {
  readonly address: string;
  readonly payer: string;
  readonly lamports: bigint;
}

/** What a landed transaction did to the accounts it names. `lamportChanges` are post minus pre. */
export interface Movements {
  readonly signature: string;
  /** Unix ms. */
  readonly blockTime: number | null;
  readonly hasFailed: boolean;
  readonly feePayer: string;
  readonly feeLamports: bigint;
  readonly lamportChanges: ReadonlyMap<string, bigint>;
  readonly tokenAccounts: readonly TokenAccountChange[];
  readonly openedAccounts: readonly OpenedAccount[];
}

/** What was bought, in the token's smallest units. */
export interface Bought {
  readonly mint: string;
  readonly amount: bigint;
  readonly decimals: number;
}

/**
 * What an owner bought in a transaction: each token of which they have more than before, if they paid
 * SOL or a stable coin in it. What was given to them, what they sold, and SOL in another form are no buys.
 */
export function findBuys(movements: Movements, owner: string): readonly Bought[] {
  if (movements.hasFailed) return [];
  const accounts = movements.tokenAccounts.filter((account) => account.owner === owner);
  const changes = new Map<string, Bought>();
  for (const { mint, decimals, before, after } of accounts) {
    changes.set(mint, { mint, decimals, amount: (changes.get(mint)?.amount ?? 0n) + after - before });
  }
  const hasPaid = paidLamports({ movements, owner, accounts }) > 0n || STABLE_COIN_MINTS.some((mint) => (changes.get(mint)?.amount ?? 0n) < 0n);
  return hasPaid ? [...changes.values()].filter(({ mint, amount }) => amount > 0n && !isMoney(mint)) : [];
}

/**
 * What left the owner beyond the network's fee and the rent of new accounts. The lamports of their token
 * accounts are theirs: rent that comes back when one is closed, and SOL that is only wrapped.
 */
function paidLamports({ movements, owner, accounts }: { movements: Movements; owner: string; accounts: readonly TokenAccountChange[] }): bigint {
  const own = new Set([owner, ...accounts.map(({ address }) => address)]);
  const change = sum([...own].map((address) => movements.lamportChanges.get(address) ?? 0n));
  const fee = movements.feePayer === owner ? movements.feeLamports : 0n;
  const rent = sum(movements.openedAccounts.filter(({ address, payer }) => payer === owner && !own.has(address)).map(({ lamports }) => lamports));
  return -change - fee - rent;
}

function isMoney(mint: string): boolean {
  return mint === WRAPPED_SOL_MINT || STABLE_COIN_MINTS.includes(mint);
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}
