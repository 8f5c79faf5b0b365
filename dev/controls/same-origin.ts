import type { MiddlewareHandler } from 'hono';

const loopbackNames = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** Whether a host name, as it stands in a URL, means this machine. */
export function isLoopbackName(name: string): boolean {
  return loopbackNames.has(name);
}

/**
 * Refuses what a foreign web page makes a browser send: an Origin other than our own, a fetch
 * that the browser itself calls cross-site, or a Host that is not this machine (DNS rebinding).
 * Programs send none of these headers and pass.
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
    return context.json({ error: 'The local world takes no orders from other web pages.' }, 403);
  };
}

/** Whether a web address leads to this machine. */
export function isLoopbackUrl(url: URL): boolean {
  return (url.protocol === 'http:' || url.protocol === 'https:') && isLoopbackName(url.hostname);
}
