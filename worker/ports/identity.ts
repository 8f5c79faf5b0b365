/** A person's account on X. `xUserId`, X's numeric id, identifies it, because a handle can change owners. */
export interface Identity {
  readonly xUserId: string;
  readonly handle: string;
  readonly name: string;
  readonly email: string | null;
  readonly profileImageUrl: string | null;
}

/** The OAuth state and PKCE verifier. The browser stores them while the user visits X. */
export interface OAuthAttempt {
  readonly state: string;
  readonly codeVerifier: string;
}

/** Sign-in with X: OAuth 2.0 with PKCE. */
export interface IdentityProvider {
  startSignIn(): { url: URL; attempt: OAuthAttempt };
  /**
   * Exchanges the callback's code for the account; `null` if X refuses the code (expired, used, wrong verifier).
   * @throws PortUnavailableError if X doesn't respond.
   */
  identify(response: { code: string; codeVerifier: string }): Promise<Identity | null>;
}
