/** A successful response of another route. */
export interface DashboardPart {
  readonly body: unknown;
  readonly link: string | null;
}

/** Responses of other routes to the same person, by their path. */
export type Dashboard = Record<string, DashboardPart>;
