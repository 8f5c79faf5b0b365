import type { TokenCall } from '#schema/contracts/calls.ts';

export type EndedCall = TokenCall & Required<Pick<TokenCall, 'endPrice' | 'endTimestamp'>>;

export function hasEnded(call: TokenCall): call is EndedCall {
  return call.endPrice !== undefined && call.endTimestamp !== undefined;
}

export const onlyActive = (calls: readonly TokenCall[]) => calls.filter(({ isActive }) => isActive);
export const onlyEnded = (calls: readonly TokenCall[]) => calls.filter(({ isActive }) => !isActive);
