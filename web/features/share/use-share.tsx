import { useState, type ReactNode } from 'react';
import type { CurrentUser } from '#schema/contracts/users.ts';
import { lazyPart } from '#web/lib/page/lazy-part.tsx';
import type { Sharing } from './share-runner.tsx';

/** Loaded for users only. */
const ShareRunner = lazyPart(async () => (await import('./share-runner.tsx')).ShareRunner);
const NONE: Sharing = { renderShare: () => null };

/** Lets callers share their own ended calls. Render `dialog` once. */
export function useShare(user: CurrentUser | null | undefined): Sharing & { dialog: ReactNode } {
  const [sharing, setSharing] = useState(NONE);
  if (!user) return { ...NONE, dialog: null };
  return { ...sharing, dialog: <ShareRunner key={user.id} user={user} onChange={setSharing} /> };
}
