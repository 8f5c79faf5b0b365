import { isUnscaled } from '#schema/rules/prices/units.ts';
import type { Base } from '../../../app/base.ts';
import type { PriceSource } from '../../../ports/price-source.ts';

export interface UnitsOptions extends Pick<Base, 'chain' | 'clock'> {
  /** True if every source's price without a multiplier counts only if the mint isn't scaled on the chain. */
  readonly isStrict: boolean;
}

/** The source with prices of one unscaled token. Leaves out prices whose unit isn't known (docs/decisions/069-units.md). */
export function withUnits(source: PriceSource, { chain, clock, isStrict }: UnitsOptions): PriceSource {
  if (source.statesUnits && !isStrict) return source;
  return {
    ...source,
    async prices(mints, priority) {
      const found = await source.prices(mints, priority);
      const unstated = [...found].flatMap(([mint, { multiplier }]) => (multiplier === null ? [mint] : []));
      const scales = await chain.mintScales(unstated);
      const now = clock.now();
      return new Map(
        [...found].filter(
          ([mint, sent]) => sent.multiplier !== null || isUnscaled(sent, { scale: scales.get(mint), now }),
        ),
      );
    },
  };
}
