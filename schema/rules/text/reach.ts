import type { ChatKind } from '../access/telegram-chats.ts';
import { formatCount, pluralize } from './format.ts';

export interface ReachedChat {
  readonly kind: ChatKind;
  /** Null until Telegram has said how many. */
  readonly members: number | null;
}

interface Reach {
  /** Null if there are too many to count at once. */
  readonly recipients: number | null;
  readonly chats: readonly ReachedChat[];
}

/** Says who is told of something on Telegram, such as '1 group of 214, 12 private messages'. Empty if nobody is. */
export function describeReach({ recipients, chats }: Reach): string {
  const places = chats.map(({ kind, members }) =>
    members === null ? `1 ${kind}` : `1 ${kind} of ${formatCount(members)}`,
  );
  if (recipients === null) return [...places, 'private messages'].join(', ');
  return [...places, ...(recipients === 0 ? [] : [pluralize(recipients, 'private message')])].join(', ');
}
