/** A person's account on X. `xUserId` is X's numeric id, which identifies it; handles change hands. */
export interface Identity {
  readonly xUserId: string;
  readonly handle: string;
  readonly name: string;
  readonly email: string | null;
  readonly profileImageUrl: string | null;
}

/** OAuth state and PKCE verifier, which the browser keeps between leaving for X and coming back. */
export interface OAuthAttempt {
  readonly state: string;
  readonly codeVerifier: string;
}

/** Sign-in with X: OAuth 2.0 with PKCE. */
export interface IdentityProvider {
  /** A new attempt, and the URL on X that continues it. */
  startSignIn(): { url: URL; attempt: OAuthAttempt };
  /**
   * Exchanges the callback's code for the account; `null` when X refuses the code (expired, used, wrong verifier).
   * @throws PortUnavailableError when X does not answer.
   */
  identify(answer: { code: string; codeVerifier: string }): Promise<Identity | null>;
}
