import { createMiddleware } from 'hono/factory';

/**
 * The answers that a shared cache may keep: each is the same for every visitor. Everything else is
 * `private, no-store`, because the cache ignores cookies and keeps a 200 without the header.
 */
const publicAnswers: readonly { pattern: RegExp; directive: string }[] = [
  { pattern: /^\/api\/callers$/, directive: 'public, max-age=10, stale-while-revalidate=30' },
  { pattern: /^\/api\/token-calls\/ended$/, directive: 'public, max-age=10, stale-while-revalidate=30' },
  { pattern: /^\/api\/prices$/, directive: 'public, max-age=5, stale-while-revalidate=5' },
  { pattern: /^\/api\/tokens\/[^/]+$/, directive: 'public, max-age=5, stale-while-revalidate=5' },
];

/** Sets Cache-Control on every answer, so that no route can forget it. */
export const cacheControl = createMiddleware(async (c, next) => {
  await next();
  const mayBeShared = c.req.method === 'GET' && c.res.status === 200 && !c.res.headers.has('Set-Cookie');
  const entry = mayBeShared ? publicAnswers.find(({ pattern }) => pattern.test(c.req.path)) : undefined;
  c.res.headers.set('Cache-Control', entry?.directive ?? 'private, no-store');
});
