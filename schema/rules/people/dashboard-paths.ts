export const DASHBOARD_VIEWS = ['subscriber', 'caller'] as const;
export type DashboardView = (typeof DASHBOARD_VIEWS)[number];

/** The API's paths of what a view shows at first, without the chain's and the price sources' data, which may come later. */
export function dashboardPaths(userId: string, view: DashboardView): readonly string[] {
  if (view === 'subscriber') return ['/api/subscriptions/my', '/api/subscriptions/calls'];
  return [
    `/api/callers/${userId}`,
    `/api/token-calls/caller/${userId}/active`,
    `/api/token-calls/caller/${userId}/history`,
    '/api/subscriptions/my',
    '/api/subscriptions/subscribers?limit=6&show=running',
    '/api/user/telegram-chats',
    '/api/user/wallets',
  ];
}
