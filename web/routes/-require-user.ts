import { redirect } from '@tanstack/react-router';
import { currentUserQuery } from '#web/api/session.queries.ts';
import type { RouterContext } from '#web/lib/router-context.ts';

/** Sends whoever is not signed in to the directory. Awaited: nothing of a page is shown before it is known who is there. */
export async function requireUser({ context }: { context: RouterContext }): Promise<void> {
  if (!(await context.queryClient.ensureQueryData(currentUserQuery))) throw redirect({ to: '/' });
}
