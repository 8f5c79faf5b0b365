export type Commitment = 'processed' | 'confirmed' | 'finalized';

export const SLOT_MS = 400;
const SLOTS_BEHIND: Record<Commitment, number> = { processed: 0, confirmed: 1, finalized: 32 };

export type SlotClock = ReturnType<typeof createSlotClock>;

/**
 * Derives slots from time. There is one slot per 400 ms since genesis.
 * @param options.now unix ms; may go back, see `notBefore`
 * @param options.notBefore unix ms of the newest ledger entry. Slots never go back, even if the machine's clock
 * is set back between two starts.
 */
export function createSlotClock(options: { genesisAt: number; now: () => number; notBefore: () => number }) {
  const slotAt = (unixMs: number) => Math.floor((unixMs - options.genesisAt) / SLOT_MS);
  let leastFinalized = 0;
  const slot = (commitment: Commitment = 'processed') => {
    const newest = slotAt(Math.max(options.now(), options.notBefore()));
    return Math.max(commitment === 'finalized' ? leastFinalized : 0, newest - SLOTS_BEHIND[commitment]);
  };
  return {
    slotAt,
    timeOf: (slot: number) => options.genesisAt + slot * SLOT_MS,
    /** The newest slot that has reached the commitment. */
    slot,
    /** Finalizes every confirmed slot at once. */
    finalize() {
      leastFinalized = slot('confirmed');
    },
  };
}
