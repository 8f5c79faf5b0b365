import type { IdentityProvider } from '../ports/identity.ts';
import { createXOAuth, SIGN_IN_SCOPES, type XVars } from './x-oauth.ts';

export function createXIdentityProvider(vars: XVars): IdentityProvider {
  const oauth = createXOAuth(vars);
  return {
    startSignIn: () => oauth.startAuthorization(SIGN_IN_SCOPES),

    async identify(response) {
      const tokens = await oauth.exchangeCode(response);
      if (tokens === null) return null;
      const me = await oauth.fetchMe(tokens.accessToken());
      return {
        xUserId: me.id,
        handle: me.username,
        name: me.name,
        email: me.confirmed_email ?? null,
        profileImageUrl: largerAvatar(me.profile_image_url),
      };
    },
  };
}

/** X returns the URL of the 48 px avatar. The 400 px avatar has the same URL with another suffix. */
function largerAvatar(url: string | undefined): string | null {
  return url?.replace(/_normal(?=\.\w+$)/, '_400x400') ?? null;
}
