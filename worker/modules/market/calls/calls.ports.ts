import type { ShownPrice } from '#schema/contracts/prices.ts';
import type { CallSide } from '#schema/rules/quotes.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { TokenIdentity, TokenQuote } from '../../../ports/price-source.ts';
import type { AppendedEntry } from '../../../shared/log-entries.ts';
import type { CallsRepository } from './calls.repository.ts';

export interface QuotePort {
  /**
   * The current price of each active call, in the same order; undefined if it is unknown. Check first that the viewer
   * has access to the calls.
   */
  livePrices(request: {
    calls: readonly { callerId: string; mint: string; calledAt: number }[];
    viewerId: string | null;
  }): Promise<readonly (ShownPrice | undefined)[]>;
  /** Stays the same as long as `livePrices` returns the same prices, for a few seconds. */
  shownVersion(): number;
  /** The price of a mint that this person wants to call, at most five seconds old; null if there is none. */
  recentPrice(request: { mint: string; userId: string }): Promise<string | null>;
  /**
   * A price fetched now from all sources.
   * @throws if the price is missing, stale or contradictory, or if we have used up a source's rate limit
   */
  freshQuote(request: { mint: string; userId: string; side: CallSide }): Promise<FreshQuote>;
}

/** A price that may be recorded, with every source's quote. */
export interface FreshQuote {
  readonly price: string;
  readonly quotes: readonly TokenQuote[];
  /** The quotes that are fresh and have a known age. They confirm the price. */
  readonly usableQuotes: readonly TokenQuote[];
  readonly recordedSource: string;
  readonly token: TokenIdentity | null;
}

export interface BackgroundQuotePort {
  /** `fresh` is null if no price may be recorded. Never throws. */
  backgroundQuote(mint: string): Promise<{
    readonly quotes: readonly TokenQuote[];
    readonly fresh: FreshQuote | null;
    /** The lowest usable price, even if the sources contradict each other; null without one. */
    readonly lowest: FreshQuote | null;
    /** True if every source answered, and none has seen a price within UNPRICED_END_MS. */
    readonly isUnpriced: boolean;
  }>;
}

/** `viewerId` is null for a visitor without a session. */
interface Viewing {
  readonly viewerId: string | null;
  readonly callerId: string;
}

export interface EntitlementPort {
  /** @throws callers.not_found */
  canSeeActiveCalls(viewing: Viewing): Promise<boolean>;
  /**
   * The number of the caller's active calls, and a version that changes with the caller's calls.
   * @throws callers.not_found
   */
  viewCalls(viewing: Viewing): Promise<{ canSeeActiveCalls: boolean; activeCalls: number; version: string }>;
  /** @throws users.not_a_caller, users.suspended */
  assertMayOpenCalls(userId: string): Promise<void>;
}

export interface AttemptsPort {
  /** Counts one attempt to open or end a call. Returns 0, or how long to wait (ms) if there were too many. */
  take(userId: string): Promise<number>;
}

export interface CallEventsPort {
  /** Notifies followers. Never throws. If it fails, a cron job retries. */
  notifySoon(event: { kind: 'call_opened' | 'call_ended'; id: string; callerId: string }): Promise<void>;
}

/** Signs our promise that an entry is in the public log. */
export type SignReceipt = (entry: AppendedEntry) => string | null;

export interface CallsOptions {
  readonly repository: CallsRepository;
  readonly quotes: QuotePort;
  readonly attempts: AttemptsPort;
  readonly entitlement: EntitlementPort;
  readonly events: CallEventsPort;
  readonly signReceipt: SignReceipt;
  readonly clock: Clock;
}
