import { SECOND_MS } from '#schema/constants/time.ts';
import type { Image } from '../ports/image.ts';
import { download } from './download.ts';
import { readAvatar } from './avatar-file.ts';

/** Time limits for the whole download. On a share card it is shorter, because a viewer waits for the card. */
export const AVATAR_TIMEOUT_MS = { alone: 5 * SECOND_MS, onCard: 2 * SECOND_MS } as const;
export const AVATAR_MAX_BYTES = 512 * 1024;

/** `none`: the URL can't have an image. `failed`: a later attempt may succeed. */
export type AvatarResponse = Image | 'none' | 'failed';

/** Fetches profile images only from `baseUrl`, because the stored URL is external input. */
export function createXAvatars({ baseUrl, timeoutMs }: { baseUrl: string; timeoutMs: number }) {
  return {
    /** Fetches the profile image of an account on X. Never throws; resolves within a few seconds. */
    async fetch(url: string | null): Promise<AvatarResponse> {
      if (url === null || !isWithin(url, baseUrl)) return 'none';
      const bytes = await download(url, {
        allow: (each) => each,
        // X doesn't redirect.
        maxRedirects: 0,
        maxBytes: AVATAR_MAX_BYTES,
        timeoutMs,
      });
      return (bytes && readAvatar(bytes)) ?? 'failed';
    },
  };
}

/** Checks both the raw URL and the parsed one, because `..` could leave the folder. */
function isWithin(url: string, baseUrl: string): boolean {
  const folder = `${baseUrl}/`;
  return url.startsWith(folder) && URL.canParse(url) && new URL(url).href.startsWith(new URL(folder).href);
}
