import { PRICE_SOURCES } from '#schema/constants/prices.ts';
import { MINUTE_MS } from '#schema/constants/time.ts';
import type { Base } from '../../../app/base.ts';
import { splitBatches } from '../../../shared/batches.ts';
import type { Lease } from '../../../shared/job-leases.ts';
import type { PricesService } from '../prices/prices.service.ts';
import { createCallLevelsRepository, type ConfirmedPrices } from './call-levels.repository.ts';

/**
 * A target or stop that a refresh saw reached is checked until two sources confirm it. The pause before the
 * next check is as long as the time since the first sighting, but at least LEVEL_RECHECK_MS and at most
 * LEVEL_RECHECK_MAX_MS.
 */
const LEVEL_RECHECK_MS = MINUTE_MS;
export const LEVEL_RECHECK_MAX_MS = 30 * MINUTE_MS;

/** One request to Jupiter, and three to DexScreener. */
const BATCH_SIZE = 3 * PRICE_SOURCES.dexscreener.maxMints;
/** These take 12 requests to Jupiter, a fifth of what a plan of one request per second allows in a minute. */
const MAX_LEVEL_CHECKS_PER_RUN = 1_000;
/** Each of these checks needs a request to DexScreener. With the batches' requests, it accepts about as many in a minute. */
export const MAX_SINGLE_CHECKS_PER_RUN = 270;
/** If DexScreener's limit is used up, the responses for a group of single checks are lost. */
const SINGLE_CHECKS_AT_ONCE = 30;
/** Each hit is an event with two facts. One popular token may reach the levels of many calls. The next run checks the rest. */
export const MAX_HITS_PER_RUN = 2_000;
const RUN_MS = MINUTE_MS / 2;

export interface CallLevelsOptions extends Pick<Base, 'db' | 'leases' | 'clock'> {
  readonly prices: PricesService;
}

/**
 * Finds active calls whose target or stop is hit. A refreshed price is only a hint: a level counts as hit once two
 * sources agree on a price that reaches it. The event is stored once per call and level.
 */
export function createCallLevelsService(options: CallLevelsOptions) {
  return {
    check: (): Promise<number | null> =>
      options.leases.run({
        job: 'calls.levels',
        work: (lease) => checkDue(options, lease),
      }),
  };
}

async function checkDue(options: CallLevelsOptions, lease: Lease): Promise<number> {
  const { db, clock, prices } = options;
  const repository = createCallLevelsRepository(db);
  const deadline = clock.now() + RUN_MS;
  await lease.commit({ cursor: null, statements: [repository.purge(clock.now())] });
  const due = await repository.listDue({ now: clock.now(), limit: MAX_LEVEL_CHECKS_PER_RUN });
  /** Those that must be checked alone. */
  const unconfirmed = new Set<string>();
  let hits = 0;
  const confirm = async (mints: readonly string[], { allPools }: { allPools: boolean }) => {
    const confirmed = await prices.confirmedQuotes(mints, { allPools });
    if (confirmed === null) return null;
    for (const mint of mints) {
      if (allPools || confirmed.has(mint)) unconfirmed.delete(mint);
      else unconfirmed.add(mint);
    }
    const confirmedPrices = new Map([...confirmed].map(([mint, { price }]) => [mint, price]));
    return { prices: confirmedPrices, mints: allPools ? mints : [...confirmed.keys()] };
  };
  /** False if the run must stop. */
  const check = async (find: () => Promise<Checked | null>): Promise<boolean> => {
    if (clock.now() > deadline || hits >= MAX_HITS_PER_RUN) return false;
    await lease.save();
    const requestedAt = clock.now();
    const checked = await find();
    if (checked === null) return false;
    hits += await storeHits(options, { ...checked, requestedAt, limit: MAX_HITS_PER_RUN - hits, lease });
    return true;
  };
  const checkEach = async (batches: readonly string[][], how: { allPools: boolean }): Promise<boolean> => {
    for (const batch of batches) {
      if (!(await check(() => confirm(batch, how)))) return false;
    }
    return true;
  };
  if (await checkEach(splitBatches(due, BATCH_SIZE), { allPools: false })) {
    const alone = [...unconfirmed].slice(0, MAX_SINGLE_CHECKS_PER_RUN);
    await checkEach(splitBatches(alone, SINGLE_CHECKS_AT_ONCE), { allPools: true });
  }
  // In the next run, they come after the tokens that no run has asked about yet.
  const last = repository.postpone({ mints: [...unconfirmed], now: clock.now(), least: 0, most: 0 });
  await lease.commit({ cursor: null, statements: [last] });
  return hits;
}

/** The mints that were checked, and the prices that are confirmed. Null if we have used up a source's rate limit. */
interface Checked extends Pick<ConfirmedPrices, 'prices'> {
  readonly mints: readonly string[];
}

interface HitsToStore extends Checked, Pick<ConfirmedPrices, 'requestedAt' | 'limit'> {
  readonly lease: Lease;
}

/** Returns the number of levels hit. */
async function storeHits(
  { db, clock }: CallLevelsOptions,
  { mints, lease, ...confirmed }: HitsToStore,
): Promise<number> {
  if (mints.length === 0) return 0;
  const repository = createCallLevelsRepository(db);
  const now = clock.now();
  const hit = { ...confirmed, now };
  const [stored = []] = await lease.commit({
    cursor: null,
    statements: [repository.recordHits(hit), ...repository.recordFacts(hit)],
  });
  // The limit may have left out levels of any of these tokens, so they all stay due for the next run.
  if (stored.length === confirmed.limit) return stored.length;
  // The pause grows with the time since the first sighting, so a token that only one source knows isn't checked
  // every minute. The check of a hit level is done. A later refresh may start another one.
  const postpone = repository.postpone({ mints, now, least: LEVEL_RECHECK_MS, most: LEVEL_RECHECK_MAX_MS });
  const hitCallIds = stored.map(({ call_id: id }) => String(id));
  await lease.commit({ cursor: null, statements: [postpone, repository.forgetOf(hitCallIds)] });
  return stored.length;
}
