import { SECOND_MS } from '#schema/constants/time.ts';
import type { Image } from '../ports/image.ts';
import { allowedUrl, type UrlRules } from './allowed-url.ts';
import { download } from './download.ts';
import { readImage } from './image-file.ts';

/** Token icons may be larger than X's images, because the creators of tokens upload whatever they like. */
export const TOKEN_ICON = {
  maxBytes: 2 * 1024 * 1024,
  /** The largest width and height in px. A browser needs 16 MB for an image of 2048×2048. */
  maxSide: 2_048,
  maxRedirects: 2,
  maxUrlLength: 1_000,
  timeoutMs: 5 * SECOND_MS,
} as const;

/** Fetches token icons. The URLs aren't trusted, because a token's creator chooses the URL of its icon. */
export function createTokenIcons(rules: UrlRules) {
  const allow = (url: string) => (url.length > TOKEN_ICON.maxUrlLength ? null : allowedUrl(url, rules));
  return {
    /** Resolves to null if the URL isn't allowed, or if it has no acceptable image. Never throws. */
    async fetch(url: string): Promise<Image | null> {
      const bytes = await download(url, { ...TOKEN_ICON, allow });
      return bytes && readImage(bytes, TOKEN_ICON.maxSide);
    },
  };
}
