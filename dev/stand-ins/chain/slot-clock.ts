export type Commitment = 'processed' | 'confirmed' | 'finalized';

/** The length of slots by default, as on mainnet in November 2026 (SIMD-0525). */
export const SLOT_MS = 250;
const SLOTS_BEHIND: Record<Commitment, number> = { processed: 0, confirmed: 1, finalized: 32 };

export type SlotClock = ReturnType<typeof createSlotClock>;

interface SlotClockOptions {
  /** Unix ms of slot 0. */
  genesisAt: number;
  /** The length of the first slots. */
  slotMs: number;
  /** Unix ms; may go back, see `notBefore`. */
  now: () => number;
  /**
   * Unix ms of the newest ledger entry. Slots never go back, even if the machine's clock is set back between two starts.
   */
  notBefore: () => number;
}

/** Derives slots from time. When their length changes, earlier slots keep their times. */
export function createSlotClock(options: SlotClockOptions) {
  const first = { slot: 0, at: options.genesisAt, slotMs: options.slotMs };
  const lengths = [first];
  const slotAt = (unixMs: number) => {
    const { slot, at, slotMs } = lengths.findLast((length) => length.at <= unixMs) ?? first;
    return slot + Math.floor((unixMs - at) / slotMs);
  };
  /** When a slot begins, in unix ms. */
  const timeOf = (number: number) => {
    const { slot, at, slotMs } = lengths.findLast((length) => length.slot <= number) ?? first;
    return at + (number - slot) * slotMs;
  };
  let leastFinalized = 0;
  const slot = (commitment: Commitment = 'processed') => {
    const newest = slotAt(Math.max(options.now(), options.notBefore()));
    return Math.max(commitment === 'finalized' ? leastFinalized : 0, newest - SLOTS_BEHIND[commitment]);
  };
  return {
    slotAt,
    timeOf,
    /** The length of the newest slots. */
    slotMs: () => (lengths.at(-1) ?? first).slotMs,
    /** Changes the length of the slots after the one at `unixMs`. */
    setSlotMs(slotMs: number, unixMs: number) {
      const slot = slotAt(unixMs) + 1;
      lengths.push({ slot, at: timeOf(slot), slotMs });
    },
    /** The newest slot that has reached the commitment. */
    slot,
    /** Finalizes every confirmed slot at once. */
    finalize() {
      leastFinalized = slot('confirmed');
    },
  };
}
