import type { MiddlewareHandler } from 'hono';

const loopbackNames = new Set(['127.0.0.1', 'localhost', '[::1]']);

function isLoopbackName(name: string): boolean {
  return loopbackNames.has(name);
}

/**
 * Blocks requests that a foreign web page makes a browser send. Such a request has another Origin, is a
 * cross-site fetch, or has a foreign Host (DNS rebinding). Accepts requests from programs, which send no
 * Origin.
 */
export function refuseOtherOrigins(): MiddlewareHandler {
  return async (context, next) => {
    const host = context.req.header('host') ?? '';
    const origin = context.req.header('origin');
    const site = context.req.header('sec-fetch-site');
    const isLoopback = isLoopbackName(host.replace(/:\d+$/, ''));
    const isOwnOrigin = origin === undefined || origin === `http://${host}`;
    const isOwnSite = site === undefined || site === 'same-origin' || site === 'none';
    if (isLoopback && isOwnOrigin && isOwnSite) return next();
    return context.json(
      { error: 'This local development server refuses requests from other web pages.' },
      403,
    );
  };
}

export function isLoopbackUrl(url: URL): boolean {
  return (url.protocol === 'http:' || url.protocol === 'https:') && isLoopbackName(url.hostname);
}
