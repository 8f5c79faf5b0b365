import { isUnscaled } from '#schema/rules/prices/units.ts';
import type { Base } from '../../../app/base.ts';
import type { PriceSource } from '../../../ports/price-source.ts';

export interface UnitsOptions extends Pick<Base, 'chain' | 'clock'> {
  /** If true, a price without a multiplier counts only if the mint isn't scaled on the chain. */
  readonly mayBeScaled: (mint: string) => boolean;
}

/** The source with prices of one unscaled token. Leaves out prices whose unit isn't known (docs/decisions/069-units.md). */
export function withUnits(source: PriceSource, { chain, clock, mayBeScaled }: UnitsOptions): PriceSource {
  return {
    ...source,
    async prices(mints, priority) {
      const found = await source.prices(mints, priority);
      const isUnclear = (mint: string) => found.get(mint)?.multiplier === null && mayBeScaled(mint);
      const scales = await chain.mintScales([...found.keys()].filter(isUnclear));
      const now = clock.now();
      return new Map(
        [...found].filter(
          ([mint, sent]) => !isUnclear(mint) || isUnscaled(sent, { scale: scales.get(mint), now }),
        ),
      );
    },
  };
}
