import { pluralize } from '#schema/rules/text/format.ts';

/** The public facts about a caller's open calls. */
export interface OpenCalls {
  readonly count: number;
  /** The day (UTC) on which the oldest of them was opened, such as '2026-11-04'. */
  readonly since: string;
}

export function describeOpenCalls(open: OpenCalls | null): string {
  if (open === null) return 'No call is open.';
  const { count } = open;
  const day = new Date(open.since).toLocaleDateString('en-US', {
    month: 'long',
    day: 'numeric',
    timeZone: 'UTC',
  });
  return `${pluralize(count, 'call')} ${count === 1 ? 'is open,' : 'are open, the oldest'} since ${day}.`;
}
