import { normalizeFeeInput } from '#schema/rules/money/fee-input.ts';
import { useSolInUsd } from './sol-usd.tsx';

/** The value of a fee while it's typed, on a line that is empty until the fee can be read. */
export function TypedFeeInUsd({ fee }: { fee: string }) {
  const usd = useSolInUsd(normalizeFeeInput(fee));
  return <span className="block min-h-4 tabular-nums">{usd !== null && `${usd} a month`}</span>;
}
