import { isolateName } from './plain-text.ts';

export interface EndedCallToTell {
  readonly callerName: string;
  readonly callerHandle: string;
  readonly tokenSymbol: string;
  readonly tokenName: string;
  readonly entryPrice: string;
  readonly endPrice: string;
  readonly changePercent: number;
  readonly heldMs: number;
  readonly callUrl: string;
}

/** That a call has ended, and how. */
export function composeCallEndedText({ callerName, callerHandle, tokenSymbol, changePercent, callUrl }: EndedCallToTell): string {
  return `Call ended: ${isolateName(tokenSymbol)} by ${isolateName(callerName)} (@${callerHandle})\n\nResult: ${changePercent.toFixed(1)}%\n\n${callUrl}`;
}
