import { TOKEN_ICON } from '#schema/constants.ts';
import { isPublicUrl } from '#schema/rules/text/public-url.ts';
import type { IconSource } from '../ports/image.ts';
import { download } from './download.ts';
import { readImage } from './image-file.ts';

export interface TokenIconOptions {
  /** Origins of the price sources. They may be private, because the local environment has its own. */
  readonly trustedOrigins: readonly string[];
  /** The product's own origin. Never requested, because that would cause an endless loop of requests. */
  readonly ownOrigin: string;
}

/** Fetches token icons. The URLs aren't trusted, because a token's creator chooses the URL of its icon. */
export function createTokenIcons(options: TokenIconOptions): IconSource {
  return {
    async fetch(url) {
      const bytes = await download(url, { ...TOKEN_ICON, allow: (each) => allowedIconUrl(each, options) });
      return bytes && readImage(bytes, TOKEN_ICON.maxSide);
    },
  };
}

function allowedIconUrl(text: string, { trustedOrigins, ownOrigin }: TokenIconOptions): string | null {
  const url = text.length > TOKEN_ICON.maxUrlLength ? null : URL.parse(text);
  if (url === null || url.hostname === new URL(ownOrigin).hostname) return null;
  const isTrusted = trustedOrigins.includes(url.origin) && url.username === '' && url.password === '';
  return isTrusted || isPublicUrl(url) ? url.href : null;
}
