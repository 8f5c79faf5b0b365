import { ComputeBudgetProgram, type VersionedMessage } from '@solana/web3.js';

/** The number of `SetComputeUnitPrice`. Its data is this byte and a u64 in little-endian order. */
const SET_PRICE = 3;
const SET_PRICE_BYTES = 9;

/** The price that a transaction offers, in micro-lamports per compute unit; 0 if it offers none. */
export function computeUnitPriceOf(message: VersionedMessage): bigint {
  if (message.version === 1) {
    const { priorityFee, computeUnitLimit } = message.transactionConfig;
    return computeUnitLimit ? (BigInt(priorityFee ?? 0) * 1_000_000n) / BigInt(computeUnitLimit) : 0n;
  }
  for (const { programIdIndex, data } of message.compiledInstructions) {
    const isPrice = data.length === SET_PRICE_BYTES && data[0] === SET_PRICE;
    if (isPrice && message.staticAccountKeys[programIdIndex]?.equals(ComputeBudgetProgram.programId)) {
      return new DataView(data.buffer, data.byteOffset).getBigUint64(1, true);
    }
  }
  return 0n;
}
