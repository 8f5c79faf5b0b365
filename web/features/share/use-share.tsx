import { lazyRouteComponent } from '@tanstack/react-router';
import { Suspense, useState, type ReactNode } from 'react';
import type { CurrentUser } from '#schema/contracts/users.ts';
import type { Sharing } from './share-runner.tsx';

/** Loaded for users only. If loading fails, calls have no share button. */
const ShareRunner = lazyRouteComponent(
  () => import('./share-runner.tsx').catch(() => ({ ShareRunner: () => null })),
  'ShareRunner',
);
const NONE: Sharing = { renderShare: () => null };

/** Lets callers share their own ended calls. Render `dialog` once. */
export function useShare(user: CurrentUser | null | undefined): Sharing & { dialog: ReactNode } {
  const [sharing, setSharing] = useState(NONE);
  if (!user) return { ...NONE, dialog: null };
  const dialog = (
    <Suspense>
      <ShareRunner key={user.id} user={user} onChange={setSharing} />
    </Suspense>
  );
  return { ...sharing, dialog };
}
