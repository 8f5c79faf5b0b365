import { formatPrice } from '#schema/rules/format.ts';
import { composeMessage, type NamedToken, showPerson, showToken } from '../../shared/plain-text.ts';

export interface OpenedCallToTell extends NamedToken {
  readonly callerName: string;
  readonly callerHandle: string;
  /** Decimal strings in USD. */
  readonly entryPrice: string;
  readonly targetPrice: string | null;
  readonly stopPrice: string | null;
  readonly thesis: string | null;
  readonly isPaidPromotion: boolean;
  readonly callUrl: string;
}

/**
 * The message about a new call with its published terms. The mint distinguishes tokens of the same name.
 */
export function composeCallOpenedText(call: OpenedCallToTell): string {
  const facts = [
    `Mint: ${call.tokenMint}`,
    `Entry: $${formatPrice(call.entryPrice)}`,
    ...(call.targetPrice === null ? [] : [`Target: $${formatPrice(call.targetPrice)}`]),
    ...(call.stopPrice === null ? [] : [`Stop: $${formatPrice(call.stopPrice)}`]),
    ...(call.isPaidPromotion ? ['Paid promotion: the caller is paid for this call.'] : []),
  ].join('\n');
  const head = (nameLength: number) =>
    `New call: ${showToken(call, nameLength)} by ${showPerson({ name: call.callerName, handle: call.callerHandle }, nameLength)}\n\n${facts}`;
  return composeMessage({ head, words: call.thesis ?? '', link: call.callUrl });
}
