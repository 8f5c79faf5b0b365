import { fingerprint } from '#schema/rules/text/fingerprint.ts';
import type { Base } from '../../../app/base.ts';
import { AppError } from '../../../app/errors.ts';
import type { createImageCache } from '../../../adapters/image-cache.ts';
import type { createTokenIcons } from '../../../adapters/token-icons.ts';
import type { createXAvatars } from '../../../adapters/x-avatars.ts';
import type { Image } from '../../../ports/image.ts';
import { createImagesRepository } from './images.repository.ts';
import type { PublicOptions } from '../public-options.ts';

export interface ImagesOptions extends Pick<Base, 'db'>, Pick<PublicOptions, 'sealedUrls' | 'subscriptions'> {
  readonly avatars: ReturnType<typeof createXAvatars>;
  readonly icons: ReturnType<typeof createTokenIcons>;
  readonly cache: ReturnType<typeof createImageCache>;
}

/**
 * Fetches images of other sites for the viewers. An image that only some viewers may see has a separate cache
 * key. With a shared key, a fast response would reveal that another user has called or looked up the token. All
 * methods throw images.not_found, also if the image can't be loaded.
 */
export function createImagesService(options: ImagesOptions) {
  const { db, avatars, icons, cache, sealedUrls, subscriptions } = options;
  const repository = createImagesRepository(db);

  const save = async (key: string, load: () => Promise<Image | null>): Promise<Image> => {
    const saved = await cache.get(key);
    const image = saved === undefined ? await load() : saved;
    if (saved === undefined) await cache.put(key, image);
    if (image === null) throw new AppError({ code: 'images.not_found' });
    return image;
  };

  /** Serves only the current version. Otherwise visitors could make us fetch many made-up ones. */
  const storeAvatar = async (folder: string, { url, version }: { url: string | null; version: string }) => {
    if (url === null || version !== fingerprint(url)) throw new AppError({ code: 'images.not_found' });
    return save(`${folder}/${version}`, async () => {
      const response = await avatars.fetch(url);
      return typeof response === 'string' ? null : response;
    });
  };

  const storeIcon = async (key: string, url: string | null) => {
    if (url === null) throw new AppError({ code: 'images.not_found' });
    return save(key, () => icons.fetch(url));
  };

  return {
    async callerAvatar({ callerId, version }: { callerId: string; version: string }): Promise<Image> {
      const url = await repository.findCallerAvatar(callerId);
      return storeAvatar(`callers/${callerId}`, { url, version });
    },

    async ownAvatar({ userId, version }: { userId: string; version: string }): Promise<Image> {
      const url = await repository.findOwnAvatar(userId);
      return storeAvatar(`people/${userId}/picture`, { url, version });
    },

    /** Returns the public icon of an ended call. Throws for an active call, even if its owner sends the request. */
    async endedCallIcon(callId: string): Promise<Image> {
      return storeIcon(`calls/${callId}`, await repository.findEndedIcon(callId));
    },

    async activeCallIcon({ callId, viewerId }: { callId: string; viewerId: string | null }): Promise<Image> {
      const call = viewerId === null ? null : await repository.findIcon(callId);
      const isEntitled =
        call !== null && (await subscriptions.canSeeActiveCalls({ viewerId, callerId: call.callerId }));
      if (!isEntitled) throw new AppError({ code: 'images.not_found' });
      return storeIcon(`active-calls/${callId}`, call.url);
    },

    /** `sealed` is the icon's URL with our signature. A user gets this value by looking up the token. */
    async tokenIcon({ userId, sealed }: { userId: string; sealed: string }): Promise<Image> {
      return storeIcon(`people/${userId}/tokens/${sealed}`, sealedUrls.open(sealed));
    },
  };
}
