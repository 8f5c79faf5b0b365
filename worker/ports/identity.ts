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

/** The parameters of X's callback. */
export interface OAuthResponse {
  readonly code: string;
  readonly codeVerifier: string;
}

export type XRefusal =
  | { readonly outcome: 'rejected'; readonly detail: string }
  | { readonly outcome: 'rate_limited'; readonly retryAfterSeconds: number }
  /** X refuses our app: its client secret, credits or spending limit. Nobody's permission has ended. */
  | { readonly outcome: 'app_refused'; readonly reason: 'x.client_refused' | 'x.credits_depleted' };

export class RefusedByXError extends Error {
  readonly refusal: XRefusal;

  constructor(refusal: XRefusal) {
    super(`X refused: ${refusal.outcome === 'app_refused' ? refusal.reason : refusal.outcome}`);
    this.name = 'RefusedByXError';
    this.refusal = refusal;
  }
}
