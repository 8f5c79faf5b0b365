import { HOLDINGS_MAX_ACCOUNTS, HOLDINGS_MAX_TRANSACTIONS } from '#schema/constants.ts';
import { isSolOrStableCoin } from '#schema/rules/calls/buys.ts';
import { findHoldings, type FoundHoldings, type TokenHistory } from '#schema/rules/calls/call-holdings.ts';
import { FIRST_POSITION, type Chain, type SignatureEntry } from '../../../ports/chain.ts';

type ReadTransaction = TokenHistory['transactions'][number];

/** Transactions read between two renewals of the lease. */
const TRANSACTIONS_PER_BATCH = 15;

export type HoldingsChain = Pick<Chain, 'tokenAccounts' | 'finalizedPage' | 'movements'>;

export interface HoldingsQuery {
  readonly chain: HoldingsChain;
  readonly owners: readonly string[];
  readonly mint: string;
  /** Unix ms. */
  readonly calledAt: number;
  /** The call's end, or the call itself while it's active. */
  readonly until: number;
  /** Renews the lease. Called at least every few requests. */
  readonly save: () => Promise<void>;
}

export type HoldingsReading = { readonly requests: number } & (
  | { readonly state: 'complete'; readonly found: FoundHoldings }
  | { readonly state: 'too_many' | 'unclear' | 'no_wallet' }
);

/** @throws chain.unavailable */
export async function readCallHoldings(query: HoldingsQuery): Promise<HoldingsReading> {
  const { owners, mint } = query;
  if (owners.length === 0) return { state: 'no_wallet', requests: 0 };
  // SOL isn't only in token accounts, and payments in stable coins aren't sales.
  if (isSolOrStableCoin(mint)) return { state: 'unclear', requests: 0 };
  const counter = { requests: 0 };
  const history = await readHistory(query, counter);
  if (typeof history === 'string') return { state: history, ...counter };
  const found = findHoldings({ ...query, ...history });
  return found === null ? { state: 'unclear', ...counter } : { state: 'complete', found, ...counter };
}

interface Counter {
  requests: number;
}

async function readHistory(
  query: HoldingsQuery,
  counter: Counter,
): Promise<Pick<TokenHistory, 'accounts' | 'transactions'> | 'too_many' | 'unclear'> {
  const { chain, until, save } = query;
  // Balances before lists: a later transaction is then in the list.
  const balances = await readBalances(query, counter);
  const accounts = new Map<string, bigint | null>();
  const transactions = new Map<string, ReadTransaction>();
  const waiting = [...balances.keys()];
  for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) {
    if (accounts.size + waiting.length >= HOLDINGS_MAX_ACCOUNTS) return 'too_many';
    counter.requests += 1;
    const { entries, end } = await chain.finalizedPage({
      address,
      before: null,
      positions: [FIRST_POSITION],
    });
    await save();
    if (end !== 'met') return 'too_many';
    const succeeded = entries.filter(({ hasFailed }) => !hasFailed);
    if (succeeded.some(({ at }) => at === null)) return 'unclear';
    const before = succeeded.filter(({ at }) => at !== null && at <= until);
    accounts.set(address, before.length === succeeded.length ? (balances.get(address) ?? 0n) : null);
    const unread = before.filter(({ signature }) => !transactions.has(signature)).toReversed();
    if (transactions.size + unread.length > HOLDINGS_MAX_TRANSACTIONS) return 'too_many';
    const read = await readTransactions(query, { entries: unread, counter });
    if (read === null) return 'unclear';
    for (const each of read) transactions.set(each.movements.signature, each);
    const isKnown = (found: string) => accounts.has(found) || waiting.includes(found);
    waiting.push(...ownAccounts(read, query).filter((found) => !isKnown(found)));
  }
  return {
    accounts,
    transactions: [...transactions.values()].toSorted((one, other) => one.slot - other.slot),
  };
}

/** The owners' token accounts with their balances. */
async function readBalances({ chain, owners, mint, save }: HoldingsQuery, counter: Counter) {
  const balances = new Map<string, bigint>();
  for (const owner of owners.slice(0, HOLDINGS_MAX_ACCOUNTS)) {
    counter.requests += 1;
    const found = await chain.tokenAccounts({ owner, mint });
    for (const { address, amount } of found) balances.set(address, amount);
    await save();
  }
  return balances;
}

/** Accounts that were closed aren't listed by owner, but may have traded with those that are. */
function ownAccounts(read: readonly ReadTransaction[], { owners, mint }: HoldingsQuery): string[] {
  const changes = read.flatMap(({ movements }) => movements.tokenAccounts);
  const own = changes.filter((change) => change.mint === mint && owners.includes(change.owner));
  return [...new Set(own.map(({ address }) => address))];
}

/** Null if the endpoint doesn't have all of them. */
async function readTransactions(
  { chain, save }: HoldingsQuery,
  { entries, counter }: { entries: readonly SignatureEntry[]; counter: Counter },
): Promise<ReadTransaction[] | null> {
  const read: ReadTransaction[] = [];
  for (let start = 0; start < entries.length; start += TRANSACTIONS_PER_BATCH) {
    const batch = entries.slice(start, start + TRANSACTIONS_PER_BATCH);
    counter.requests += batch.length;
    const found = await chain.movements(batch.map(({ signature }) => signature));
    await save();
    for (const [index, { slot, signature }] of batch.entries()) {
      const movements = found[index];
      if (movements?.signature !== signature) return null;
      read.push({ slot, movements });
    }
  }
  return read;
}
