import { MARK_DELAY_MS } from '#schema/constants/market.ts';
import { WRAPPED_SOL_MINT } from '#schema/constants/money.ts';
import { PRICE_BATCH_SIZE } from '#schema/constants/prices.ts';
import { isMark } from '#schema/rules/calls/follower-return.ts';
import { isTooFarApart } from '#schema/rules/prices/prices.ts';
import { leastFavorable, type ChainSlot } from '#schema/rules/prices/quotes.ts';
import type { Base } from '../../../app/base.ts';
import { BULK, type PriceSource } from '../../../ports/price-source.ts';
import { splitBatches } from '../../../shared/batches.ts';
import type { Lease } from '../../../shared/job-leases.ts';
import { createPriceMarksRepository, type DueMark, type NewMark } from './price-marks.repository.ts';
import { requestPrices, type SeenPrice } from './request-sources.ts';
import { withUnits } from './token-units.ts';

export interface PriceMarksOptions extends Pick<Base, 'db' | 'leases' | 'clock' | 'chain'> {
  readonly sources: readonly PriceSource[];
  readonly readSlot: () => Promise<ChainSlot | null>;
}

/**
 * Records the marks of calls that were made or ended a minute ago. SOL is priced in the same request: if no
 * source has a price for the token but one has a price for SOL, the missing price isn't our fault.
 */
export function createPriceMarksService(options: PriceMarksOptions) {
  const { db, readSlot, leases, clock } = options;
  const marks = createPriceMarksRepository(db);
  const fetchPrices = async (due: readonly DueMark[], since: number, lease: Lease) => {
    const scaled = new Set(due.flatMap(({ mint, isScaled }) => (isScaled === 1 ? [mint] : [])));
    const others = [WRAPPED_SOL_MINT, ...due.map(({ mint }) => mint)].filter((mint) => !scaled.has(mint));
    // Only batches of scaled tokens need the chain, so its outage costs no other marks.
    const batches = [new Set(others), scaled].flatMap((mints) => splitBatches([...mints], PRICE_BATCH_SIZE));
    const mayBeScaled = (mint: string) => scaled.has(mint);
    const sources = options.sources.map((source) => withUnits(source, { ...options, mayBeScaled }));
    const seen = new Map<string, SeenPrice>();
    const current = readSlot();
    let failure: unknown = null;
    for (const batch of batches) {
      await lease.save();
      try {
        const request = { sources, mints: batch, current, priority: BULK, since, clock };
        for (const [mint, price] of (await requestPrices(request)).responses) seen.set(mint, price);
      } catch (error) {
        failure = error;
      }
    }
    return { seen, failure };
  };

  const record = async (lease: Lease): Promise<number> => {
    const due = await marks.listDue(clock.now());
    if (due.length === 0) return 0;
    const newest = Math.max(...due.map(({ at }) => at));
    const { seen, failure } = await fetchPrices(due, newest + MARK_DELAY_MS, lease);
    const now = clock.now();
    const found = due.flatMap((each) => markOf(each, seen, now) ?? []);
    const [recorded = []] = await lease.commit({ cursor: null, statements: [marks.record(found)] });
    if (failure !== null) throw new Error('Some marks have no price', { cause: failure });
    return recorded.length;
  };

  return {
    record: (): Promise<number | null> => leases.run({ job: 'prices.marks', work: record }),
  };
}

/** Returns null if the token's price was seen too early or too late, or no source has a price for SOL either. */
function markOf({ callId, mint, side, at }: DueMark, seen: ReadonlyMap<string, SeenPrice>, now: number) {
  const solPriceUsd = seen.get(WRAPPED_SOL_MINT)?.price ?? null;
  const found = seen.get(mint);
  const base = { callId, side, solPriceUsd };
  if (found !== undefined && isMark({ at, seenAt: found.at })) {
    const { price, liquidityUsd, source, at: seenAt } = checkedPrice(found, { side, at });
    return { ...base, price, liquidityUsd, source, seenAt } satisfies NewMark;
  }
  if (solPriceUsd === null || !isMark({ at, seenAt: now })) return null;
  return { ...base, price: null, liquidityUsd: null, source: null, seenAt: now } satisfies NewMark;
}

/** If another source's price from after the call was made or ended contradicts it, the one that is worse for the caller counts. */
function checkedPrice(found: SeenPrice, { side, at }: Pick<DueMark, 'side' | 'at'>): SeenPrice {
  const { replaced } = found;
  if (!replaced || replaced.at < at || !isTooFarApart(found.price, replaced.price)) return found;
  return leastFavorable([replaced, found], side);
}
