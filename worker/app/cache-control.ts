import { createMiddleware } from 'hono/factory';
import { MAX_SHOWN_PRICE_AGE_MS, SECOND_MS, SHOWN_PRICE_WINDOW_MS } from '#schema/constants.ts';
import type { AppEnv } from './context.ts';
import { PAGE_PATHS, patternOf } from './page-paths.ts';

export const PRIVATE = 'private, no-store';

/** As the platform serves static pages. */
const PAGE = 'public, max-age=0, must-revalidate';

/** Crawlers come rarely, and a call that ends is found in the next hour's. */
const FOR_CRAWLERS = 'public, max-age=3600, stale-while-revalidate=86400';

/** What the worker answers with may have been fetched a window ago already; together that is no longer than is promised. */
const SHOWN_PRICE = `public, max-age=${(MAX_SHOWN_PRICE_AGE_MS - SHOWN_PRICE_WINDOW_MS) / SECOND_MS}`;

/**
 * The answers that a shared cache may keep: each is the same for every visitor. Everything else is
 * `private, no-store`, because the cache ignores cookies and keeps a 200 without the header.
 */
const publicAnswers: readonly { pattern: RegExp; directive: string }[] = [
  { pattern: /^\/api\/callers$/, directive: 'public, max-age=10, stale-while-revalidate=30' },
  { pattern: /^\/api\/token-calls\/ended$/, directive: 'public, max-age=10, stale-while-revalidate=30' },
  // An ended call never changes; its caller's name and picture may. Whether a call exists is never kept: only a 200 is
  // shared, so that the image is there the moment the call has ended.
  {
    pattern: /^\/api\/token-calls\/[^/]+\/share\.png$/,
    directive: 'public, max-age=3600, stale-while-revalidate=86400',
  },
  // A record changes with each ended call: at most an hour later the card says so.
  {
    pattern: /^\/api\/callers\/[^/]+\/card\.png$/,
    directive: 'public, max-age=600, stale-while-revalidate=3000',
  },
  { pattern: /^\/api\/prices$/, directive: SHOWN_PRICE },
  { pattern: /^\/api\/tokens\/[^/]+$/, directive: SHOWN_PRICE },
  { pattern: /^\/(?:robots\.txt|sitemap(?:-[a-z\d-]+)?\.xml)$/, directive: FOR_CRAWLERS },
  ...['/caller/:usernameOrId', '/call/:id', ...PAGE_PATHS].map((path) => ({
    pattern: patternOf(path),
    directive: PAGE,
  })),
];

/** Of an answer that another time may be better: an image without the picture that belongs there. */
const PROVISIONAL = 'public, max-age=300';

/** Sets Cache-Control on every answer, so that no route can forget it. What a route itself says is private stays so. */
export const cacheControl = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  const mayBeShared =
    c.req.method === 'GET' &&
    c.res.status === 200 &&
    !c.res.headers.has('Set-Cookie') &&
    c.res.headers.get('Cache-Control') !== PRIVATE;
  const entry = mayBeShared ? publicAnswers.find(({ pattern }) => pattern.test(c.req.path)) : undefined;
  c.res.headers.set(
    'Cache-Control',
    entry === undefined ? PRIVATE : c.get('isProvisional') === true ? PROVISIONAL : entry.directive,
  );
});
