import type { RATE_LIMITS } from '#schema/constants.ts';
import { PAGE_PATHS, withSlash } from './page-paths.ts';

export type RateLimitName = Exclude<keyof typeof RATE_LIMITS, 'visitor'>;

export interface RouteLimit {
  readonly limit: RateLimitName;
  /** `address`: all requests of one network address count together, signed in or not. */
  readonly per: 'person' | 'address';
}

const ownRead: RouteLimit = { limit: 'reads', per: 'person' };
const write: RouteLimit = { limit: 'writes', per: 'person' };
/** The request makes us ask X, Solana or a price source. */
const costly: RouteLimit = { limit: 'costly', per: 'person' };
/**
 * The shared cache answers most of these requests. The others count by address, so we don't read the
 * session.
 */
const publicRead: RouteLimit = { limit: 'reads', per: 'address' };
const costlyVisit: RouteLimit = { limit: 'costly', per: 'address' };
/** A page shows dozens of images, and whoever checks the log reads many tiles. Caches answer most of these requests. */
const publicImage: RouteLimit = { limit: 'images', per: 'address' };
const ownImage: RouteLimit = { limit: 'images', per: 'person' };
const signIn: RouteLimit = { limit: 'writes', per: 'address' };

/** Unknown addresses share one limit, and so do the operators' routes, because nobody else may know that they exist. */
export const UNKNOWN_ROUTE: RouteLimit = { ...publicRead };

/** The rate limit of each route. A test fails if a route is missing. */
export const ROUTE_LIMITS: Readonly<Record<string, RouteLimit>> = {
  ...Object.fromEntries(
    ['/caller/:usernameOrId', '/call/:id', '/token/:mint', ...PAGE_PATHS]
      .flatMap(withSlash)
      .map((path) => [`GET ${path}`, publicRead]),
  ),
  'GET /robots.txt': publicRead,
  'GET /sitemap.xml': publicRead,
  'GET /feeds/recent-calls.xml': publicRead,
  'GET /caller/:usernameOrId/feed.xml': publicRead,
  'GET /:part{sitemap-[a-z0-9-]+\\.xml}': publicRead,

  'GET /log/key': publicRead,
  'GET /log/checkpoint': publicRead,
  'GET /log/tile/:path{.+}': publicImage,
  'GET /log/callers/:callerId': costlyVisit,
  'GET /log/anchors': publicRead,

  'GET /api/auth/twitter': signIn,
  'GET /api/auth/twitter/callback': signIn,
  'GET /api/logout': publicRead,
  'GET /api/auth/user': ownRead,

  'GET /api/callers': publicRead,
  'GET /api/callers/:usernameOrId': ownRead,
  'GET /api/callers/:usernameOrId/statistics': ownRead,
  'GET /api/callers/:usernameOrId/card.png': costlyVisit,
  'GET /api/images/callers/:id/:version': publicImage,
  'GET /api/images/calls/:id': publicImage,
  'GET /api/images/active-calls/:id': ownImage,
  'GET /api/images/me/:version': ownRead,
  // A price source chooses the icon's URL, so the request may go to any host.
  'GET /api/images/tokens/:sealed': ownRead,
  'GET /api/token-calls/ended': publicRead,
  'GET /api/token-calls/:id': ownRead,
  'GET /api/token-calls/:id/chart': ownRead,
  'GET /api/token-calls/:id/share.png': costlyVisit,
  'GET /api/token-calls/caller/:id': ownRead,
  'GET /api/token-calls/caller/:id/active': ownRead,
  'GET /api/token-calls/caller/:id/history': ownRead,
  'GET /api/prices': publicRead,
  'GET /api/tokens/search': costly,
  'GET /api/prices/sol': publicRead,
  'GET /api/tokens/:mint': costly,
  'GET /api/tokens/called': publicRead,
  'GET /api/tokens/:mint/calls': ownRead,
  'POST /api/events/page-view': publicRead,
  'GET /api/openapi.json': publicRead,
  'GET /api/docs': publicRead,
  'GET /api/health': publicRead,
  'GET /api/health/ready': publicRead,
  'POST /api/telegram/webhook': publicRead,

  'POST /api/token-calls': write,
  'PATCH /api/token-calls/:id/end': write,
  'POST /api/telegram/send-update': write,
  'POST /api/twitter-post': costly,
  'DELETE /api/user/x-posting': write,

  'GET /api/user/export': costly,
  'POST /api/user/deletion': write,
  'POST /api/user/acceptances': write,
  'POST /api/user/become-caller': write,
  'PATCH /api/user/caller-profile': write,
  'PATCH /api/user/profile': write,
  'POST /api/user/wallets/challenge': write,
  'POST /api/user/wallets': write,
  'GET /api/user/wallets': ownRead,
  'DELETE /api/user/wallets/:id': write,
  'GET /api/user/payout-changes': ownRead,
  'GET /api/user/sessions': ownRead,
  'DELETE /api/user/sessions': write,
  'DELETE /api/user/sessions/:id': write,
  'GET /api/wallet/transactions': costly,
  'GET /api/wallet/balances': costly,

  'POST /api/user/telegram-connect': write,
  'DELETE /api/user/telegram-disconnect': write,
  'GET /api/live': write,
  'GET /api/telegram/deliveries': ownRead,
  'GET /api/user/push': ownRead,
  'PUT /api/user/push': write,
  'DELETE /api/user/push': write,
  'GET /api/user/notifications': ownRead,
  'PATCH /api/user/notifications': write,
  'PUT /api/user/notifications/mutes/:callerId': write,
  'DELETE /api/user/notifications/mutes/:callerId': write,

  'POST /api/subscriptions/free': write,
  'DELETE /api/subscriptions/free/:callerId': write,
  'GET /api/subscriptions/my': ownRead,
  'GET /api/subscriptions/calls': ownRead,
  'GET /api/subscriptions/caller/:id': ownRead,

  'POST /api/solana/get-latest-blockhash': costly,
  'POST /api/solana/send-transaction': costly,
  // The page sends this request every second or two until the payment has landed.
  'POST /api/solana/confirm-transaction': ownRead,
  'POST /api/subscriptions': ownRead,
  'GET /api/payments': ownRead,
  'GET /api/payments/earnings': ownRead,
  'GET /api/payments/earnings.csv': costly,
  'GET /api/payments/:signature': ownRead,

  'POST /api/reports': write,
  'GET /api/operators/overview': UNKNOWN_ROUTE,
  'GET /api/operators/audit': UNKNOWN_ROUTE,
  'GET /api/operators/people': UNKNOWN_ROUTE,
  'GET /api/operators/payments': UNKNOWN_ROUTE,
  'GET /api/operators/metrics': UNKNOWN_ROUTE,
  'POST /api/operators/actions': UNKNOWN_ROUTE,
};
