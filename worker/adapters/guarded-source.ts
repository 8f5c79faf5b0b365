import { SECOND_MS } from '#schema/constants.ts';
import type { Clock } from '../ports/clock.ts';
import { SourceBackoffError } from '../ports/price-source.ts';
import { FETCH_TIMEOUT_MS, fetchInTime } from './fetch-json.ts';
import { createRateLimit } from './rate-limit.ts';

/** So many failures without an answer in between, and nothing is asked in bulk for a while. */
const FAILURES_TO_OPEN = 5;
const OPEN_MS = 30 * SECOND_MS;
/** For as long as the one question after that may take, the others still wait for how it ends; it may also never end. */
const PROBE_MS = FETCH_TIMEOUT_MS + SECOND_MS;

export interface SourceQuestion<Answer> {
  readonly url: string;
  readonly init?: RequestInit;
  /** Whether a price is asked that opens or ends a call: asked also while the source fails, and from the reserve of its limit. */
  readonly isUrgent: boolean;
  /** Makes an answer of the body, unknown JSON; what it throws counts as the source's failure. */
  readonly read: (body: unknown) => Answer;
}

export type SourceGuard = ReturnType<typeof createSourceGuard>;

/**
 * The one way to a source over HTTP: it keeps time, obeys the source's rate limit, and leaves a source alone that fails.
 * What it knows is this isolate's; of others it knows what the source's own headers say.
 */
export function createSourceGuard({ source, clock }: { source: string; clock: Clock }) {
  const budget = createRateLimit();
  let failures = 0;
  let openUntil = 0;

  const assertAwake = (isUrgent: boolean): void => {
    const now = clock.now();
    const outOfBudgetUntil = budget.restsUntil({ now, isUrgent });
    if (outOfBudgetUntil !== null) {
      throw new SourceBackoffError({ source, retryAt: outOfBudgetUntil, isFailing: false });
    }
    if (isUrgent || failures < FAILURES_TO_OPEN) return;
    if (openUntil > now) throw new SourceBackoffError({ source, retryAt: openUntil, isFailing: true });
    // This one is the probe.
    openUntil = now + PROBE_MS;
  };

  const noteFailure = (error: unknown) => {
    failures += 1;
    if (failures < FAILURES_TO_OPEN) return;
    openUntil = clock.now() + OPEN_MS;
    if (failures === FAILURES_TO_OPEN) {
      console.warn(JSON.stringify({ event: 'prices.source_failing', source, cause: String(error) }));
    }
  };

  return {
    /**
     * @throws SourceBackoffError when the source takes no more questions now, mostly without asking it; anything else when it
     *   does not answer as it should
     */
    async ask<Answer>({ url, init, isUrgent, read }: SourceQuestion<Answer>): Promise<Answer> {
      assertAwake(isUrgent);
      budget.spend();
      try {
        const response = await fetchInTime(url, init);
        budget.read(response.headers, clock.now());
        if (!response.ok) await response.body?.cancel();
        if (response.status === 429) {
          throw new SourceBackoffError({
            source,
            retryAt: budget.refuse(response.headers, clock.now()),
            isFailing: false,
          });
        }
        if (!response.ok) throw new Error(`${source} answered ${response.status}`);
        const answer = read(await response.json());
        failures = 0;
        return answer;
      } catch (error) {
        if (!(error instanceof SourceBackoffError)) noteFailure(error);
        throw error;
      }
    },
  };
}
