import { formatChange, formatDuration, formatPrice } from '#schema/rules/format.ts';
import { composeMessage, type NamedToken, showPerson, showToken } from '../../shared/plain-text.ts';

export interface EndedCallToTell extends NamedToken {
  readonly callerName: string;
  readonly callerHandle: string;
  /** Decimal strings in USD. */
  readonly entryPrice: string;
  readonly endPrice: string;
  readonly changePercent: number;
  readonly heldMs: number;
  readonly callUrl: string;
}

/** The message about an ended call, win or loss. */
export function composeCallEndedText(call: EndedCallToTell): string {
  const facts = [
    `Result: ${formatChange(call.changePercent)}`,
    `Entry: $${formatPrice(call.entryPrice)}`,
    `End: $${formatPrice(call.endPrice)}`,
    `Held: ${formatDuration(call.heldMs)}`,
  ].join('\n');
  const head = (nameLength: number) =>
    `Call ended: ${showToken(call, nameLength)} by ${showPerson({ name: call.callerName, handle: call.callerHandle }, nameLength)}\n\n${facts}`;
  return composeMessage({ head, link: call.callUrl });
}
