export type Commitment = 'processed' | 'confirmed' | 'finalized';

export const SLOT_MS = 400;
const SLOTS_BEHIND: Record<Commitment, number> = { processed: 0, confirmed: 1, finalized: 32 };

export interface SlotClock {
  /** The newest slot that has reached the commitment. */
  slot(commitment?: Commitment): number;
  slotAt(unixMs: number): number;
  /** Unix ms at which the slot began. */
  startOf(slot: number): number;
}

/**
 * Slots derived from time: one each 400 ms since the genesis.
 * @param options.now unix ms; never has to be monotonic, see `notBefore`
 * @param options.notBefore unix ms of the newest thing in the ledger: a machine's clock may be set
 *   back between two starts, and a cluster's slots never go back
 */
export function createSlotClock(options: {
  genesisAt: number;
  now: () => number;
  notBefore: () => number;
}): SlotClock {
  const slotAt = (unixMs: number) => Math.floor((unixMs - options.genesisAt) / SLOT_MS);
  return {
    slotAt,
    startOf: (slot) => options.genesisAt + slot * SLOT_MS,
    slot(commitment = 'processed') {
      const newest = slotAt(Math.max(options.now(), options.notBefore()));
      return Math.max(0, newest - SLOTS_BEHIND[commitment]);
    },
  };
}
