import { isUnscaled } from '#schema/rules/prices/units.ts';
import type { Base } from '../../../app/base.ts';
import type { PriceSource } from '../../../ports/price-source.ts';

export interface UnitsOptions extends Pick<Base, 'chain' | 'clock'> {
  /** Whether the chain must say that tokens without a stated unit aren't scaled, even if the source states units. */
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
