import type { WireMessage } from './wire.ts';

const COMPUTE_BUDGET_PROGRAM = 'ComputeBudget111111111111111111111111111111';
/** The number of `SetComputeUnitPrice`. Its data is this byte and a u64 in little-endian order. */
const SET_PRICE = 3;
const SET_PRICE_BYTES = 9;

/** The price that a transaction offers, in micro-lamports per compute unit; 0 if it offers none. */
export function computeUnitPriceOf({ staticKeys, instructions }: WireMessage): bigint {
  for (const { programIndex, data } of instructions) {
    const isPrice = data.length === SET_PRICE_BYTES && data[0] === SET_PRICE;
    if (isPrice && staticKeys[programIndex] === COMPUTE_BUDGET_PROGRAM) {
      return new DataView(data.buffer, data.byteOffset).getBigUint64(1, true);
    }
  }
  return 0n;
}
