import type { ChainSlot } from '#schema/rules/quotes.ts';
import type { Clock } from '../../ports/clock.ts';

export interface SlotPort {
  slot(): Promise<number>;
}

/** Reads the chain's newest slot. Returns null instead of throwing if the chain is unavailable. */
export function createSlotReader({ slots, clock }: { slots: SlotPort; clock: Clock }) {
  return async (): Promise<ChainSlot | null> => {
    try {
      return { slot: await slots.slot(), at: clock.now() };
    } catch {
      return null;
    }
  };
}
