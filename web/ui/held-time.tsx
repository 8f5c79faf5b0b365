import { formatHeld } from '#schema/rules/format.ts';

/** 'held 2d 4h'; nothing for an active call. Times are ISO 8601. */
export function HeldTime({
  callTimestamp,
  endTimestamp,
}: {
  callTimestamp: string;
  endTimestamp: string | undefined;
}) {
  if (endTimestamp === undefined) return null;
  return <span className="whitespace-nowrap">held {formatHeld({ callTimestamp, endTimestamp })}</span>;
}
