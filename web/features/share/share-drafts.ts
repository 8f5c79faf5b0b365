import type { TokenCall } from '#schema/contracts/calls.ts';

const DRAFT = 'share-draft:';
const RESUME = 'share-resume';

/* A browser that keeps nothing loses a draft, and nothing else. */
function attempt<Value>(act: () => Value): Value | null {
  try {
    return act();
  } catch {
    return null;
  }
}

/** The text that was typed for a call in this tab and not posted yet. */
export const readDraft = (callId: string): string | null => attempt(() => sessionStorage.getItem(DRAFT + callId));

export const writeDraft = (callId: string, text: string): void => void attempt(() => sessionStorage.setItem(DRAFT + callId, text));

export const dropDraft = (callId: string): void => void attempt(() => sessionStorage.removeItem(DRAFT + callId));

/** Remembers, over the way to X and back, which call was about to be shared. */
export const resumeLater = (call: TokenCall): void => void attempt(() => sessionStorage.setItem(RESUME, JSON.stringify(call)));

/** The call that was about to be shared by this caller; once. */
export function takeResumed(callerId: string): TokenCall | null {
  return attempt(() => {
    const kept = sessionStorage.getItem(RESUME);
    if (kept === null) return null;
    sessionStorage.removeItem(RESUME);
    const call = JSON.parse(kept) as TokenCall;
    // Somebody else may have signed in on the way.
    return call.callerId === callerId ? call : null;
  });
}
