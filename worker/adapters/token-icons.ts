import { TOKEN_ICON } from '#schema/constants.ts';
import type { IconSource } from '../ports/image.ts';
import { allowedUrl, type UrlRules } from './allowed-url.ts';
import { download } from './download.ts';
import { readImage } from './image-file.ts';

/** Fetches token icons. The URLs aren't trusted, because a token's creator chooses the URL of its icon. */
export function createTokenIcons(rules: UrlRules): IconSource {
  const allow = (url: string) => (url.length > TOKEN_ICON.maxUrlLength ? null : allowedUrl(url, rules));
  return {
    async fetch(url) {
      const bytes = await download(url, { ...TOKEN_ICON, allow });
      return bytes && readImage(bytes, TOKEN_ICON.maxSide);
    },
  };
}
