import type { OAuthAttempt } from './identity.ts';

export interface XTokens {
  readonly accessToken: string;
  readonly refreshToken: string | null;
  readonly scopes: readonly string[];
  readonly expiresAt: number;
}

/** `unconfirmed`: X may have posted the tweet but did not confirm it. After any other failure nothing was posted. */
export type PostResult =
  | { readonly outcome: 'posted'; readonly tweetUrl: string }
  | { readonly outcome: 'unauthorized' }
  | { readonly outcome: 'rejected'; readonly detail: string }
  /** Our own API credits at X are used up. */
  | { readonly outcome: 'out_of_credits' }
  | { readonly outcome: 'rate_limited'; readonly retryAfterSeconds: number }
  | { readonly outcome: 'unconfirmed' };

/**
 * Posts on X for a person who allowed it, with OAuth 2.0 and write scopes. Every method but `revoke` throws
 * PortUnavailableError if X doesn't respond.
 */
export interface TweetPoster {
  /** X's compose page. Its URL takes the parameters `text` and `url`, but no image. */
  readonly composeUrl: string;
  startConsent(): { url: URL; attempt: OAuthAttempt };
  /** Exchanges the callback's code for tokens and their account; `null` if X refuses the code. */
  redeem(response: {
    code: string;
    codeVerifier: string;
  }): Promise<{ xUserId: string; handle: string; tokens: XTokens } | null>;
  /** Refreshes the tokens. A refresh token works once. Returns `null` if X refuses it. */
  refresh(refreshToken: string): Promise<XTokens | null>;
  /** True if X reports that the token no longer works; false if X doesn't respond. */
  revoke(token: string): Promise<boolean>;
  post(tweet: { accessToken: string; text: string; pngBase64: string }): Promise<PostResult>;
}
