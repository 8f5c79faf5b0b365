import { formatChange, formatDuration, formatPrice } from '#schema/rules/format.ts';
import { composeMessage, showPerson, showToken } from './plain-text.ts';

export interface EndedCallToTell {
  readonly callerName: string;
  readonly callerHandle: string;
  readonly tokenSymbol: string;
  readonly tokenName: string;
  /** Decimal strings in USD. */
  readonly entryPrice: string;
  readonly endPrice: string;
  readonly changePercent: number;
  readonly heldMs: number;
  readonly callUrl: string;
}

/** That a call has ended, and how. A loss is told as a win is. */
export function composeCallEndedText(call: EndedCallToTell): string {
  const facts = [
    `Result: ${formatChange(call.changePercent)}`,
    `Entry: $${formatPrice(call.entryPrice)}`,
    `End: $${formatPrice(call.endPrice)}`,
    `Held: ${formatDuration(call.heldMs)}`,
  ].join('\n');
  const head = (nameLength: number) => {
    const token = showToken({ symbol: call.tokenSymbol, name: call.tokenName }, nameLength);
    return `Call ended: ${token} by ${showPerson({ name: call.callerName, handle: call.callerHandle }, nameLength)}\n\n${facts}`;
  };
  return composeMessage({ head, link: call.callUrl });
}
