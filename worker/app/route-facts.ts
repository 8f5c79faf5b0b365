import type { RATE_LIMITS } from '#schema/constants/app.ts';
import type { ErrorCode } from '#schema/contracts/errors.ts';
import type { Ability } from '#schema/rules/running/outages.ts';
import type { AppError } from './errors.ts';

export const TAGS = {
  Account: 'Signing in, the signed-in user, sessions and terms.',
  Callers: 'The directory of callers and their records.',
  Calls: 'Token calls. Active calls are only for viewers with access.',
  Subscriptions: 'Following Free callers, and paid subscriptions.',
  Payments: 'Paying for a subscription in SOL, receipts and earnings.',
  Prices: 'Prices and tokens.',
  Wallets: 'The user’s wallets, and what they hold.',
  Notifications: 'Messages on Telegram and in browsers.',
  Sharing: 'Posting on X, and images for link previews.',
  Images: 'Pictures and icons, stored on our own site.',
  Operators: 'For operators. Everyone else gets 404.',
  Feeds: 'Feeds and lists of public pages.',
  Log: 'The public log of calls, for everybody who checks records.',
  Service: 'For monitors and tools.',
} as const;

export type RateLimitName = Exclude<keyof typeof RATE_LIMITS, 'address' | 'visitor'>;

/**
 * - `required`: without a session, the route responds 401.
 * - `optional`: the response may depend on the viewer.
 * - `operator`: the route returns the same 404 as an unknown URL unless an operator requests it.
 * - `handler`: the handler reads the session if it needs it.
 */
export type SessionRule = 'required' | 'optional' | 'operator' | 'handler';

/** The name of a type in schema/contracts (with `[]` for a list), or a JSON schema. */
export type ResponseType = string | Readonly<Record<string, unknown>>;

export interface RouteMetadata {
  /**
   * The rate limit (`RATE_LIMITS`): per person on routes whose session is `required` or `optional`, else per network
   * address, and per person once the address has used it up. `unknown` is the limit that unknown URLs share.
   */
  readonly limit: RateLimitName | 'unknown';
  /** Default: no session is read. */
  readonly session?: SessionRule;
  /** Which API keys may use it: all (`read`) or those that may make calls. Default: `read` if it has a `cache`. */
  readonly apiKey?: 'read' | 'call';
  /** The Cache-Control of a response that is the same for every visitor. Default: `private, no-store`. */
  readonly cache?: string;
  /**
   * True if requests without a session may read from database replicas. Allowed only for public data, never for money,
   * accounts or messages.
   */
  readonly replica?: boolean;
  /** The largest body in bytes. Default: `MAX_BODY_BYTES`. */
  readonly maxBodyBytes?: number;
  readonly createSignInError?: () => AppError;
  /** Names the thing that the visitor does with this request. Default: `pages` if it has `replica`. */
  readonly ability?: Ability;
}

export interface ApiFacts extends RouteMetadata {
  readonly tag: keyof typeof TAGS;
  readonly summary: string;
  /** Absent for a redirect, and for a `contentType` other than JSON. */
  readonly response?: ResponseType;
  /** Default: 200, or 302 for a redirect. */
  readonly status?: number;
  /** Default: `application/json`. */
  readonly contentType?: string;
  readonly otherResponses?: Readonly<Record<number, ResponseType>>;
  readonly isPaged?: boolean;
  readonly query?: Readonly<Record<string, string>>;
  /** Additional errors. dev/build/open-api/describe-responses.ts adds those of every route of its kind. */
  readonly errors?: readonly ErrorCode[];
}

export const CHAIN_ERRORS = ['chain.unavailable', 'chain.wrong_cluster'] as const;
export const MISMATCH_ERRORS = [
  'payments.missing_reference',
  'payments.wrong_recipient',
  'payments.wrong_amount',
  'payments.payer_did_not_sign',
  'payments.money_flowed_back',
] as const;

export const TERMS_ERRORS = ['terms.not_accepted', 'terms.outdated'] as const;
export const PAYOUT_CHANGE_ERRORS = [
  'auth.fresh_sign_in_needed',
  'users.payout_wallet_unproven',
  'payments.payout_is_platform',
  'wallets.payout_changed',
] as const;

export const exactly = (values: Readonly<Record<string, unknown>>): ResponseType => ({
  type: 'object',
  properties: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { const: value }])),
  required: Object.keys(values),
  additionalProperties: false,
});
