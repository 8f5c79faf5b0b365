import type { TokenCall } from '#schema/contracts/calls.ts';
import { describeHeld } from '#schema/rules/text/format-amounts.ts';

/** Shows 'held 2d 4h' for an ended call and nothing for an active one. */
export function HeldTime({ call: { callTimestamp, endTimestamp } }: { call: TokenCall }) {
  if (endTimestamp === undefined) return null;
  return <span className="whitespace-nowrap">{describeHeld({ callTimestamp, endTimestamp })}</span>;
}
