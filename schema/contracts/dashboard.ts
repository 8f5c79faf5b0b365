import { z } from 'zod';

export const DASHBOARD_VIEWS = ['subscriber', 'caller'] as const;
export type DashboardView = (typeof DASHBOARD_VIEWS)[number];

export const dashboardQuerySchema = z.strictObject({ view: z.enum(DASHBOARD_VIEWS) });

/** What a view shows at first, without the chain's and the price sources' data, which may come later. */
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

/** The response of another route. */
export interface DashboardPart {
  readonly etag: string | null;
  readonly link: string | null;
  readonly body: unknown;
}

/** The successful responses of other routes to the same person, by their path. */
export interface Dashboard {
  readonly parts: Readonly<Record<string, DashboardPart>>;
}
