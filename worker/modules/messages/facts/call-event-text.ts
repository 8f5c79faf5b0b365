import { changePercent as changeBetween } from '#schema/rules/calls/change-percent.ts';
import { rankingNote } from '#schema/rules/calls/ranking-texts.ts';
import { formatPrice } from '#schema/rules/prices/format-prices.ts';
import { formatChange } from '#schema/rules/text/format.ts';
import { endOf, levelOf, termsOf, titleOf } from './call-text.ts';
import { showCaller } from '../../money/callers/caller-summary.ts';
import { composeMessage, showSymbol } from '../../../shared/plain-text.ts';
import type { CallEventRow } from '../notifications/call-events.repository.ts';

/** Writes the message about a call's event with what is true now. Null if there is nothing to say anymore. */
export function composeCallEventText(row: CallEventRow, link: string): string | null {
  const { kind, endedAt, entryPrice, message, level, levelPrice } = row;
  const compose = (what: string, facts: readonly string[], words = '') => {
    const head = (nameLength: number) => `${titleOf(what, row, nameLength)}\n\n${facts.join('\n')}`;
    return composeMessage({ head, words, link });
  };
  const entry = `Entry: $${formatPrice(entryPrice)}`;
  switch (kind) {
    case 'call_opened':
      if (endedAt !== null) return null;
      // With the mint, because several tokens may have the same name.
      return compose('New call', [`Token: ${row.tokenMint}`, entry, ...termsOf(row)], row.thesis ?? '');
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
