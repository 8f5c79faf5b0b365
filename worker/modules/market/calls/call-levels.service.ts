import { MIN_RANKED_QUOTES } from '#schema/constants/prices.ts';
import { MINUTE_MS } from '#schema/constants/time.ts';
import type { Base } from '../../../app/base.ts';
import type { MessagesWriter } from '../../../ports/outbox.ts';
import type { Lease } from '../../../shared/job-leases.ts';
import type { PricesService } from '../prices/prices.service.ts';
import { createCallLevelsRepository, type LevelCheck } from './call-levels.repository.ts';

/**
 * A target or stop that a refresh saw reached is checked until two sources confirm it. The pause before the
 * next check is as long as the time since the first sighting, but at least LEVEL_RECHECK_MS and at most
 * LEVEL_RECHECK_MAX_MS.
 */
const LEVEL_RECHECK_MS = MINUTE_MS;
export const LEVEL_RECHECK_MAX_MS = 30 * MINUTE_MS;

/** Each check needs a request to every price source. */
export const MAX_LEVEL_CHECKS_PER_RUN = 20;
/** One popular token may reach the levels of many calls at once. The next run stores the rest. */
export const MAX_HITS_PER_CHECK = 200;
const RUN_MS = MINUTE_MS / 2;

export interface CallLevelsOptions extends Pick<Base, 'db' | 'leases' | 'clock'> {
  readonly prices: PricesService;
  readonly messages: MessagesWriter;
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
        async work(lease) {
          const hits = await checkDue(options, lease);
          if (hits > 0) await options.messages.writeSoon();
          return hits;
        },
      }),
  };
}

async function checkDue(options: CallLevelsOptions, lease: Lease): Promise<number> {
  const { db, clock } = options;
  const repository = createCallLevelsRepository(db);
  const startedAt = clock.now();
  await lease.commit({ cursor: null, statements: [repository.purge(startedAt)] });
  let hits = 0;
  for (const check of await repository.listDue({ now: startedAt, limit: MAX_LEVEL_CHECKS_PER_RUN })) {
    if (clock.now() > startedAt + RUN_MS) break;
    await lease.save();
    const found = await checkMint(options, { check, lease });
    if (found === null) break;
    hits += found;
  }
  return hits;
}

/** The number of levels hit; null if we have used up a source's rate limit. */
async function checkMint(
  { db, prices, clock }: CallLevelsOptions,
  { check: { mint, since }, lease }: { check: LevelCheck; lease: Lease },
): Promise<number | null> {
  const repository = createCallLevelsRepository(db);
  const requestedAt = clock.now();
  const { quotes: responses, fresh } = await prices.backgroundQuote(mint);
  if (responses.length === 0) return null;
  const now = clock.now();
  // The pause grows with the time since the first sighting, so a token that only one source knows isn't checked
  // every minute.
  const wait = Math.min(Math.max(now - since, LEVEL_RECHECK_MS), LEVEL_RECHECK_MAX_MS);
  const postpone = repository.postpone({ mint, until: now + wait });
  if (fresh === null || fresh.usableQuotes.length < MIN_RANKED_QUOTES) {
    await lease.commit({ cursor: null, statements: [postpone] });
    return 0;
  }
  const limit = MAX_HITS_PER_CHECK;
  const hit = repository.recordHits({ mint, price: fresh.price, requestedAt, now, limit });
  const [stored = []] = await lease.commit({
    cursor: null,
    statements: [hit, ...repository.recordFacts({ mint, now }), postpone],
  });
  // All reached levels are stored, so the check is done. A later refresh may start another check.
  if (stored.length > 0) await lease.commit({ cursor: null, statements: [repository.forget(mint)] });
  return stored.length;
}
