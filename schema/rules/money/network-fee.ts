import {
  COMPUTE_UNIT_LIMIT,
  MAX_PRIORITY_FEE_LAMPORTS,
  MIN_PRIORITY_FEE_LAMPORTS,
  SIGNATURE_FEE_LAMPORTS,
} from '../../constants.ts';

const MICRO_LAMPORTS_PER_LAMPORT = 1_000_000n;
/** The number of newest slots whose prices are used: about 20 seconds. */
const RECENT_SLOTS = 50;
const PERCENTILE = 90;

/** A transaction's compute budget. The price is in micro-lamports per compute unit. */
export interface ComputeBudget {
  readonly computeUnitLimit: number;
  readonly microLamports: bigint;
}

/** The priority fee in lamports, as the network charges it: for the whole limit, rounded up. */
export function priorityFeeOf({ computeUnitLimit, microLamports }: ComputeBudget): bigint {
  const product = BigInt(computeUnitLimit) * microLamports;
  return (product + MICRO_LAMPORTS_PER_LAMPORT - 1n) / MICRO_LAMPORTS_PER_LAMPORT;
}

/** Returns the network's total fee for a payment with one signature, in lamports. */
export function networkFeeOf(budget: ComputeBudget): bigint {
  return SIGNATURE_FEE_LAMPORTS + priorityFeeOf(budget);
}

/**
 * Chooses a payment's compute budget from the prices of recent slots (oldest first, in micro-lamports). The
 * price is a high percentile of the newest slots, within fixed bounds. Without prices, it's the lower bound.
 */
export function chooseComputeBudget(pricesBySlot: readonly bigint[]): ComputeBudget {
  const recent = pricesBySlot.slice(-RECENT_SLOTS).toSorted((one, other) => Number(one - other));
  const high = recent[Math.ceil((recent.length * PERCENTILE) / 100) - 1] ?? 0n;
  const lowest = priceFor(MIN_PRIORITY_FEE_LAMPORTS);
  const highest = priceFor(MAX_PRIORITY_FEE_LAMPORTS);
  const atLeast = high > lowest ? high : lowest;
  return { computeUnitLimit: COMPUTE_UNIT_LIMIT, microLamports: atLeast < highest ? atLeast : highest };
}

function priceFor(lamports: bigint): bigint {
  return (lamports * MICRO_LAMPORTS_PER_LAMPORT) / BigInt(COMPUTE_UNIT_LIMIT);
}
