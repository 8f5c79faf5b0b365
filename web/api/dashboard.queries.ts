import type { QueryClient } from '@tanstack/react-query';
import { dashboardPaths, type DashboardView } from '#schema/rules/people/dashboard-paths.ts';
import { client, read } from './client.ts';
import { fetchTogether } from './fetch-together.ts';
import { currentUserQuery } from './session.queries.ts';

/** Fetches in one request what this view of the dashboard shows at first. Its queries then get their responses from it. */
export function fetchDashboard(queryClient: QueryClient, chosen: DashboardView | undefined): void {
  const user = queryClient.getQueryData(currentUserQuery.queryKey);
  if (!user) return;
  const view = user.isCaller ? (chosen ?? 'caller') : 'subscriber';
  fetchTogether(dashboardPaths(user.id, view), () => read(client.api.dashboard.$get({ query: { view } })));
}
