import { seenAt, type SlotReading } from '#schema/rules/quotes.ts';
import type { Clock } from '../../ports/clock.ts';
import type { PriceSource } from '../../ports/price-source.ts';
import type { StoredPrice } from './price-shards.ts';

/** A question for many prices at once. `current` is the chain's slot, from which prices have their age. */
export interface BulkQuestion {
  readonly source: PriceSource;
  readonly mints: readonly string[];
  readonly current: Promise<SlotReading | null>;
  readonly clock: Clock;
}

/** What a source says of mints, each as of when it saw that (unix ms); unpriced mints are left out. @throws what the source throws */
export async function askSource({ source, mints, current, clock }: BulkQuestion): Promise<Map<string, StoredPrice>> {
  const fetchedAt = clock.now();
  const [said, slot] = await Promise.all([source.prices(mints), current]);
  return new Map([...said].map(([mint, { price, blockId }]) => [mint, { price, source: source.name, at: seenAt({ fetchedAt, blockId, current: slot }) }]));
}
