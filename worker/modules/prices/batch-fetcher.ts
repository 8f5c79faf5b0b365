import { SourceRestingError, type PriceSource } from '../../ports/price-source.ts';
import type { Clock } from '../../ports/clock.ts';
import type { BatchAnswer } from './price-round.ts';

/** What came of asking: an answer, a source that is to be asked again at `retryAt` (unix ms), or none that answers. */
export type AskResult = { readonly answer: BatchAnswer } | { readonly retryAt: number } | { readonly error: unknown };

/**
 * Asks sources in order of preference, for one run. One that is out of budget is waited for; one that has failed is
 * passed over, whether it fails again or rests because of that, until it answers once more.
 */
export function createBatchFetcher({ sources, clock }: { sources: readonly PriceSource[]; clock: Clock }) {
  const failing = new Set<PriceSource>();

  return {
    /** Never throws. */
    async ask(mints: readonly string[]): Promise<AskResult> {
      let retryAt: number | null = null;
      let lastError: unknown = new Error('There is no price source');
      for (const source of sources) {
        const at = clock.now();
        try {
          const prices = await source.prices(mints);
          failing.delete(source);
          return { answer: { prices, source: source.name, at } };
        } catch (error) {
          lastError = error;
          if (!(error instanceof SourceRestingError)) {
            failing.add(source);
            continue;
          }
          retryAt = Math.min(retryAt ?? error.retryAt, error.retryAt);
          if (!failing.has(source)) break;
        }
      }
      return retryAt === null ? { error: lastError } : { retryAt };
    },
  };
}
