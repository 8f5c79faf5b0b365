import { z } from 'zod';
import { DASHBOARD_VIEWS } from '../rules/people/dashboard-paths.ts';

export const dashboardQuerySchema = z.strictObject({ view: z.enum(DASHBOARD_VIEWS) });

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
