import type { NewFact } from '../../log/facts.repository.ts';

const MADE = ['key', 'calling_key', 'webhook', 'telegram', 'telegram_calls', 'chat', 'push', 'x'] as const;
export type MadeWay = (typeof MADE)[number];

interface Making {
  readonly made: MadeWay;
  readonly userId: string;
  readonly at: number;
}

/** The notice of a new way into an account. Its text needs no row, so ending the way at once doesn't stop it. */
export const wayMade = ({ made, userId, at }: Making): NewFact => ({
  kind: 'way_made',
  subject: `${made}:${userId}:${at}`,
  userId,
  at,
});

export function readMade(subject: string): Omit<Making, 'userId'> | null {
  const [kind, , at] = subject.split(':');
  const made = MADE.find((each) => each === kind);
  return made === undefined ? null : { made, at: Number(at) };
}
