import { useState } from 'react';
import type { TokenCall } from '#schema/contracts/calls.ts';

/** Returns the call or, if it's null, the last one, so that a closing dialog keeps its content. */
export function useLastCall(call: TokenCall | null): TokenCall | null {
  const [lastCall, setLastCall] = useState(call);
  if (call !== null && call !== lastCall) setLastCall(call);
  return call ?? lastCall;
}
