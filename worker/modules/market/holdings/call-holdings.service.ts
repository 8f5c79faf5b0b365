import {
  HOLDINGS_DELAY_MS,
  HOLDINGS_MAX_TRIES,
  HOLDINGS_REQUESTS_PER_RUN,
  HOLDINGS_RETRY_MS,
} from '#schema/constants.ts';
import { summarizeHoldings } from '#schema/rules/calls/call-holdings.ts';
import type { Clock } from '../../../ports/clock.ts';
import { writeFoundHoldings } from '../../../shared/found-holdings.ts';
import type { JobLeases, Lease } from '../../../shared/job-leases.ts';
import type { CallHoldingsRepository, DueCall } from './call-holdings.repository.ts';
import { readCallHoldings, type HoldingsChain, type HoldingsReading } from './read-call-holdings.ts';

/** Calls of callers without a wallet take no request. */
const CALLS_PER_RUN = 100;

interface CallHoldingsOptions {
  readonly repository: CallHoldingsRepository;
  readonly chain: HoldingsChain;
  readonly leases: JobLeases;
  readonly clock: Clock;
}

/** Reads what callers held and sold of their calls' tokens from the chain, and stores it. */
export function createCallHoldingsService({ repository, chain, leases, clock }: CallHoldingsOptions) {
  const read = async (lease: Lease, call: DueCall): Promise<HoldingsReading> => {
    try {
      return await readCallHoldings({
        chain,
        owners: JSON.parse(call.wallets) as string[],
        mint: call.token_mint,
        calledAt: call.called_at,
        until: call.ended_at ?? call.called_at,
        save: () => lease.save(),
      });
    } catch (error) {
      if (call.tries >= HOLDINGS_MAX_TRIES) return { state: 'unclear', requests: 0 };
      // Other calls come first in the next run, in case only this one's requests fail.
      await retry(lease, call);
      throw error;
    }
  };

  const retry = (lease: Lease, call: DueCall) => {
    const dueAt = clock.now() + HOLDINGS_RETRY_MS * 2 ** call.tries;
    return lease.commit({ statements: [repository.retry(call, dueAt)], cursor: null });
  };

  const store = async (lease: Lease, call: DueCall, reading: HoldingsReading) => {
    if (reading.state === 'unclear' && call.tries < HOLDINGS_MAX_TRIES) return retry(lease, call);
    const { state } = reading;
    const covers = call.ended_at === null ? 'opening' : 'end';
    const found = state === 'complete' ? writeFoundHoldings(reading.found) : null;
    await lease.commit({ statements: [repository.store(call, { covers, state, found })], cursor: null });
    if (covers === 'opening' || state !== 'complete') return;
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
      const reading = await read(lease, call);
      requests += reading.requests;
      await store(lease, call, reading);
      count += 1;
    }
    return count;
  };

  return {
    /** @returns the number of calls; null if another run holds the lease */
    readDue: (): Promise<number | null> => leases.run({ job: 'calls.holdings', work: readDue }),
  };
}
