import { useQuery } from '@tanstack/react-query';
import type { CurrentUser } from '#schema/contracts/users.ts';
import { currentUserQuery } from '#web/api/session.queries.ts';

/** The signed-in user, on a page behind `requireUser`. After the session has ended, it's still the page's last user. */
export function useUser(): CurrentUser {
  const { data: user } = useQuery(currentUserQuery);
  if (!user) throw new Error('This page needs a signed-in user.');
  return user;
}
