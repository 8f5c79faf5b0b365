import { createImageCache } from '../../adapters/image-cache.ts';
import { priceSourceOrigins } from '../../adapters/price-sources.ts';
import { createTokenIcons } from '../../adapters/token-icons.ts';
import { createXAvatars, AVATAR_TIMEOUT_MS } from '../../adapters/x-avatars.ts';
import { createXTweetPoster } from '../../adapters/x-tweets.ts';
import type { Base } from '../../app/base.ts';
import { createFeedsService } from './feeds/feeds.service.ts';
import { createImagesRepository } from './images/images.repository.ts';
import { createImagesService } from './images/images.service.ts';
import { createPagesService } from './pages/pages.service.ts';
import type { PublicOptions } from './public-options.ts';
import { createSitemapService } from './pages/sitemap.service.ts';
import { createShareImageService } from './shares/share-image.service.ts';
import { createSharesRepository } from './shares/shares.repository.ts';
import { createSharesService } from './shares/shares.service.ts';
import { createTokenCipher } from '../../shared/token-cipher.ts';

export function createPublicModule(base: Base, options: PublicOptions) {
  const appOrigin = base.vars.APP_ORIGIN;
  return {
    pages: createPagesService({ ...base, ...options, appOrigin }),
    feeds: createFeedsService({ ...options, appOrigin }),
    sitemap: createSitemapService(base),
    ...createImages(base, options),
  };
}

function createImages(base: Base, options: PublicOptions) {
  const { vars, db, clock } = base;
  const baseUrl = vars.X_AVATARS_URL;
  const repository = createImagesRepository(db);
  const avatars = createXAvatars({ baseUrl, timeoutMs: AVATAR_TIMEOUT_MS.onCard });
  const shareImages = createShareImageService({
    ...options,
    host: new URL(vars.APP_ORIGIN).host,
    fetchAvatar: async (callerId) => avatars.fetch(await repository.findCallerAvatar(callerId)),
  });
  return {
    images: createImagesService({
      ...base,
      ...options,
      avatars: createXAvatars({ baseUrl, timeoutMs: AVATAR_TIMEOUT_MS.alone }),
      icons: createTokenIcons({
        trustedOrigins: priceSourceOrigins(vars),
        ownOrigin: vars.APP_ORIGIN,
      }),
      cache: createImageCache({ clock }),
    }),
    shareImages,
    shares: createSharesService({
      ...base,
      ...options,
      repository: createSharesRepository(db),
      images: shareImages,
      poster: createXTweetPoster({ vars, clock }),
      cipher: createTokenCipher(vars.X_TOKENS_KEY),
    }),
  };
}
