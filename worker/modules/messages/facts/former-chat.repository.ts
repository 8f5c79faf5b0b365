import { sql, type SQL } from 'drizzle-orm';
import type { OutgoingEvent } from '../../../ports/outbox.ts';

const MARK = '#former';

/** The same event for the person's former chat. Senders treat it as another person. */
export const forFormerChat = (event: OutgoingEvent): OutgoingEvent => ({
  ...event,
  id: `${event.id}${MARK}`,
  userId: `${event.userId}${MARK}`,
});

export const isForFormerChat = (id: string): boolean => id.endsWith(MARK);

/** The person of a recipient. */
export const personOf = (recipient: string): string =>
  isForFormerChat(recipient) ? recipient.slice(0, -MARK.length) : recipient;

/** The link `l` has a former chat that still gets security notices. */
export const hasFormerChat = (now: number): SQL =>
  sql`l.former_until > ${now} AND l.former_chat_id IS NOT l.chat_id`;

export const formerRecipient = (userId: SQL): SQL<string> => sql`${userId} || ${MARK}`;
