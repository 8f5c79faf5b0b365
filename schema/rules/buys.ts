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

/** Something that went from one account to another, or was minted into one. */
export interface Handover {
  /** The transaction's own instruction that did it, itself or by the instructions within it. */
  readonly instruction: number;
  /** Of SOL that of wrapped SOL; null where the transaction does not say it. */
  readonly mint: string | null;
  /** A wallet or a token account; null when it was minted. */
  readonly from: string | null;
  /** Who let it go: the owner, a delegate, the mint's authority. */
  readonly authority: string;
  readonly to: string;
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
  readonly handovers: readonly Handover[];
}

/** What was bought, in the token's smallest units. */
export interface Bought {
  readonly mint: string;
  readonly amount: bigint;
  readonly decimals: number;
}

/**
 * What somebody bought in a transaction; their wallets are `owners`. A token is bought when they have more of it
 * afterwards, paid SOL or a stable coin, gave no other token away, and what they paid was for it (`wasPaidFor`).
 * SOL in another form, stable coins and NFTs are never bought.
 */
export function findBuys(movements: Movements, owners: readonly string[]): readonly Bought[] {
  if (movements.hasFailed) return [];
  const changes = tokenChanges(movements, owners);
  const others = [...changes.values()].filter(({ mint }) => !isMoney(mint));
  const hasPaid =
    solChange(movements, owners) < 0n ||
    STABLE_COIN_MINTS.some((mint) => (changes.get(mint)?.amount ?? 0n) < 0n);
  // A token for a token, with a tip or with SOL beside it (as who adds liquidity gives), is an exchange.
  if (!hasPaid || others.some(({ amount }) => amount < 0n)) return [];
  return others.filter(
    (got) => got.amount > 0n && !isNft(got) && wasPaidFor({ movements, owners, mint: got.mint }),
  );
}

/**
 * Whether what `owners` paid was for this token: one instruction took something of theirs (the money, or what they
 * had just got for it) and handed the token over, as a program does that swaps; or somebody who let the token go has
 * more of something afterwards. A gift, a claim or an airdrop beside a payment to anybody else is neither.
 */
function wasPaidFor({
  movements,
  owners,
  mint,
}: {
  movements: Movements;
  owners: readonly string[];
  mint: string;
}): boolean {
  const own = accountsOf(movements, owners);
  const { handovers, tokenAccounts } = movements;
  const given = handovers.filter(
    (each) => each.mint === mint && own.has(each.to) && !owners.includes(each.authority),
  );
  const taken = handovers.filter(
    (each) =>
      each.from !== null && !own.has(each.to) && (own.has(each.from) || owners.includes(each.authority)),
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

/** What owners have more or less of, by mint. */
function tokenChanges({ tokenAccounts }: Movements, owners: readonly string[]): ReadonlyMap<string, Bought> {
  const changes = new Map<string, Bought>();
  for (const { owner, mint, decimals, before, after } of tokenAccounts) {
    if (owners.includes(owner)) {
      changes.set(mint, { mint, decimals, amount: (changes.get(mint)?.amount ?? 0n) + after - before });
    }
  }
  return changes;
}

/**
 * The SOL that owners have more or less of, but for the network's fee and the rent of new accounts, whoever paid
 * it. The lamports of their token accounts are theirs: rent that comes back when one is closed, and wrapped SOL.
 */
function solChange(movements: Movements, owners: readonly string[]): bigint {
  const own = accountsOf(movements, owners);
  const change = sum([...own].map((address) => movements.lamportChanges.get(address) ?? 0n));
  const fee = owners.includes(movements.feePayer) ? movements.feeLamports : 0n;
  const rent = movements.openedAccounts.map(({ address, payer, lamports }) => {
    const [isPaid, isHeld] = [owners.includes(payer), own.has(address)];
    return isPaid === isHeld ? 0n : isPaid ? lamports : -lamports;
  });
  return change + fee + sum(rent);
}

function accountsOf({ tokenAccounts }: Movements, owners: readonly string[]): ReadonlySet<string> {
  return new Set([
    ...owners,
    ...tokenAccounts.flatMap(({ address, owner }) => (owners.includes(owner) ? address : [])),
  ]);
}

/** Whether a token is what one pays with, and so never what one calls. */
export function isMoney(mint: string): boolean {
  return mint === WRAPPED_SOL_MINT || STABLE_COIN_MINTS.includes(mint);
}

/** One of what cannot be divided. That there is no other, only the chain could tell. */
export function isNft({ amount, decimals }: Pick<Bought, 'amount' | 'decimals'>): boolean {
  return decimals === 0 && amount === 1n;
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}
