import { Hono } from 'hono';
import type { Dashboard } from '#schema/contracts/dashboard.ts';
import type { AppEnv } from './context.ts';
import { signedInRoutes } from './route.ts';

const followerPaths = ['/api/subscriptions/my', '/api/subscriptions/calls'];

/** Without balances and recent buys, which wait for the chain. */
const callerPaths = (id: string) => [
  `/api/callers/${id}`,
  `/api/token-calls/caller/${id}/active`,
  `/api/token-calls/caller/${id}/history`,
  '/api/payments/subscribers?limit=6&show=running',
  '/api/user/telegram-chats',
  '/api/user/wallets',
];

/**
 * The dashboard's first data, in one response. `ask` is the app itself: each part passes its own route with its
 * session, rules and limits, so nobody sees more here than there.
 */
export const dashboardRoutes = (
  ask: (request: Request, env: AppEnv['Bindings']) => Response | Promise<Response>,
) =>
  new Hono<AppEnv>().get(
    '/dashboard',
    signedInRoutes('Account').read({
      summary:
        'What our own dashboard needs at first. Other programs use the routes in it, because the list may change',
      response: 'Dashboard',
      errors: ['users.not_found'],
    }),
    async (c) => {
      const { userId, services } = c.var;
      const { isCaller } = await services.users.current(userId);
      const headers = new Headers(c.req.raw.headers);
      headers.delete('If-None-Match');
      const readPart = async (path: string) => {
        const response = await ask(new Request(new URL(path, c.req.url), { headers }), c.env);
        // Without its part, the page asks the route itself, and shows why it refuses.
        return response.ok
          ? [[path, { body: await response.json(), link: response.headers.get('Link') }]]
          : [];
      };
      const paths = [...followerPaths, ...(isCaller ? callerPaths(userId) : [])];
      const dashboard: Dashboard = Object.fromEntries((await Promise.all(paths.map(readPart))).flat());
      return c.json(dashboard);
    },
  );
