import { Hono, type MiddlewareHandler } from 'hono';
import { etag } from 'hono/etag';
import { accountRoutes } from '../modules/people/account/account.routes.ts';
import { authRoutes } from '../modules/people/auth/auth.routes.ts';
import { apiKeysRoutes } from '../modules/people/api-keys/api-keys.routes.ts';
import { waysRoutes } from '../modules/people/ways/ways.routes.ts';
import { callersRoutes } from '../modules/market/callers/callers.routes.ts';
import { callsRoutes } from '../modules/market/calls/calls.routes.ts';
import { pageViewsRoutes } from '../modules/public/page-views/page-views.routes.ts';
import { embedRoutes } from '../modules/public/embed/embed.routes.ts';
import { feedsRoutes } from '../modules/public/feeds/feeds.routes.ts';
import { holdingsRoutes } from '../modules/market/holdings/holdings.routes.ts';
import { liveRoutes } from '../modules/messages/live/live.routes.ts';
import { logRoutes } from '../modules/log/log.routes.ts';
import { healthRoutes } from '../modules/running/health/health.routes.ts';
import { imagesRoutes } from '../modules/public/images/images.routes.ts';
import { callEventsRoutes } from '../modules/messages/notifications/call-events.routes.ts';
import { notificationSettingsRoutes } from '../modules/messages/notifications/notification-settings.routes.ts';
import { statusRoutes } from '../modules/running/outages/status.routes.ts';
import { operatorsRoutes } from '../modules/running/operators/operators.routes.ts';
import { chatsRoutes } from '../modules/messages/chats/chats.routes.ts';
import { telegramRoutes } from '../modules/messages/telegram/telegram.routes.ts';
import { openApiRoutes } from '../modules/public/open-api/open-api.routes.ts';
import { respondWithPage } from '../modules/public/pages/respond-with-page.ts';
import { pagesRoutes } from '../modules/public/pages/pages.routes.ts';
import { sitemapRoutes } from '../modules/public/pages/sitemap.routes.ts';
import { paymentsRoutes } from '../modules/money/payments/payments.routes.ts';
import { pricesRoutes } from '../modules/market/prices/prices.routes.ts';
import { pushRoutes } from '../modules/messages/push/push.routes.ts';
import { paperFollowsRoutes } from '../modules/people/paper-follows/paper-follows.routes.ts';
import { reportsRoutes } from '../modules/people/reports/reports.routes.ts';
import { shareImageRoutes } from '../modules/public/shares/share-image.routes.ts';
import { sharesRoutes } from '../modules/public/shares/shares.routes.ts';
import { subscriptionsRoutes } from '../modules/money/subscriptions/subscriptions.routes.ts';
import { termsRoutes } from '../modules/people/terms/terms.routes.ts';
import { usersRoutes } from '../modules/people/users/users.routes.ts';
import { walletsRoutes } from '../modules/money/wallets/wallets.routes.ts';
import { checkApiKey } from './api-key.ts';
import { webhooksRoutes } from '../modules/messages/webhooks/webhooks.routes.ts';
import { cacheControl } from './cache-control.ts';
import { canonicalUrl } from './canonical-url.ts';
import { chooseDatabase } from './choose-database.ts';
import { dashboardRoutes } from './dashboard.routes.ts';
import type { AppEnv } from './context.ts';
import { measureRequests } from './measure-requests.ts';
import { noteOutcomes } from './note-outcomes.ts';
import { refuseCrossSiteWrites } from './cross-site.ts';
import type { Bindings } from './env.ts';
import { AppError, handleError } from './errors.ts';
import { limitBody } from './limit-body.ts';
import { limitRequests } from './limit-requests.ts';
import { findOperator } from './operators.ts';
import { programHeaders } from './program-headers.ts';
import { describeRoutes } from './route.ts';
import { securityHeaders } from './security-headers.ts';
import type { Services } from './services.ts';
import { hasSessionEnded } from './session.ts';

const tag = etag({ weak: true });

const HTTP_SWITCHING_PROTOCOLS = 101;

/** An ETag is a hash of the whole body, so it would buffer a streamed download. A WebSocket response has no body. */
const tagUnlessStream: MiddlewareHandler = async (c, next) => {
  await next();
  const isStream =
    c.res.status === HTTP_SWITCHING_PROTOCOLS ||
    c.res.headers.get('Content-Disposition')?.startsWith('attachment') === true;
  if (!isStream) await tag(c, () => Promise.resolve());
};

export function createApp({ servicesFor }: { servicesFor: (env: Bindings) => Services }) {
  const root = new Hono<AppEnv>()
    .use(securityHeaders)
    .use(cacheControl)
    .use(programHeaders)
    .use(refuseCrossSiteWrites)
    .use(limitBody)
    .use(async (c, next) => {
      c.set('services', servicesFor(c.env));
      await next();
    })
    .use(measureRequests)
    .use(noteOutcomes)
    .use(chooseDatabase)
    .use(limitRequests)
    .use(checkApiKey)
    .use(canonicalUrl)
    .use('/api/*', tagUnlessStream);
  root.onError(async (error, c) =>
    handleError((await hasSessionEnded(error, c)) ? new AppError({ code: 'auth.required' }) : error, c),
  );
  root.notFound(async (c) => {
    const operator = await findOperator(c, c.var.services);
    const isPage =
      (c.req.method === 'GET' || c.req.method === 'HEAD') && !/^\/+(?:api|log)(?:\/|$)/.test(c.req.path);
    if (!isPage) throw new AppError({ code: 'request.not_found' });
    const { pages } = c.var.services;
    const isConsole = operator !== null && /^\/operators(?:\/|$)/.test(c.req.path);
    return respondWithPage(c, () => (isConsole ? pages.operators() : pages.notFound()));
  });
  root
    .route('/', pagesRoutes)
    .route('/', sitemapRoutes)
    .route('/', feedsRoutes)
    .route('/', logRoutes)
    .route('/', embedRoutes);
  const app = root
    .basePath('/api')
    .route('/', authRoutes)
    .route(
      '/',
      dashboardRoutes((request, env) => root.fetch(request, env)),
    )
    .route('/', waysRoutes)
    .route('/', apiKeysRoutes)
    .route('/', usersRoutes)
    .route('/', termsRoutes)
    .route('/', accountRoutes)
    .route('/', walletsRoutes)
    .route('/', holdingsRoutes)
    .route('/', callersRoutes)
    .route('/', callsRoutes)
    .route('/', subscriptionsRoutes)
    .route('/', paperFollowsRoutes)
    .route('/', paymentsRoutes)
    .route('/', telegramRoutes)
    .route('/', chatsRoutes)
    .route('/', liveRoutes)
    .route('/', callEventsRoutes)
    .route('/', notificationSettingsRoutes)
    .route('/', pushRoutes)
    .route('/', webhooksRoutes)
    .route('/', pricesRoutes)
    .route('/', sharesRoutes)
    .route('/', shareImageRoutes)
    .route('/', imagesRoutes)
    .route('/', pageViewsRoutes)
    .route('/', healthRoutes)
    .route('/', statusRoutes)
    .route('/', reportsRoutes)
    .route('/', operatorsRoutes)
    .route('/', openApiRoutes);
  // Fails at startup if a route has no metadata.
  describeRoutes(root.routes);
  return app;
}

export type AppType = ReturnType<typeof createApp>;
