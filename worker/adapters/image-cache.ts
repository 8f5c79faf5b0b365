import { SECOND_MS, MINUTE_MS, DAY_MS } from '#schema/constants/time.ts';
import type { Clock } from '../ports/clock.ts';
import type { Image, ImageType } from '../ports/image.ts';

export const IMAGE_KEPT_MS = 7 * DAY_MS;
export const IMAGE_FAILURE_KEPT_MS = MINUTE_MS;

const NAME = 'images';
const KEPT_UNTIL = 'Kept-Until';
const FAILED = 'Failed';

/**
 * Stores images in the Cache API of a Cloudflare location, separately from the shared cache of our responses. No
 * request can read a stored image, because its cache key is a URL on a host that doesn't exist.
 */
export function createImageCache({ clock }: { clock: Clock }) {
  const urlOf = (key: string) => `https://images.invalid/${key}`;
  return {
    /** Null if the last attempt failed, undefined if nothing is stored under this key. */
    async get(key: string): Promise<Image | null | undefined> {
      const saved = await (await caches.open(NAME)).match(urlOf(key));
      if (saved === undefined) return undefined;
      const bytes = new Uint8Array(await saved.arrayBuffer());
      if (Number(saved.headers.get(KEPT_UNTIL)) <= clock.now()) return undefined;
      return saved.headers.has(FAILED)
        ? null
        : // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `put` stored it.
          { type: saved.headers.get('Content-Type') as ImageType, bytes };
    },

    async put(key: string, image: Image | null): Promise<void> {
      const storedMs = image === null ? IMAGE_FAILURE_KEPT_MS : IMAGE_KEPT_MS;
      const headers = {
        'Cache-Control': `max-age=${storedMs / SECOND_MS}`,
        [KEPT_UNTIL]: String(clock.now() + storedMs),
        ...(image === null ? { [FAILED]: 'yes' } : { 'Content-Type': image.type }),
      };
      await (await caches.open(NAME)).put(urlOf(key), new Response(image?.bytes ?? '', { headers }));
    },
  };
}
