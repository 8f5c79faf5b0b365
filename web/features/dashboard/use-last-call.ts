import { useState } from 'react';
import type { TokenCall } from '#schema/contracts/calls.ts';

/**
 * The call, or the previous call if it's null: a closing dialog keeps its content until it has faded out.
 */
export function useLastCall(call: TokenCall | null): TokenCall | null {
  const [lastCall, setLastCall] = useState(call);
  if (call !== null && call !== lastCall) setLastCall(call);
  return call ?? lastCall;
}
