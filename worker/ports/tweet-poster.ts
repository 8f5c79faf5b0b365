/** What X lets us post with, in the clear. `expiresAt` is unix ms. */
export interface XTokens {
  readonly accessToken: string;
  readonly refreshToken: string | null;
  readonly scopes: readonly string[];
  readonly expiresAt: number;
}

/**
 * What became of a tweet. `unauthorized`: X does not take the access token; nothing was posted.
 * `rejected`: X refuses this tweet, in its own words. `rate_limited`: X takes nothing for now; nothing was posted. `unconfirmed`: X was asked to post and did not answer.
 */
export type PostResult =
  | { readonly outcome: 'posted'; readonly tweetUrl: string }
  | { readonly outcome: 'unauthorized' }
  | { readonly outcome: 'rejected'; readonly detail: string }
  | { readonly outcome: 'rate_limited'; readonly retryAfterSeconds: number }
  | { readonly outcome: 'unconfirmed' };

/** Posts on X for a person who allowed it: OAuth 2.0 with write scopes. Every method but `revoke` throws PortUnavailableError when X does not answer. */
export interface TweetPoster {
  /** X's own page to post on by hand. It takes the text as `text`, a link as `url`, and no image. */
  readonly composeUrl: string;
  /** Where the person allows it. */
  consentUrl(attempt: { state: string; codeVerifier: string }): URL;
  /** Trades the callback's code for tokens and whose they are; `null` when X refuses the code. */
  redeem(answer: {
    code: string;
    codeVerifier: string;
  }): Promise<{ xUserId: string; handle: string; tokens: XTokens } | null>;
  /** Spends a refresh token, which works once; `null` when X refuses it. */
  refresh(refreshToken: string): Promise<XTokens | null>;
  /** Ends an access token or a refresh token. @returns whether X says that it is over; `false` when it does not answer. */
  revoke(token: string): Promise<boolean>;
  /** Uploads a PNG (base64) and posts it with a text. */
  post(tweet: { accessToken: string; text: string; pngBase64: string }): Promise<PostResult>;
}
