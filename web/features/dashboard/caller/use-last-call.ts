import { useState } from 'react';
import type { TokenCall } from '#schema/contracts/calls.ts';

/** Returns the call. If it is null, returns the last call instead, so that a dialog still shows a call that has just ended. */
export function useLastCall(call: TokenCall | null): TokenCall | null {
  const [lastCall, setLastCall] = useState(call);
  if (call !== null && call !== lastCall) setLastCall(call);
  return call ?? lastCall;
}
