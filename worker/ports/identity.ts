/** A person as X describes them. `xUserId` is X's numeric id, the identity. */
export interface Identity {
  readonly xUserId: string;
  readonly handle: string;
  readonly name: string;
  readonly email: string | null;
  readonly profileImageUrl: string | null;
}

/** Sign-in with X: OAuth 2.0 with PKCE. */
export interface IdentityProvider {
  authorizationUrl(attempt: { state: string; codeVerifier: string }): URL;
  /**
   * Trades the callback's code for the person; `null` when X refuses the code (expired, used, wrong verifier).
   * @throws PortUnavailableError when X does not answer.
   */
  identify(answer: { code: string; codeVerifier: string }): Promise<Identity | null>;
}
