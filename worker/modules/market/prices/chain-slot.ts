import type { ChainSlot } from '#schema/rules/prices/quotes.ts';
import type { Clock } from '../../../ports/clock.ts';

/** Reads the chain's newest slot. Returns null if the chain is unavailable. */
export function createSlotReader(chain: { slot(): Promise<number> }, clock: Clock) {
  return async (): Promise<ChainSlot | null> => {
    try {
      return { slot: await chain.slot(), at: clock.now() };
    } catch {
      return null;
    }
  };
}
