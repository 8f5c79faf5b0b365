import { Hono, type MiddlewareHandler } from 'hono';
import { etag } from 'hono/etag';
import { authRoutes } from '../modules/auth/auth.routes.ts';
import { sessionsRoutes } from '../modules/auth/sessions.routes.ts';
import { callersRoutes } from '../modules/callers/callers.routes.ts';
import { callsRoutes } from '../modules/calls/calls.routes.ts';
import { pageViewsRoutes } from '../modules/page-views/page-views.routes.ts';
import { holdingsRoutes } from '../modules/holdings/holdings.routes.ts';
import { imagesRoutes } from '../modules/images/images.routes.ts';
import { callEventsRoutes } from '../modules/notifications/call-events.routes.ts';
import { notificationSettingsRoutes } from '../modules/notifications/notification-settings.routes.ts';
import { telegramRoutes } from '../modules/telegram/telegram.routes.ts';
import { answerPage } from '../modules/pages/answer-page.ts';
import { pagesRoutes } from '../modules/pages/pages.routes.ts';
import { sitemapRoutes } from '../modules/pages/sitemap.routes.ts';
import { paymentsRoutes } from '../modules/payments/payments.routes.ts';
import { pricesRoutes } from '../modules/prices/prices.routes.ts';
import { shareImageRoutes } from '../modules/shares/share-image.routes.ts';
import { sharesRoutes } from '../modules/shares/shares.routes.ts';
import { subscriptionsRoutes } from '../modules/subscriptions/subscriptions.routes.ts';
import { usersRoutes } from '../modules/users/users.routes.ts';
import { walletsRoutes } from '../modules/wallets/wallets.routes.ts';
import { cacheControl } from './cache-control.ts';
import { canonicalPath } from './canonical-path.ts';
import { chooseDatabase } from './choose-database.ts';
import type { AppEnv } from './context.ts';
import { refuseCrossSiteWrites } from './cross-site.ts';
import type { Bindings } from './env.ts';
import { AppError, handleError } from './errors.ts';
import { limitBody } from './limit-body.ts';
import { limitRequests } from './limit-requests.ts';
import { securityHeaders } from './security-headers.ts';
import { servicesOf, type Services } from './services.ts';

const tag = etag({ weak: true });

/** A tag is a hash of the whole body, so it would hold back and keep the stream of a download. */
const tagUnlessDownload: MiddlewareHandler = async (c, next) => {
  await next();
  const isDownload = c.res.headers.get('Content-Disposition')?.startsWith('attachment') === true;
  if (!isDownload) await tag(c, () => Promise.resolve());
};

/**
 * Creates the app with the API and the pages. Only tests pass `servicesFor`, because their services use another
 * clock.
 */
export function createApp({ servicesFor = servicesOf }: { servicesFor?: (env: Bindings) => Services } = {}) {
  const root = new Hono<AppEnv>()
    .use(securityHeaders)
    .use(cacheControl)
    .use(refuseCrossSiteWrites)
    .use(limitBody)
    .use(async (c, next) => {
      c.set('services', servicesFor(c.env));
      await next();
    })
    .use(chooseDatabase)
    .use(limitRequests)
    .use(canonicalPath)
    .use('/api/*', tagUnlessDownload);
  root.onError(handleError);
  root.notFound((c) => {
    const isPage = (c.req.method === 'GET' || c.req.method === 'HEAD') && !/^\/+api(?:\/|$)/.test(c.req.path);
    if (isPage) return answerPage(c, () => c.var.services.pages.notFound());
    throw new AppError({
      code: 'request.not_found',
      message: "This address doesn't exist. Check it and try again.",
    });
  });
  root.route('/', pagesRoutes).route('/', sitemapRoutes);
  return root
    .basePath('/api')
    .route('/', authRoutes)
    .route('/', sessionsRoutes)
    .route('/', usersRoutes)
    .route('/', walletsRoutes)
    .route('/', holdingsRoutes)
    .route('/', callersRoutes)
    .route('/', callsRoutes)
    .route('/', subscriptionsRoutes)
    .route('/', paymentsRoutes)
    .route('/', telegramRoutes)
    .route('/', callEventsRoutes)
    .route('/', notificationSettingsRoutes)
    .route('/', pricesRoutes)
    .route('/', sharesRoutes)
    .route('/', shareImageRoutes)
    .route('/', imagesRoutes)
    .route('/', pageViewsRoutes);
}

export type AppType = ReturnType<typeof createApp>;
