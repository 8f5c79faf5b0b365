import { formatPrice } from '#schema/rules/format.ts';
import { isolateName } from './plain-text.ts';

export interface OpenedCallToTell {
  readonly callerName: string;
  readonly callerHandle: string;
  readonly tokenSymbol: string;
  readonly tokenName: string;
  readonly tokenMint: string;
  readonly entryPrice: string;
  readonly targetPrice: string | null;
  readonly stopPrice: string | null;
  readonly thesis: string | null;
  readonly isPaidPromotion: boolean;
  readonly callUrl: string;
}

/** That a caller has called a token. */
export function composeCallOpenedText({ callerName, callerHandle, tokenSymbol, tokenMint, entryPrice, callUrl }: OpenedCallToTell): string {
  return `New call: ${isolateName(tokenSymbol)} by ${isolateName(callerName)} (@${callerHandle})\n\nMint: ${tokenMint}\nEntry: $${formatPrice(entryPrice)}\n\n${callUrl}`;
}
