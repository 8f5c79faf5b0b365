import type { CopiedCall } from './calculator.ts';
import type { Mark } from './follower-return.ts';

type PackedMark = readonly [
  price: Mark['price'],
  liquidityUsd: Mark['liquidityUsd'],
  solPriceUsd: Mark['solPriceUsd'],
];

/** A call as the trigger `calls_copied` packs it. */
export type PackedCall = readonly [
  id: string,
  tokenSymbol: string,
  calledAt: number,
  endedAt: number,
  endPrice: string,
  changePercent: number,
  countedChange: number,
  open: PackedMark | null,
  end: PackedMark | null,
];

export function unpackCall(packed: PackedCall): CopiedCall {
  const [id, tokenSymbol, calledAt, endedAt, endPrice, changePercent, countedChange, open, end] = packed;
  return {
    id,
    tokenSymbol,
    endPrice,
    changePercent,
    countedChange,
    callTimestamp: new Date(calledAt).toISOString(),
    endTimestamp: new Date(endedAt).toISOString(),
    open: unpackMark(open),
    end: unpackMark(end),
  };
}

function unpackMark(packed: PackedMark | null): Mark | null {
  if (packed === null) return null;
  const [price, liquidityUsd, solPriceUsd] = packed;
  return { price, liquidityUsd, solPriceUsd };
}
