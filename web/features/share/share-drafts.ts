import type { TokenCall } from '#schema/contracts/calls.ts';
import { attempt, tabStorage } from '#web/lib/browser/page-storage.ts';
import type { PostFallbackUrls } from './post-manually.tsx';

const RESUME = 'share-resume';

export interface ResumedShare {
  readonly call: TokenCall;
  readonly ways: PostFallbackUrls;
}

export function resumeLater(share: ResumedShare): void {
  tabStorage.setItem(RESUME, JSON.stringify(share));
}

export function takeResumed(callerId: string): ResumedShare | null {
  const saved = tabStorage.getItem(RESUME) ?? 'null';
  tabStorage.setItem(RESUME, null);
  const resumed = attempt(() => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `resumeLater` stored it in this tab.
    const share = JSON.parse(saved) as ResumedShare;
    // Another user may have signed in meanwhile.
    return share.call.callerId === callerId ? share : null;
  });
  return resumed ?? null;
}
