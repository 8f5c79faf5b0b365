import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { currentUserQuery } from '#web/api/session.queries.ts';
import { attempt } from '#web/lib/browser/page-storage.ts';

const USER_KEY = 'solcallers.user';

/** Reloads when another user signs in in another tab. public/early.js reads the same key. */
export function useReloadOnUserChange(): void {
  const { data: user } = useQuery(currentUserQuery);
  const userId = user?.id;
  const isSignedOut = user === null;
  useEffect(() => {
    if (isSignedOut) attempt(() => localStorage.removeItem(USER_KEY));
    if (userId === undefined) return undefined;
    attempt(() => localStorage.setItem(USER_KEY, userId));
    const handleStorage = ({ key, newValue }: StorageEvent) => {
      if (key === USER_KEY && newValue !== null && newValue !== userId) window.location.reload();
    };
    window.addEventListener('storage', handleStorage);
    return () => window.removeEventListener('storage', handleStorage);
  }, [userId, isSignedOut]);
}
