import { SourceRestingError, type PriceSource } from '../../ports/price-source.ts';
import type { Clock } from '../../ports/clock.ts';
import type { BatchAnswer } from './price-round.ts';

/** What came of asking: an answer, a source that is to be asked again at `retryAt` (unix ms), or none that answers. */
export type AskResult = { readonly answer: BatchAnswer } | { readonly retryAt: number } | { readonly error: unknown };

/** Asks sources in order of preference. One that is out of budget is waited for; one that fails is passed over. */
export function createBatchFetcher({ sources, clock }: { sources: readonly PriceSource[]; clock: Clock }) {
  return {
    /** Never throws. */
    async ask(mints: readonly string[]): Promise<AskResult> {
      let lastError: unknown = new Error('There is no price source');
      for (const source of sources) {
        const at = clock.now();
        try {
          return { answer: { prices: await source.prices(mints), source: source.name, at } };
        } catch (error) {
          if (error instanceof SourceRestingError && !error.isFailing) return { retryAt: error.retryAt };
          lastError = error;
        }
      }
      return { error: lastError };
    },
  };
}
