import { isStale, type ChainSlot } from '#schema/rules/quotes.ts';
import { SourceBackoffError, type PriceSource } from '../../ports/price-source.ts';
import type { Clock } from '../../ports/clock.ts';
import { askInTurn } from './bulk-prices.ts';
import type { BatchAnswer } from './refresh-batches.ts';

/** What came of asking: an answer, a source that is to be asked again at `retryAt` (unix ms), or none that answers. */
export type AskResult =
  | { readonly answer: BatchAnswer }
  | { readonly retryAt: number }
  | { readonly error: unknown };

/**
 * Asks sources in order of preference. One that is out of budget is waited for; one that fails is passed over. What
 * one leaves out the next is asked about at once, and what nobody saw of late counts as not named. `current` is the
 * chain's slot, from which prices have their age.
 */
export function createBatchFetcher({
  sources,
  current,
  clock,
}: {
  sources: readonly PriceSource[];
  current: Promise<ChainSlot | null>;
  clock: Clock;
}) {
  return {
    /** Never throws. */
    async ask(mints: readonly string[]): Promise<AskResult> {
      let lastError: unknown = new Error('There is no price source');
      for (const [index, source] of sources.entries()) {
        const at = clock.now();
        try {
          const said = await askInTurn({
            sources: [source, ...sources.slice(index + 1)],
            mints,
            current,
            clock,
          });
          const fresh = [...said].flatMap(([mint, price]) =>
            isStale({ at: price.at, now: at })
              ? []
              : [[mint, { price: price.price, source: price.source }] as const],
          );
          return { answer: { prices: new Map(fresh), at } };
        } catch (error) {
          if (error instanceof SourceBackoffError && !error.isFailing) return { retryAt: error.retryAt };
          lastError = error;
        }
      }
      return { error: lastError };
    },
  };
}
