import { Hono } from 'hono';
import { dashboardQuerySchema, type Dashboard, type DashboardPart } from '#schema/contracts/dashboard.ts';
import { dashboardPaths } from '#schema/rules/people/dashboard-paths.ts';
import type { AppEnv } from './context.ts';
import { signedInRoutes } from './route.ts';
import { validate } from './validate.ts';

type Answer = (request: Request, env: AppEnv['Bindings']) => Response | Promise<Response>;

/**
 * What the dashboard shows at first, in one response. `answer` is the app itself: each part passes its own route with its
 * session, rules and limits, so nobody sees more here than there.
 */
export const dashboardRoutes = (answer: Answer) =>
  new Hono<AppEnv>().get(
    '/dashboard',
    signedInRoutes('Account').read({
      summary:
        'The responses that our own dashboard needs at first. Other programs use their routes: this list changes with the page',
      response: 'Dashboard',
    }),
    validate('query', dashboardQuerySchema),
    async (c) => {
      const paths = dashboardPaths(c.var.userId, c.req.valid('query').view);
      const headers = new Headers(c.req.raw.headers);
      headers.delete('If-None-Match');
      const ask = (path: string) => answer(new Request(new URL(path, c.req.url), { headers }), c.env);
      const parts = await Promise.all(paths.map(async (path) => readPart(path, await ask(path))));
      const dashboard: Dashboard = { parts: Object.fromEntries(parts.flat()) };
      return c.json(dashboard);
    },
  );

/** Nothing if the route refuses: the page then asks it, and shows why. */
async function readPart(path: string, response: Response): Promise<[path: string, DashboardPart][]> {
  if (!response.ok) return [];
  const { headers } = response;
  return [[path, { etag: headers.get('ETag'), link: headers.get('Link'), body: await response.json() }]];
}
