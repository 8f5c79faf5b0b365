import { TELEGRAM_MESSAGE_MAX_LENGTH } from '#schema/constants/messages.ts';
import { changePercent } from '#schema/rules/calls/change-percent.ts';
import { formatPrice } from '#schema/rules/prices/format-prices.ts';
import { formatChange } from '#schema/rules/text/format.ts';
import { showSymbol } from '../../../shared/plain-text.ts';
import { endOf } from '../facts/call-text.ts';
import type { CallEventRow } from '../notifications/call-events.repository.ts';

/** Events that one message tells. */
export interface Reply {
  readonly eventIds: readonly string[];
  readonly text: string;
}

const BETWEEN = '\n\n';

/**
 * Writes an event in two lines for the members of a chat. It names the token, because the call's message may be gone. Null if
 * there is nothing to say.
 */
export function composeReply(row: CallEventRow): string | null {
  const { kind, message, level, levelPrice, endedAt, entryPrice } = row;
  const token = showSymbol(row);
  switch (kind) {
    case 'call_opened':
      return null;
    case 'call_update':
      return message === null ? null : `Update on ${token}:\n${message.toWellFormed()}`;
    case 'call_ended':
      return `Call ended: ${token}\n${endOf(row).join(' · ')}`;
    case 'level_hit': {
      if (level === null || levelPrice === null || endedAt !== null) return null;
      const change = formatChange(changePercent(entryPrice, levelPrice));
      return `${level === 'target' ? 'Target' : 'Stop'} hit: ${token}\nPrice: $${formatPrice(levelPrice)} (${change}). The call is still active.`;
    }
  }
}

/** Joins replies into as few messages as Telegram's length limit allows. Cuts none, because each fits into a message. */
export function packReplies(replies: readonly Reply[]): Reply[] {
  const packed: Reply[] = [];
  for (const reply of replies) {
    const last = packed.at(-1);
    const text = last === undefined ? '' : `${last.text}${BETWEEN}${reply.text}`;
    if (last === undefined || text.length > TELEGRAM_MESSAGE_MAX_LENGTH) packed.push(reply);
    else packed.splice(-1, 1, { eventIds: [...last.eventIds, ...reply.eventIds], text });
  }
  return packed;
}
