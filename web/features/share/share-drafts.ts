import type { TokenCall } from '#schema/contracts/calls.ts';
import type { OtherWays } from './post-manually.tsx';

const DRAFT = 'share-draft:';
const RESUME = 'share-resume';

/** A share that was interrupted to ask for permission on X. */
export interface ResumedShare {
  readonly call: TokenCall;
  /** The alternatives to offer if the user declines. */
  readonly ways: OtherWays;
}

/** Runs `act`, or returns null if storage is blocked. In that case only the draft is lost. */
function attempt<Value>(act: () => Value): Value | null {
  try {
    return act();
  } catch {
    return null;
  }
}

/** The unposted text of a call, kept for this tab. */
export const readDraft = (callId: string): string | null =>
  attempt(() => sessionStorage.getItem(DRAFT + callId));

export const writeDraft = (callId: string, text: string): void =>
  void attempt(() => sessionStorage.setItem(DRAFT + callId, text));

export const dropDraft = (callId: string): void =>
  void attempt(() => sessionStorage.removeItem(DRAFT + callId));

/** Keeps a share while the user is on X. */
export const resumeLater = (share: ResumedShare): void =>
  void attempt(() => sessionStorage.setItem(RESUME, JSON.stringify(share)));

/** Returns and forgets this caller's interrupted share, or `null` if there is none. */
export function takeResumed(callerId: string): ResumedShare | null {
  return attempt(() => {
    const kept = sessionStorage.getItem(RESUME);
    if (kept === null) return null;
    sessionStorage.removeItem(RESUME);
    const share = JSON.parse(kept) as ResumedShare;
    // Another user may have signed in meanwhile.
    return share.call.callerId === callerId ? share : null;
  });
}
