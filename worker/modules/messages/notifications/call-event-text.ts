import { formatChange } from '#schema/rules/text/format.ts';
import { formatPrice } from '#schema/rules/prices/format-prices.ts';
import { formatDuration } from '#schema/rules/text/format-durations.ts';
import { changePercent as changeBetween } from '#schema/rules/calls/change-percent.ts';
import { automaticEndTexts, rankingNote } from '#schema/rules/calls/ranking-texts.ts';
import type { messageColumns } from '../../../shared/call-columns.ts';
import { showCaller, type CallerSummaryRow } from '../../../shared/caller-summary.ts';
import { composeMessage, describeTime, showSymbol, showToken } from '../../../shared/plain-text.ts';
import type { SelectedRow } from '../../../shared/rows.ts';
import type { CallEventRow } from './call-events.repository.ts';

type MessageCall = SelectedRow<typeof messageColumns> & CallerSummaryRow;

/** The first line of a message: `New call: WIF (dogwifhat) by Ada Byron (@ada)`. */
export const titleOf = (what: string, call: MessageCall, nameLength?: number): string =>
  `${what}: ${showToken(call, nameLength)} by ${showCaller(call, nameLength)}`;

type Levels = Pick<MessageCall, 'targetPrice' | 'stopPrice' | 'isPaidPromotion'> &
  Partial<Record<'targetHitAt' | 'stopHitAt', number | null>>;

/** The levels that a call was published with, and whether it's a paid promotion. */
export function termsOf({
  targetPrice,
  targetHitAt,
  stopPrice,
  stopHitAt,
  isPaidPromotion,
}: Levels): string[] {
  return [
    ...levelOf('Target', targetPrice, targetHitAt),
    ...levelOf('Stop', stopPrice, stopHitAt),
    ...(isPaidPromotion ? ['Paid promotion: the caller is paid for this call.'] : []),
  ];
}

function levelOf(name: 'Target' | 'Stop', price: string | null, hitAt: number | null = null): string[] {
  if (price === null) return [];
  return [`${name}: $${formatPrice(price)}${hitAt === null ? '' : `, hit on ${describeTime(hitAt)}`}`];
}

/** How a call ended. Empty for an active call. */
export function endOf({ calledAt, endedAt, endPrice, changePercent, automaticEnd }: MessageCall): string[] {
  if (endedAt === null || endPrice === null || changePercent === null) return [];
  return [
    `Result: ${formatChange(changePercent)}`,
    `End: $${formatPrice(endPrice)}`,
    `Held: ${formatDuration(endedAt - calledAt)}`,
    ...(automaticEnd === null ? [] : [`${automaticEndTexts[automaticEnd]}.`]),
  ];
}

/** Writes the message about a call's event with what is true now. Null if there is nothing to say anymore. */
export function composeCallEventText(row: CallEventRow, link: string): string | null {
  const { kind, endedAt, entryPrice, message, level, levelPrice } = row;
  const compose = (what: string, facts: readonly string[], words = '') => {
    const head = (nameLength: number) => `${titleOf(what, row, nameLength)}\n\n${facts.join('\n')}`;
    return composeMessage({ head, words, link });
  };
  const entry = `Entry: $${formatPrice(entryPrice)}`;
  switch (kind) {
    case 'call_opened': {
      if (endedAt !== null) return null;
      // With the mint, because several tokens may have the same name.
      return compose('New call', [`Mint: ${row.tokenMint}`, entry, ...termsOf(row)], row.thesis ?? '');
    }
    case 'call_ended': {
      const [end, note] = [endOf(row), rankingNote(row)];
      return end.length === 0
        ? null
        : compose('Call ended', [...end, entry, ...(note === null ? [] : [note])]);
    }
    case 'call_update': {
      const head = (nameLength: number) =>
        `Update on ${showSymbol(row, nameLength)} from ${showCaller(row, nameLength)}`;
      return message === null ? null : composeMessage({ head, words: message, link });
    }
    case 'level_hit': {
      if (endedAt !== null || level === null || levelPrice === null) return null;
      const [name, published] =
        level === 'target' ? (['Target', row.targetPrice] as const) : (['Stop', row.stopPrice] as const);
      return compose(`${name} hit`, [
        ...levelOf(name, published),
        `Price: $${formatPrice(levelPrice)}`,
        `${entry} (${formatChange(changeBetween(entryPrice, levelPrice))})`,
        'The call is still active.',
      ]);
    }
  }
}
