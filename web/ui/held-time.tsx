import type { TokenCall } from '#schema/contracts/calls.ts';
import { formatHeld } from '#schema/rules/format.ts';

/** 'held 2d 4h'; nothing for an active call. Times are ISO 8601. */
export function HeldTime({ call: { callTimestamp, endTimestamp } }: { call: TokenCall }) {
  if (endTimestamp === undefined) return null;
  return <span className="whitespace-nowrap">held {formatHeld({ callTimestamp, endTimestamp })}</span>;
}
