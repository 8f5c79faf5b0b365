import { redirect } from '@tanstack/react-router';
import { currentUserQuery } from '#web/api/session.queries.ts';
import type { RouterContext } from '#web/lib/page/router-context.ts';

/** Redirects signed-out users to the directory before any part of the page shows. */
export async function requireUser({ context }: { context: RouterContext }): Promise<void> {
  if (!(await context.queryClient.ensureQueryData(currentUserQuery))) throw redirect({ to: '/' });
}
