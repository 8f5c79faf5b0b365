import type { Identity, OAuthResponse } from '../ports/identity.ts';
import { createXOAuth, SIGN_IN_SCOPES, type XOptions } from './x-oauth.ts';

export type IdentityProvider = ReturnType<typeof createXIdentityProvider>;

/** Sign-in with X: OAuth 2.0 with PKCE. */
export function createXIdentityProvider(options: XOptions) {
  const oauth = createXOAuth(options);
  return {
    startSignIn: () => oauth.startAuthorization(SIGN_IN_SCOPES),

    /**
     * Exchanges the callback's code for the account; `null` if X refuses the code (expired, used, wrong verifier).
     * @throws PortUnavailableError if X doesn't respond, RefusedByXError if X refuses the account or our app
     */
    async identify(response: OAuthResponse): Promise<Identity | null> {
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
