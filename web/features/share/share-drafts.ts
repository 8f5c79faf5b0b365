import type { TokenCall } from '#schema/contracts/calls.ts';
import type { OtherWays } from './post-manually.tsx';

const DRAFT = 'share-draft:';
const RESUME = 'share-resume';

/** What was under way when somebody left for X. */
export interface ResumedShare {
  readonly call: TokenCall;
  /** What there was to choose from; it still is for who comes back without having allowed it. */
  readonly ways: OtherWays;
}

/* A browser that keeps nothing loses a draft, and nothing else. */
function attempt<Value>(act: () => Value): Value | null {
  try {
    return act();
  } catch {
    return null;
  }
}

/** The text that was typed for a call in this tab and not posted yet. */
export const readDraft = (callId: string): string | null =>
  attempt(() => sessionStorage.getItem(DRAFT + callId));

export const writeDraft = (callId: string, text: string): void =>
  void attempt(() => sessionStorage.setItem(DRAFT + callId, text));

export const dropDraft = (callId: string): void =>
  void attempt(() => sessionStorage.removeItem(DRAFT + callId));

/** Remembers, over the way to X and back, which call was about to be shared. */
export const resumeLater = (share: ResumedShare): void =>
  void attempt(() => sessionStorage.setItem(RESUME, JSON.stringify(share)));

/** The share that was under way of this caller; once. */
export function takeResumed(callerId: string): ResumedShare | null {
  return attempt(() => {
    const kept = sessionStorage.getItem(RESUME);
    if (kept === null) return null;
    sessionStorage.removeItem(RESUME);
    const share = JSON.parse(kept) as ResumedShare;
    // Somebody else may have signed in on the way.
    return share.call.callerId === callerId ? share : null;
  });
}
