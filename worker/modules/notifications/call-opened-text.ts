import { formatPrice } from '#schema/rules/format.ts';
import { composeMessage, showPerson, showToken } from './plain-text.ts';

export interface OpenedCallToTell {
  readonly callerName: string;
  readonly callerHandle: string;
  readonly tokenSymbol: string;
  readonly tokenName: string;
  /** Base58. */
  readonly tokenMint: string;
  /** Decimal strings in USD. */
  readonly entryPrice: string;
  readonly targetPrice: string | null;
  readonly stopPrice: string | null;
  readonly thesis: string | null;
  readonly isPaidPromotion: boolean;
  readonly callUrl: string;
}

/** That a caller has called a token, with everything they published with it. The mint tells the token from those of the same name. */
export function composeCallOpenedText(call: OpenedCallToTell): string {
  const facts = [
    `Mint: ${call.tokenMint}`,
    `Entry: $${formatPrice(call.entryPrice)}`,
    ...(call.targetPrice === null ? [] : [`Target: $${formatPrice(call.targetPrice)}`]),
    ...(call.stopPrice === null ? [] : [`Stop: $${formatPrice(call.stopPrice)}`]),
    ...(call.isPaidPromotion ? ['Paid promotion: the caller is paid for this call.'] : []),
  ].join('\n');
  const head = (nameLength: number) => {
    const token = showToken({ symbol: call.tokenSymbol, name: call.tokenName }, nameLength);
    return `New call: ${token} by ${showPerson({ name: call.callerName, handle: call.callerHandle }, nameLength)}\n\n${facts}`;
  };
  return composeMessage({ head, words: call.thesis ?? '', link: call.callUrl });
}
