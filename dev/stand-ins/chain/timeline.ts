import { createBlockhashes, MAX_BLOCKHASH_AGE } from './blockhashes.ts';
import { createSlotClock, type Commitment } from './slot-clock.ts';

export type Timeline = ReturnType<typeof createTimeline>;

interface TimelineOptions {
  seed: string;
  /** Unix ms. */
  genesisAt: number;
  slotMs: number;
  now: () => number;
}

export function createTimeline(options: TimelineOptions) {
  const { seed, genesisAt, slotMs, now } = options;
  const blockhashes = createBlockhashes(seed);
  let newestAt = genesisAt;
  let expiries = 0;
  const clock = createSlotClock({ genesisAt, slotMs, now, notBefore: () => newestAt });
  // Expiring blockhashes makes the block height jump. Clients don't notice the jump, because they only compare
  // heights with each other.
  const heightOf = (slot: number) => slot + expiries * (MAX_BLOCKHASH_AGE + 1);
  return {
    clock,
    hashOfHeight: blockhashes.ofHeight,
    heightAt: (unixMs: number) => heightOf(clock.slotAt(unixMs)),
    blockHeight: (commitment?: Commitment) => heightOf(clock.slot(commitment)),
    /**
     * The block time of a new transaction.
     * @throws {RangeError} when `at` is before the newest entry or after now
     */
    blockTime(at: number | undefined) {
      const newest = Math.floor(Math.max(now(), newestAt));
      if (at === undefined) return newest;
      if (at < newestAt) throw new RangeError(`at ${at} is before the ledger's newest entry, ${newestAt}`);
      if (at > newest) throw new RangeError(`at ${at} is in the future`);
      return Math.floor(at);
    },
    isRecent: (blockhash: string, heights: readonly number[]) =>
      heights.some((height) => blockhashes.findRecent(blockhash, height) !== undefined),
    advanceTo(at: number) {
      newestAt = at;
    },
    expireBlockhashes() {
      expiries += 1;
    },
  };
}
