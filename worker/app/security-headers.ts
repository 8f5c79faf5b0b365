import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { secureHeaders } from 'hono/secure-headers';

/** The error page loads only our own style sheet and icon. */
const ERROR_PAGE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The policy of a page that other sites may frame. It runs no scripts and has no forms. */
const FRAME_POLICY = ERROR_PAGE_POLICY.replace("frame-ancestors 'none'", 'frame-ancestors *');

const setHeaders = secureHeaders({
  overwrite: false,
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  },
  strictTransportSecurity: 'max-age=31536000; includeSubDomains',
  referrerPolicy: 'strict-origin-when-cross-origin',
  crossOriginOpenerPolicy: 'same-origin-allow-popups',
  crossOriginResourcePolicy: 'same-origin',
  xFrameOptions: 'DENY',
  permissionsPolicy: {
    camera: [],
    displayCapture: [],
    geolocation: [],
    microphone: [],
    payment: [],
    usb: [],
  },
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
});

/**
 * Sets the security headers of every response of the worker. Doesn't replace headers that the response already has:
 * pages have those of static files (web/public/_headers), and shared images allow other sites.
 */
export const securityHeaders = createMiddleware(async (c, next) => {
  await setHeaders(c, next);
  const isFramable = c.res.headers.get('Content-Security-Policy') === FRAME_POLICY;
  if (isFramable) c.res.headers.delete('X-Frame-Options');
});

export function allowErrorPageStyles(c: Context): void {
  c.header('Content-Security-Policy', ERROR_PAGE_POLICY);
}

export function allowOtherSites(c: Context): void {
  c.header('Cross-Origin-Resource-Policy', 'cross-origin');
}

export function allowFrames(c: Context): void {
  c.header('Content-Security-Policy', FRAME_POLICY);
}
