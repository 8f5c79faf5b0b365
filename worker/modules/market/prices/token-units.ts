import { isUnscaled } from '#schema/rules/prices/units.ts';
import type { Base } from '../../../app/base.ts';
import type { PriceSource } from '../../../ports/price-source.ts';

export interface UnitsOptions extends Pick<Base, 'chain'> {
  /** Whether the chain must confirm the units that the source states, too. */
  readonly isStrict: boolean;
}

/** The source with prices of one unscaled token. Leaves out prices whose unit isn't known (docs/decisions/069-units.md). */
export function withUnits(source: PriceSource, { chain, isStrict }: UnitsOptions): PriceSource {
  if (source.statesUnits && !isStrict) return source;
  return {
    ...source,
    async prices(mints, priority) {
      const found = await source.prices(mints, priority);
      const scales = await chain.mintScales([...found.keys()]);
      return new Map([...found].filter(([mint, sent]) => isUnscaled(sent, scales.get(mint))));
    },
  };
}
