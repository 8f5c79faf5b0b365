import { SIGNATURE_FEE_LAMPORTS } from '../../constants/money.ts';

/**
 * The compute units that a payment may use. Its memo needs about 15,000, the rest 600. What is left is for
 * instructions that wallets add, such as Lighthouse guards. The network's default for one
 * instruction is the same.
 */
export const COMPUTE_UNIT_LIMIT = 200_000;
/** Bounds of a payment's priority fee. The lower bound is used if no recent fees are known. */
export const MIN_PRIORITY_FEE_LAMPORTS = 10_000n;
export const MAX_PRIORITY_FEE_LAMPORTS = 500_000n;

const MICRO_LAMPORTS_PER_LAMPORT = 1_000_000n;
/** The number of newest slots whose prices are used: 12.5 seconds at 250 ms a slot. */
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
