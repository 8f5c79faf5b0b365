import { HOLDINGS_DELAY_MS } from '#schema/constants/market.ts';
import { MINUTE_MS } from '#schema/constants/time.ts';
import { isSolOrStableCoin } from '#schema/rules/calls/stable-coin-mints.ts';
import {
  describeTrades,
  findTrades,
  holdingsWindow,
  summarizeHoldings,
} from '#schema/rules/calls/call-holdings.ts';
import type { Base } from '../../../app/base.ts';
import type { Lease } from '../../../shared/job-leases.ts';
import { createCallHoldingsRepository, type DueCall, type Reading } from './call-holdings.repository.ts';
import { readCallHoldings, type HoldingsChain } from './read-call-holdings.ts';

const HOLDINGS_REQUESTS_PER_RUN = 200;
export const HOLDINGS_MAX_TRIES = 8;
/** The wait before the second try. It doubles with each try, to 21 hours in total. */
export const HOLDINGS_RETRY_MS = 5 * MINUTE_MS;

/** Calls of callers without a wallet take no request. */
const CALLS_PER_RUN = 100;

interface CallHoldingsOptions extends Pick<Base, 'db' | 'leases' | 'clock'> {
  readonly chain: HoldingsChain;
}

interface Result extends Reading {
  readonly requests: number;
  readonly hasGaps: boolean;
}

export function createCallHoldingsService({ db, chain, leases, clock }: CallHoldingsOptions) {
  const repository = createCallHoldingsRepository(db);
  const retry = (lease: Lease, call: DueCall) => {
    const dueAt = clock.now() + HOLDINGS_RETRY_MS * 2 ** call.tries;
    return lease.commit({ statements: [repository.retry(call, dueAt)], cursor: null });
  };

  const read = async (lease: Lease, call: DueCall): Promise<Result> => {
    const times = { calledAt: call.called_at, endedAt: call.ended_at };
    const window = holdingsWindow(times);
    const until = Math.min(clock.now() - HOLDINGS_DELAY_MS, window.until);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `addHoldings` wrote it.
    const owners = JSON.parse(call.wallets) as string[];
    const nothing = { found: null, until, requests: 0, hasGaps: false };
    if (owners.length === 0) return { ...nothing, state: 'no_wallet' };
    // SOL isn't only in token accounts, and payments in stable coins aren't sales.
    if (isSolOrStableCoin(call.token_mint)) return { ...nothing, state: 'unread' };
    const query = { owners, mint: call.token_mint, from: window.from, until };
    try {
      const reading = await readCallHoldings({ ...query, chain, save: () => lease.save() });
      const trades = findTrades({ ...query, ...reading }, times);
      const prices = await repository.listPrices(
        call,
        trades.trades.map(({ at }) => at),
      );
      const found = describeTrades(trades, { ...times, prices });
      const { requests, isCut, hasGaps } = reading;
      return { state: isCut || hasGaps ? 'partial' : 'complete', found, until, requests, hasGaps };
    } catch (error) {
      if (call.tries >= HOLDINGS_MAX_TRIES) return { ...nothing, state: 'unread' };
      // Other calls come first in the next run, in case only this one's requests fail.
      await retry(lease, call);
      throw error;
    }
  };

  const store = async (lease: Lease, call: DueCall, result: Result) => {
    if (result.hasGaps && call.tries < HOLDINGS_MAX_TRIES) return retry(lease, call);
    await lease.commit({ statements: [repository.store(call, result)], cursor: null });
    if (call.ended_at === null || result.found === null) return;
    const summary = summarizeHoldings(await repository.listNewest(call.caller_id));
    await lease.commit({ statements: [repository.storeSummary(call.caller_id, summary)], cursor: null });
  };

  const readDue = async (lease: Lease): Promise<number> => {
    const due = await repository.listDue({ until: clock.now() - HOLDINGS_DELAY_MS, limit: CALLS_PER_RUN });
    let requests = 0;
    let count = 0;
    for (const call of due) {
      if (requests >= HOLDINGS_REQUESTS_PER_RUN) break;
      await lease.save();
      const result = await read(lease, call);
      requests += result.requests;
      await store(lease, call, result);
      count += 1;
    }
    return count;
  };

  return {
    readDue: (): Promise<number | null> => leases.run({ job: 'calls.holdings', work: readDue }),
  };
}
