import { isPublicUrl } from '#schema/rules/text/public-url.ts';

export interface UrlRules {
  /** Origins that may be private, because the local environment has its own. */
  readonly trustedOrigins: readonly string[];
  /** The product's own origin. Never requested, because that could cause an endless loop of requests. */
  readonly ownOrigin: string;
}

export function allowedUrl(text: string, { trustedOrigins, ownOrigin }: UrlRules): string | null {
  const url = URL.parse(text);
  if (url === null) return null;
  const isTrusted = trustedOrigins.includes(url.origin) && url.username === '' && url.password === '';
  const isOwn = url.hostname === new URL(ownOrigin).hostname;
  return isTrusted || (!isOwn && isPublicUrl(url)) ? url.href : null;
}
