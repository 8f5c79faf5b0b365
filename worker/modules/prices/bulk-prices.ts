import { isStale, seenAt, type ChainSlot } from '#schema/rules/quotes.ts';
import type { Clock } from '../../ports/clock.ts';
import type { PriceSource } from '../../ports/price-source.ts';
import type { StoredPrice } from './price-shards.ts';

/** A question for many prices at once. `current` is the chain's slot, from which prices have their age. */
export interface BulkQuestion {
  /** In order of preference. */
  readonly sources: readonly [PriceSource, ...PriceSource[]];
  readonly mints: readonly string[];
  readonly current: Promise<ChainSlot | null>;
  readonly clock: Clock;
}

/**
 * What the first source says of mints, and what the next ones say of those that it left out or saw too long ago; whether
 * these answer makes no difference to the others. Each price is as of when it was seen (unix ms); where all of them are
 * old the youngest stands. Unpriced mints are left out.
 * @throws what the first source throws
 */
export async function askInTurn({
  sources: [first, ...others],
  mints,
  current,
  clock,
}: BulkQuestion): Promise<ReadonlyMap<string, StoredPrice>> {
  const found = await askSource({ source: first, mints, current, clock });
  for (const source of others) {
    const open = mints.filter((mint) => {
      const known = found.get(mint);
      return known === undefined || isStale({ at: known.at, now: clock.now() });
    });
    if (open.length === 0) break;
    const said = await askSource({ source, mints: open, current, clock }).catch(
      () => new Map<string, StoredPrice>(),
    );
    for (const [mint, price] of said) {
      if (price.at > (found.get(mint)?.at ?? Number.NEGATIVE_INFINITY)) found.set(mint, price);
    }
  }
  return found;
}

interface OneQuestion extends Omit<BulkQuestion, 'sources'> {
  readonly source: PriceSource;
}

async function askSource({ source, mints, current, clock }: OneQuestion): Promise<Map<string, StoredPrice>> {
  const fetchedAt = clock.now();
  const [said, slot] = await Promise.all([source.prices(mints), current]);
  return new Map(
    [...said].map(([mint, { price, blockId }]) => [
      mint,
      { price, source: source.name, at: seenAt({ fetchedAt, blockId, current: slot }) },
    ]),
  );
}
