import { formatChange } from '#schema/rules/text/format.ts';
import { formatPrice } from '#schema/rules/prices/format-prices.ts';
import { formatDuration } from '#schema/rules/text/format-durations.ts';
import { changePercent } from '#schema/rules/calls/change-percent.ts';
import type { CallLevel, PriceLevels } from '#schema/rules/calls/price-levels.ts';
import { automaticEndTexts, rankingNote } from '#schema/rules/calls/ranking-texts.ts';
import {
  composeMessage,
  type NamedToken,
  showPerson,
  showSymbol,
  showToken,
} from '../../../shared/plain-text.ts';
import type { CallEventRow } from './call-events.repository.ts';

interface NamedCall extends NamedToken {
  readonly callerName: string;
  readonly callerHandle: string;
  readonly callUrl: string;
}

/** Prices are decimal strings in USD. */
type OpenedCall = NamedCall &
  Pick<CallEventRow, 'entryPrice' | 'targetPrice' | 'stopPrice' | 'thesis' | 'isPaidPromotion'>;

type EndedCall = NamedCall &
  Pick<CallEventRow, 'unrankedReason' | 'uncountedGainReason' | 'automaticEnd'> &
  Record<'entryPrice' | 'endPrice', string> &
  Record<'changePercent' | 'heldMs', number>;

const showCaller = ({ callerName: name, callerHandle: handle }: NamedCall, nameLength: number) =>
  showPerson({ name, handle }, nameLength);

/** Contains the mint, because several tokens may have the same name. */
export function composeCallOpenedText(call: OpenedCall): string {
  const facts = [
    `Mint: ${call.tokenMint}`,
    `Entry: $${formatPrice(call.entryPrice)}`,
    ...(call.targetPrice === null ? [] : [`Target: $${formatPrice(call.targetPrice)}`]),
    ...(call.stopPrice === null ? [] : [`Stop: $${formatPrice(call.stopPrice)}`]),
    ...(call.isPaidPromotion ? ['Paid promotion: the caller is paid for this call.'] : []),
  ].join('\n');
  const head = (nameLength: number) =>
    `New call: ${showToken(call, nameLength)} by ${showCaller(call, nameLength)}\n\n${facts}`;
  return composeMessage({ head, words: call.thesis ?? '', link: call.callUrl });
}

/** Writes the message about an ended call, win or loss. */
export function composeCallEndedText(call: EndedCall): string {
  const note = rankingNote(call);
  const facts = [
    `Result: ${formatChange(call.changePercent)}`,
    `Entry: $${formatPrice(call.entryPrice)}`,
    `End: $${formatPrice(call.endPrice)}`,
    `Held: ${formatDuration(call.heldMs)}`,
    ...(note === null ? [] : [note]),
    ...(call.automaticEnd === null ? [] : [`${automaticEndTexts[call.automaticEnd]}.`]),
  ].join('\n');
  const head = (nameLength: number) =>
    `Call ended: ${showToken(call, nameLength)} by ${showCaller(call, nameLength)}\n\n${facts}`;
  return composeMessage({ head, link: call.callUrl });
}

type HitCall = NamedCall &
  Pick<CallEventRow, 'entryPrice'> & { readonly level: CallLevel; readonly levelPrice: string } & PriceLevels;

/** Writes the message about a hit target or stop. It also says that nothing else happens by itself. */
export function composeLevelHitText(call: HitCall): string {
  const { level, levelPrice, entryPrice, targetPrice, stopPrice } = call;
  const published = level === 'target' ? targetPrice : stopPrice;
  const facts = [
    ...(published === null ? [] : [`${levelNames[level]}: $${formatPrice(published)}`]),
    `Price: $${formatPrice(levelPrice)}`,
    `Entry: $${formatPrice(entryPrice)} (${formatChange(changePercent(entryPrice, levelPrice))})`,
    'The call is still active.',
  ].join('\n');
  const head = (nameLength: number) =>
    `${levelNames[level]} hit: ${showToken(call, nameLength)} by ${showCaller(call, nameLength)}\n\n${facts}`;
  return composeMessage({ head, link: call.callUrl });
}

const levelNames: Readonly<Record<CallLevel, string>> = { target: 'Target', stop: 'Stop' };

/** Writes the message with a caller's update. The caller's text stays unchanged. */
export function composeUpdateText(update: NamedCall & { readonly message: string }): string {
  const head = (nameLength: number) =>
    `Update on ${showSymbol(update, nameLength)} from ${showCaller(update, nameLength)}`;
  return composeMessage({ head, words: update.message, link: update.callUrl });
}
