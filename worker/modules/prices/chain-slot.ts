import type { ChainSlot } from '#schema/rules/quotes.ts';
import type { Clock } from '../../ports/clock.ts';

/** The chain's newest slot. */
export interface SlotPort {
  slot(): Promise<number>;
}

/** Reads the chain's slot, by which prices have an age; null where no chain says it. Never throws. */
export function createSlotReader({
  slots,
  clock,
}: {
  slots: SlotPort;
  clock: Clock;
}): () => Promise<ChainSlot | null> {
  return async () => {
    try {
      return { slot: await slots.slot(), at: clock.now() };
    } catch {
      return null;
    }
  };
}
