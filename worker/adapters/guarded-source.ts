import { ZodError } from 'zod';
import { SECOND_MS } from '#schema/constants/time.ts';
import type { Clock } from '../ports/clock.ts';
import type { Metrics } from '../ports/metrics.ts';
import { SourceBackoffError, SourceFailedError, type RequestPriority } from '../ports/price-source.ts';
import { FETCH_TIMEOUT_MS, fetchInTime } from './fetch-json.ts';
import { createRateLimit } from './rate-limit.ts';
import type { SharedBudget } from './shared-budget.ts';
import { describeError } from '../shared/describe-error.ts';

const FAILURES_TO_OPEN = 5;
const OPEN_MS = 30 * SECOND_MS;
/** A probe request may never finish. After this time, another probe may be sent. */
const PROBE_MS = FETCH_TIMEOUT_MS + SECOND_MS;

/** An urgent request ignores the breaker and may use the rate limit's reserve. */
export interface SourceRequest<Value> extends RequestPriority {
  readonly url: string;
  readonly init?: RequestInit;
  /** Parses the body. A ZodError counts as a failure of the source, any other error as our own. */
  readonly read: (body: unknown) => Value;
}

/** @throws TypeError for an invalid URL or header, which `fetch` would report like a failed connection */
function assertValid(url: string, init?: RequestInit): void {
  void new Request(url, init);
}

export interface SourceGuardOptions {
  readonly source: string;
  readonly clock: Clock;
  readonly perMinute: number;
  readonly budget?: SharedBudget;
  readonly metrics?: Metrics;
}

class StatusError extends Error {
  override name = 'StatusError';
  readonly status: number;

  constructor(source: string, status: number) {
    super(`${source} answered ${status}`);
    this.status = status;
  }
}

function kindOf(error: unknown): string {
  if (error instanceof SourceBackoffError) return 'rate_limited';
  if (error instanceof StatusError) return `http_${error.status}`;
  if (error instanceof ZodError || error instanceof SyntaxError) return 'malformed';
  return error instanceof Error && error.name === 'TimeoutError' ? 'timeout' : 'no_connection';
}

export type SourceGuard = ReturnType<typeof createSourceGuard>;

/**
 * Sends every request to one source, with a timeout, a rate limit and a circuit breaker. Each isolate has its own
 * breaker and rate limit; a `budget` limits all isolates together. Only a failed connection, a timeout, an error status
 * and a malformed body count as failures of the source.
 */
export function createSourceGuard({ source, clock, perMinute, budget, metrics }: SourceGuardOptions) {
  const rateLimit = createRateLimit({ perMinute });
  let failures = 0;
  let openUntil = 0;

  const assertOpen = ({ isUrgent, person }: RequestPriority): void => {
    const now = clock.now();
    const pausedUntil = rateLimit.pausedUntil({ now, isUrgent, person });
    if (pausedUntil !== null) {
      throw new SourceBackoffError({ source, retryAt: pausedUntil, isFailing: false });
    }
    if (isUrgent || failures < FAILURES_TO_OPEN) return;
    if (openUntil > now) throw new SourceBackoffError({ source, retryAt: openUntil, isFailing: true });
    openUntil = now + PROBE_MS;
  };

  const takeRequest = async (priority: RequestPriority): Promise<void> => {
    const request = rateLimit.spend(priority.person, clock.now());
    const waitMs = (await budget?.take(priority)) ?? 0;
    if (waitMs === 0) return;
    rateLimit.giveBack(request);
    throw new SourceBackoffError({ source, retryAt: clock.now() + waitMs, isFailing: false });
  };

  const measureFailure = (error: unknown): void =>
    metrics?.record({ kind: 'source', name: source, outcome: kindOf(error), value: 1 });

  const noteFailure = (error: unknown): SourceFailedError => {
    const failure = new SourceFailedError(source, error);
    failures += 1;
    if (failures < FAILURES_TO_OPEN) return failure;
    openUntil = clock.now() + OPEN_MS;
    if (failures === FAILURES_TO_OPEN) {
      console.warn(JSON.stringify({ event: 'prices.source_failing', source, cause: describeError(error) }));
    }
    return failure;
  };

  return {
    /** @throws SourceBackoffError while the source is paused, SourceFailedError if it fails, and our own errors */
    async sendRequest<Value>({ url, init, read, ...priority }: SourceRequest<Value>): Promise<Value> {
      assertValid(url, init);
      assertOpen(priority);
      await takeRequest(priority);
      let body: unknown;
      try {
        const response = await fetchInTime(url, init);
        if (!response.ok) await response.body?.cancel();
        if (response.status === 429) {
          throw new SourceBackoffError({
            source,
            retryAt: rateLimit.pause(response.headers, clock.now()),
            isFailing: false,
          });
        }
        if (!response.ok) throw new StatusError(source, response.status);
        body = await response.json();
      } catch (error) {
        measureFailure(error);
        throw error instanceof SourceBackoffError ? error : noteFailure(error);
      }
      try {
        const value = read(body);
        failures = 0;
        return value;
      } catch (error) {
        if (!(error instanceof ZodError)) throw error;
        measureFailure(error);
        throw noteFailure(error);
      }
    },
  };
}
