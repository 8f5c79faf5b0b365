import {
  HOLDINGS_MAX_ACCOUNTS_PER_WALLET,
  HOLDINGS_MAX_PAGES_PER_ACCOUNT,
  HOLDINGS_MAX_TRANSACTIONS,
} from '#schema/constants/market.ts';
import type { Movements } from '#schema/rules/calls/buys.ts';
import type { TokenHistory } from '#schema/rules/calls/call-holdings.ts';
import type { Chain } from '../../../adapters/solana-rpc.ts';
import { FIRST_POSITION, type SignatureEntry } from '../../../ports/chain.ts';

const TRANSACTIONS_PER_BATCH = 15;

export type HoldingsChain = Pick<Chain, 'tokenAccounts' | 'finalizedPage' | 'movements'>;

export interface HoldingsQuery {
  readonly chain: HoldingsChain;
  readonly owners: readonly string[];
  readonly mint: string;
  readonly from: number;
  readonly until: number;
  /** Renews the lease. Called at least every few requests. */
  readonly save: () => Promise<void>;
}

interface Progress {
  requests: number;
  isCut: boolean;
  /** The endpoint didn't have every transaction. Another reading may. */
  hasGaps: boolean;
}

export type HoldingsReading = Pick<TokenHistory, 'accounts' | 'transactions'> & Readonly<Progress>;

/** Reads the window's transactions of the owners' token accounts, the oldest first. @throws chain.unavailable */
export async function readCallHoldings(query: HoldingsQuery): Promise<HoldingsReading> {
  const progress: Progress = { requests: 0, isCut: false, hasGaps: false };
  // Read balances before lists, so that a transaction that lands in between is in a list.
  const balances = await readBalances(query, progress);
  const accounts = new Map<string, bigint | null>();
  const entries = new Map<string, SignatureEntry>();
  for (const [address, balance] of balances) {
    const listed = await listWindow(query, { address, progress });
    accounts.set(address, listed.length === 0 ? balance : null);
    for (const entry of listed) entries.set(entry.signature, entry);
  }
  const oldestFirst = [...entries.values()].toSorted((one, other) => one.slot - other.slot);
  progress.isCut ||= oldestFirst.length > HOLDINGS_MAX_TRANSACTIONS;
  const transactions = await readTransactions(query, {
    entries: oldestFirst.slice(0, HOLDINGS_MAX_TRANSACTIONS),
    progress,
  });
  return { accounts, transactions, ...progress };
}

async function readBalances({ chain, owners, mint, save }: HoldingsQuery, progress: Progress) {
  const balances = new Map<string, bigint>();
  for (const owner of owners) {
    progress.requests += 1;
    const found = await chain.tokenAccounts({ owner, mint });
    // Anybody can open token accounts for a wallet, so those with the most tokens come first.
    progress.isCut ||= found.length > HOLDINGS_MAX_ACCOUNTS_PER_WALLET;
    for (const { address, amount } of found.slice(0, HOLDINGS_MAX_ACCOUNTS_PER_WALLET)) {
      balances.set(address, amount);
    }
    await save();
  }
  return balances;
}

/**
 * The account's successful transactions of the window, oldest first. If there are none, the first one after the window,
 * because it shows the balance.
 */
async function listWindow(
  { chain, from, until, save }: HoldingsQuery,
  { address, progress }: { address: string; progress: Progress },
): Promise<SignatureEntry[]> {
  const newestFirst: SignatureEntry[] = [];
  let before: string | null = null;
  for (let page = 0; ; page++) {
    progress.requests += 1;
    const { entries, end } = await chain.finalizedPage({ address, before, positions: [FIRST_POSITION] });
    await save();
    newestFirst.push(...entries.filter(({ hasFailed }) => !hasFailed));
    const oldest = entries.at(-1);
    progress.hasGaps ||= end === 'unknown';
    if (end !== 'more' || oldest === undefined || (oldest.at ?? from) < from) break;
    progress.isCut ||= page + 1 >= HOLDINGS_MAX_PAGES_PER_ACCOUNT;
    if (page + 1 >= HOLDINGS_MAX_PAGES_PER_ACCOUNT) break;
    before = oldest.signature;
  }
  const later = newestFirst.filter(({ at }) => at !== null && at > until);
  const within = newestFirst.filter(({ at }) => at === null || (at >= from && at <= until));
  return within.length > 0 ? within.toReversed() : later.slice(-1);
}

async function readTransactions(
  { chain, save }: HoldingsQuery,
  { entries, progress }: { entries: readonly SignatureEntry[]; progress: Progress },
): Promise<Movements[]> {
  const read: Movements[] = [];
  for (let start = 0; start < entries.length; start += TRANSACTIONS_PER_BATCH) {
    const batch = entries.slice(start, start + TRANSACTIONS_PER_BATCH);
    progress.requests += batch.length;
    read.push(...(await chain.movements(batch.map(({ signature }) => signature))).movements);
    await save();
  }
  progress.hasGaps ||= read.length < entries.length;
  return read;
}
