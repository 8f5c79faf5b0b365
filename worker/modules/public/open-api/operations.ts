import type { ErrorCode } from '#schema/contracts/errors.ts';

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

type Schema = Readonly<Record<string, unknown>>;

/** The name of a type in schema/contracts, with `[]` for a list, or a schema. */
export type Answer = string | Schema;

export interface Operation {
  readonly tag: keyof typeof TAGS;
  readonly summary: string;
  /** Absent for a redirect. */
  readonly answer?: Answer;
  /** Default: 200, or 302 without an answer. */
  readonly status?: number;
  /** Default: `application/json`. */
  readonly contentType?: string;
  /** Answers with other statuses, except errors. */
  readonly otherAnswers?: Readonly<Record<number, Answer>>;
  /** `optional`: a signed-in viewer may see more. Default: no session is read. */
  readonly session?: 'required' | 'optional';
  /** True if a `Link` header leads to the next page. */
  readonly isPaged?: boolean;
  /** Parameters that no schema validates. */
  readonly query?: Readonly<Record<string, string>>;
  /** Errors besides those that every route of its kind may answer (see compose-document.ts). */
  readonly errors?: readonly ErrorCode[];
}

/** An object with fixed values. */
const exactly = (values: Readonly<Record<string, unknown>>): Schema => ({
  type: 'object',
  properties: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { const: value }])),
  required: Object.keys(values),
  additionalProperties: false,
});

const BYTES: Schema = { type: 'string', format: 'binary' };
const TEXT: Schema = { type: 'string' };
const MESSAGE: Schema = {
  type: 'object',
  properties: { message: { type: 'string' } },
  required: ['message'],
  additionalProperties: false,
};

const PLAIN_TEXT = { answer: TEXT, contentType: 'text/plain' } as const;
const OCTETS = { answer: BYTES, contentType: 'application/octet-stream' } as const;
const PNG = { answer: BYTES, contentType: 'image/png' } as const;
const IMAGE = { answer: BYTES, contentType: 'image/*' } as const;
const XML = { answer: TEXT, contentType: 'application/xml' } as const;
const RSS = { answer: TEXT, contentType: 'application/rss+xml' } as const;

const FRESH_PRICE = [
  'prices.unavailable',
  'prices.missing',
  'prices.disagree',
  'prices.stale',
  'prices.undated',
  'prices.busy',
] as const;
const CHAIN = ['chain.unavailable', 'chain.wrong_cluster'] as const;
const TERMS = ['terms.not_accepted', 'terms.outdated'] as const;
const PAYOUT_CHANGE = [
  'auth.fresh_sign_in_needed',
  'users.payout_wallet_unproven',
  'payments.payout_is_platform',
  'wallets.payout_changed',
] as const;

const account: Record<string, Operation> = {
  'GET /api/auth/twitter': {
    tag: 'Account',
    summary: 'Start signing in with X, or permit posting on X',
    session: 'optional',
    query: {
      returnTo: 'The path to return to afterwards.',
      share: '`1` asks a signed-in user for the permission to post.',
    },
    errors: ['auth.required'],
  },
  'GET /api/auth/twitter/callback': {
    tag: 'Account',
    summary: 'Finish signing in; X redirects here',
    session: 'optional',
    query: {
      code: 'From X.',
      state: 'From X.',
      error: 'From X, if the user declined.',
    },
    errors: [
      'auth.required',
      'auth.attempt_invalid',
      'auth.provider_unavailable',
      'shares.consent_incomplete',
      'shares.other_account',
      'shares.x_unavailable',
    ],
  },
  'GET /api/logout': { tag: 'Account', summary: 'Sign out', session: 'optional' },
  'GET /api/auth/user': {
    tag: 'Account',
    summary: 'The signed-in user',
    answer: 'CurrentUser',
    session: 'required',
    errors: ['users.not_found'],
  },
  'POST /api/user/acceptances': {
    tag: 'Account',
    summary: 'Accept the terms, the privacy notice and the risks',
    answer: 'CurrentUser',
    status: 201,
    session: 'required',
    errors: ['terms.outdated'],
  },
  'POST /api/user/become-caller': {
    tag: 'Account',
    summary: 'Become a caller',
    answer: 'CurrentUser',
    status: 201,
    session: 'required',
    errors: [...TERMS, ...CHAIN, 'users.already_caller', 'users.fee_invalid', 'users.fee_below_minimum'],
  },
  'PATCH /api/user/caller-profile': {
    tag: 'Account',
    summary: 'Change a caller’s fee or payout wallet',
    answer: 'CurrentUser',
    session: 'required',
    errors: [
      ...PAYOUT_CHANGE,
      ...CHAIN,
      'users.not_a_caller',
      'users.fee_invalid',
      'users.fee_below_minimum',
      'payments.amount_under_rent',
    ],
  },
  'GET /api/live': {
    tag: 'Account',
    summary: 'A WebSocket that says which data of the viewer may have changed',
    status: 101,
    session: 'required',
    errors: ['request.invalid', 'request.cross_site'],
  },
  'PATCH /api/user/profile': {
    tag: 'Account',
    summary: 'Change the bio',
    answer: 'CurrentUser',
    session: 'required',
  },
  'GET /api/user/export': {
    tag: 'Account',
    summary: 'Download everything stored about the user',
    answer: { type: 'object' },
    session: 'required',
    errors: ['account.too_many_exports'],
  },
  'POST /api/user/deletion': {
    tag: 'Account',
    summary: 'Delete the account',
    answer: { type: 'object', properties: { deleted: { type: 'boolean' } } },
    session: 'required',
    errors: ['account.handle_mismatch', 'account.open_calls', 'auth.fresh_sign_in_needed'],
  },
  'GET /api/user/sessions': {
    tag: 'Account',
    summary: 'List the user’s sessions',
    answer: 'UserSession[]',
    session: 'required',
  },
  'DELETE /api/user/sessions': {
    tag: 'Account',
    summary: 'End all other sessions',
    answer: exactly({ ended: true }),
    session: 'required',
  },
  'DELETE /api/user/sessions/:id': {
    tag: 'Account',
    summary: 'End a session',
    answer: exactly({ ended: true }),
    session: 'required',
    errors: ['sessions.not_found'],
  },
};

const callers: Record<string, Operation> = {
  'GET /api/callers': {
    tag: 'Callers',
    summary: 'List callers',
    answer: 'CallerListItem[]',
    isPaged: true,
  },
  'GET /api/callers/:usernameOrId': {
    tag: 'Callers',
    summary: 'A caller’s profile',
    answer: 'CallerProfile',
    session: 'optional',
    errors: ['callers.not_found'],
  },
  'GET /api/callers/:usernameOrId/statistics': {
    tag: 'Callers',
    summary: 'A caller’s statistics',
    answer: 'CallerStatistics',
    session: 'optional',
    errors: ['callers.not_found'],
  },
  'GET /api/callers/:usernameOrId/card.png': {
    tag: 'Sharing',
    summary: 'The image of a caller for link previews',
    ...PNG,
    errors: ['callers.not_found'],
  },
};

const callErrors = ['calls.not_found'] as const;

const calls: Record<string, Operation> = {
  'GET /api/token-calls/ended': {
    tag: 'Calls',
    summary: 'List ended calls, newest first',
    answer: 'TokenCall[]',
    isPaged: true,
  },
  'POST /api/token-calls': {
    tag: 'Calls',
    summary: 'Open a call at the server’s price',
    answer: 'ReceiptedCall',
    status: 201,
    session: 'required',
    errors: [
      ...FRESH_PRICE,
      'users.not_a_caller',
      'users.suspended',
      'tokens.not_found',
      'calls.not_yours',
      'calls.already_called',
      'calls.price_moved',
      'calls.too_many',
      'calls.too_many_attempts',
      'calls.target_invalid',
      'calls.stop_invalid',
    ],
  },
  'PATCH /api/token-calls/:id/end': {
    tag: 'Calls',
    summary: 'End a call at the server’s price',
    answer: 'ReceiptedCall',
    session: 'required',
    errors: [
      ...FRESH_PRICE,
      ...callErrors,
      'calls.not_yours',
      'calls.already_ended',
      'calls.gain_not_counted',
      'calls.too_many_attempts',
    ],
  },
  'GET /api/token-calls/:id': {
    tag: 'Calls',
    summary: 'A call with its updates and quotes',
    answer: 'CallDetail',
    session: 'optional',
    errors: callErrors,
  },
  'GET /api/token-calls/:id/chart': {
    tag: 'Calls',
    summary: 'The prices of a call from its entry to its end',
    answer: 'CallChart',
    session: 'optional',
    errors: callErrors,
  },
  'GET /api/tokens/called': {
    tag: 'Calls',
    summary: 'Tokens with an ended call, by the beginning of their symbol or name, or by mint',
    answer: 'CalledToken[]',
  },
  'GET /api/tokens/:mint/calls': {
    tag: 'Calls',
    summary: 'The calls on a token',
    answer: 'TokenCalls',
    session: 'optional',
    errors: ['tokens.not_found'],
  },
  'GET /api/token-calls/:id/share.png': {
    tag: 'Sharing',
    summary: 'The image of an ended call',
    ...PNG,
    errors: callErrors,
  },
  'GET /api/token-calls/caller/:id': {
    tag: 'Calls',
    summary: 'A caller’s calls: active ones for viewers with access, then ended ones',
    answer: 'TokenCall[]',
    session: 'optional',
    errors: ['callers.not_found'],
  },
  'GET /api/token-calls/caller/:id/history': {
    tag: 'Calls',
    summary: 'The same as the caller’s calls',
    answer: 'TokenCall[]',
    session: 'optional',
    errors: ['callers.not_found'],
  },
  'GET /api/token-calls/caller/:id/active': {
    tag: 'Calls',
    summary: 'A caller’s active calls',
    answer: 'TokenCall[]',
    session: 'optional',
    errors: ['callers.not_found', 'calls.not_entitled'],
  },
};

const subscriptions: Record<string, Operation> = {
  'POST /api/subscriptions/free': {
    tag: 'Subscriptions',
    summary: 'Follow a Free caller',
    answer: 'MySubscription',
    status: 201,
    session: 'required',
    errors: [
      'callers.not_found',
      'subscriptions.self',
      'subscriptions.caller_suspended',
      'subscriptions.not_free',
      'subscriptions.too_many',
    ],
  },
  'DELETE /api/subscriptions/free/:callerId': {
    tag: 'Subscriptions',
    summary: 'Unfollow a Free caller',
    answer: exactly({ removed: true }),
    session: 'required',
    errors: ['callers.not_found', 'subscriptions.not_found', 'subscriptions.paid_time_left'],
  },
  'GET /api/subscriptions/my': {
    tag: 'Subscriptions',
    summary: 'The user’s subscriptions, one per caller',
    answer: 'MySubscription[]',
    session: 'required',
  },
  'GET /api/subscriptions/calls': {
    tag: 'Subscriptions',
    summary: 'The calls of all callers that the user follows',
    answer: 'TokenCall[]',
    session: 'required',
  },
  'GET /api/subscriptions/caller/:id': {
    tag: 'Subscriptions',
    summary: 'Subscriptions to a caller: all for the caller, for others only their own',
    answer: 'Subscription[]',
    session: 'required',
    isPaged: true,
    errors: ['callers.not_found'],
  },
};

const payments: Record<string, Operation> = {
  'POST /api/solana/get-latest-blockhash': {
    tag: 'Payments',
    summary: 'Open a payment intent',
    answer: 'OpenIntentAnswer',
    status: 201,
    session: 'required',
    errors: [
      ...TERMS,
      ...CHAIN,
      'callers.not_found',
      'subscriptions.self',
      'subscriptions.caller_is_free',
      'subscriptions.caller_suspended',
      'payments.payout_wallet_missing',
      'payments.payout_is_platform',
      'payments.amount_under_rent',
      'payments.already_sent',
      'payments.too_many_unused',
    ],
  },
  'POST /api/solana/send-transaction': {
    tag: 'Payments',
    summary: 'Send the signed transaction of an open intent',
    answer: 'SendTransactionAnswer',
    session: 'required',
    errors: [
      ...CHAIN,
      'payments.intent_missing',
      'payments.intent_expired',
      'payments.intent_paid',
      'payments.transaction_invalid',
      'payments.already_sent',
      'payments.durable_nonce',
      'payments.blockhash_expired',
      'payments.insufficient_funds',
      'payments.rejected_by_chain',
      'payments.missing_reference',
      'payments.wrong_recipient',
      'payments.wrong_amount',
      'payments.payer_did_not_sign',
      'payments.money_flowed_back',
    ],
  },
  'POST /api/solana/confirm-transaction': {
    tag: 'Payments',
    summary: 'Ask whether a transaction has landed; 202 if it hasn’t yet',
    answer: 'ConfirmTransactionAnswer',
    session: 'required',
    errors: [...CHAIN, 'payments.intent_missing', 'payments.expired', 'payments.pending'],
  },
  'POST /api/subscriptions': {
    tag: 'Payments',
    summary: 'Claim the subscription of a landed payment; 202 if it isn’t visible yet',
    answer: 'Subscription',
    status: 201,
    session: 'required',
    errors: [
      ...CHAIN,
      'payments.pending',
      'payments.expired',
      'payments.intent_missing',
      'payments.failed_on_chain',
      'payments.missing_reference',
      'payments.wrong_recipient',
      'payments.wrong_amount',
      'payments.payer_did_not_sign',
      'payments.money_flowed_back',
      'payments.outside_time_window',
      'payments.amount_mismatch',
      'payments.not_yours',
    ],
  },
  'GET /api/payments': {
    tag: 'Payments',
    summary: 'The user’s payments, newest first',
    answer: 'Receipt[]',
    session: 'required',
    isPaged: true,
  },
  'GET /api/payments/earnings': {
    tag: 'Payments',
    summary: 'The caller’s earnings, newest first',
    answer: 'Earning[]',
    session: 'required',
    isPaged: true,
    errors: ['users.not_a_caller'],
  },
  'GET /api/payments/earnings.csv': {
    tag: 'Payments',
    summary: 'Download the caller’s earnings',
    answer: TEXT,
    contentType: 'text/csv',
    session: 'required',
    errors: ['users.not_a_caller'],
  },
  'GET /api/payments/:signature': {
    tag: 'Payments',
    summary: 'A receipt',
    answer: 'Receipt',
    session: 'required',
    errors: ['payments.not_found'],
  },
};

const prices: Record<string, Operation> = {
  'GET /api/prices': {
    tag: 'Prices',
    summary: 'Prices by mint',
    answer: 'ShownPrices',
    errors: ['tokens.too_many_lookups'],
  },
  'GET /api/prices/sol': { tag: 'Prices', summary: 'The price of SOL', answer: 'SolPrice' },
  'GET /api/tokens/search': {
    tag: 'Prices',
    summary: 'Search for a token, for callers',
    answer: 'FoundToken[]',
    session: 'required',
    errors: ['users.not_a_caller', 'tokens.too_many_searches', 'prices.unavailable', 'prices.busy'],
  },
  'GET /api/tokens/:mint': {
    tag: 'Prices',
    summary: 'Look up a token',
    answer: 'TokenLookup',
    session: 'optional',
    errors: ['tokens.not_found', 'tokens.too_many_lookups', 'prices.unavailable', 'prices.busy'],
  },
};

const wallets: Record<string, Operation> = {
  'GET /api/user/wallets': {
    tag: 'Wallets',
    summary: 'The user’s wallets',
    answer: 'SavedWallet[]',
    session: 'required',
  },
  'POST /api/user/wallets/challenge': {
    tag: 'Wallets',
    summary: 'Get a message to sign with a wallet',
    answer: 'WalletChallenge',
    status: 201,
    session: 'required',
  },
  'POST /api/user/wallets': {
    tag: 'Wallets',
    summary: 'Save a wallet, verified if the message is signed',
    answer: 'SavedWallet',
    status: 201,
    session: 'required',
    errors: [
      ...PAYOUT_CHANGE,
      'wallets.already_added',
      'wallets.too_many',
      'wallets.challenge_invalid',
      'wallets.signature_invalid',
    ],
  },
  'DELETE /api/user/wallets/:id': {
    tag: 'Wallets',
    summary: 'Remove a wallet',
    answer: exactly({ removed: true }),
    session: 'required',
    errors: ['wallets.not_found', 'wallets.payout_changed', 'auth.fresh_sign_in_needed'],
  },
  'GET /api/user/payout-changes': {
    tag: 'Wallets',
    summary: 'Changes of the caller’s payout wallet',
    answer: 'PayoutChange[]',
    session: 'required',
  },
  'GET /api/wallet/transactions': {
    tag: 'Wallets',
    summary: 'Tokens that the user’s wallets bought',
    answer: 'WalletTransaction[]',
    session: 'required',
    errors: CHAIN,
  },
  'GET /api/wallet/balances': {
    tag: 'Wallets',
    summary: 'Balances of the user’s wallets',
    answer: 'WalletBalance[]',
    session: 'required',
    errors: CHAIN,
  },
};

const notifications: Record<string, Operation> = {
  'POST /api/user/telegram-connect': {
    tag: 'Notifications',
    summary: 'Get a link that connects Telegram',
    answer: 'ConnectTelegramAnswer',
    session: 'required',
    errors: ['telegram.handle_invalid'],
  },
  'DELETE /api/user/telegram-disconnect': {
    tag: 'Notifications',
    summary: 'Disconnect Telegram',
    answer: MESSAGE,
    session: 'required',
  },
  'POST /api/telegram/webhook': {
    tag: 'Notifications',
    summary: 'Receive an update from Telegram, with its secret in a header',
    answer: { type: ['object', 'null'], description: 'Empty, or a method of the Bot API.' },
    errors: ['telegram.secret_invalid'],
  },
  'POST /api/telegram/send-update': {
    tag: 'Notifications',
    summary: 'Send an update on a call to its followers',
    answer: 'SendUpdateAnswer',
    session: 'required',
    errors: [
      'calls.not_found',
      'calls.not_yours',
      'calls.already_ended',
      'updates.message_invalid',
      'updates.too_many',
      'updates.call_full',
    ],
  },
  'GET /api/telegram/deliveries': {
    tag: 'Notifications',
    summary: 'How many followers got each event of the caller',
    answer: 'DeliveryLogEntry[]',
    session: 'required',
    isPaged: true,
    errors: ['users.not_a_caller'],
  },
  'GET /api/user/push': {
    tag: 'Notifications',
    summary: 'Whether this browser gets notifications',
    answer: 'PushSettings',
    session: 'required',
  },
  'PUT /api/user/push': {
    tag: 'Notifications',
    summary: 'Send notifications to this browser',
    answer: 'PushSettings',
    session: 'required',
    errors: ['push.service_unknown'],
  },
  'DELETE /api/user/push': {
    tag: 'Notifications',
    summary: 'Send no more notifications to this browser',
    answer: 'PushSettings',
    session: 'required',
  },
  'GET /api/user/notifications': {
    tag: 'Notifications',
    summary: 'The user’s settings',
    answer: 'NotificationSettings',
    session: 'required',
  },
  'PATCH /api/user/notifications': {
    tag: 'Notifications',
    summary: 'Turn a kind of message on or off',
    answer: 'NotificationSettings',
    session: 'required',
  },
  'PUT /api/user/notifications/mutes/:callerId': {
    tag: 'Notifications',
    summary: 'Mute a caller',
    answer: 'NotificationSettings',
    session: 'required',
    errors: ['callers.not_found', 'notifications.mute_self', 'notifications.too_many_mutes'],
  },
  'DELETE /api/user/notifications/mutes/:callerId': {
    tag: 'Notifications',
    summary: 'Unmute a caller',
    answer: 'NotificationSettings',
    session: 'required',
    errors: ['callers.not_found'],
  },
};

const sharing: Record<string, Operation> = {
  'POST /api/twitter-post': {
    tag: 'Sharing',
    summary: 'Post the image of an ended call on X',
    answer: 'TwitterPostAnswer',
    session: 'required',
    errors: [
      'users.not_a_caller',
      'calls.not_found',
      'calls.not_yours',
      'shares.text_empty',
      'shares.text_too_long',
      'shares.image_changed',
      'shares.consent_needed',
      'shares.consent_incomplete',
      'shares.other_account',
      'shares.rejected_by_x',
      'shares.rate_limited',
      'shares.unconfirmed',
      'shares.x_unavailable',
    ],
  },
  'DELETE /api/user/x-posting': {
    tag: 'Sharing',
    summary: 'Take back the permission to post on X',
    answer: 'DisconnectXAnswer',
    session: 'required',
  },
};

const images: Record<string, Operation> = {
  'GET /api/images/callers/:id/:version': {
    tag: 'Images',
    summary: 'A caller’s picture',
    ...IMAGE,
    errors: ['images.not_found'],
  },
  'GET /api/images/calls/:id': {
    tag: 'Images',
    summary: 'The icon of an ended call’s token',
    ...IMAGE,
    errors: ['images.not_found'],
  },
  'GET /api/images/active-calls/:id': {
    tag: 'Images',
    summary: 'The icon of an active call’s token',
    ...IMAGE,
    session: 'optional',
    errors: ['images.not_found'],
  },
  'GET /api/images/me/:version': {
    tag: 'Images',
    summary: 'The user’s own picture',
    ...IMAGE,
    session: 'required',
    errors: ['images.not_found'],
  },
  'GET /api/images/tokens/:sealed': {
    tag: 'Images',
    summary: 'The icon of a token that the user looked up',
    ...IMAGE,
    session: 'required',
    errors: ['images.not_found'],
  },
};

const feeds: Record<string, Operation> = {
  'GET /feeds/recent-calls.xml': { tag: 'Feeds', summary: 'Ended calls as RSS', ...RSS },
  'GET /caller/:usernameOrId/feed.xml': { tag: 'Feeds', summary: 'A caller’s ended calls as RSS', ...RSS },
  'GET /robots.txt': {
    tag: 'Feeds',
    summary: 'Rules for crawlers',
    answer: TEXT,
    contentType: 'text/plain',
  },
  'GET /sitemap.xml': { tag: 'Feeds', summary: 'The index of the sitemaps', ...XML },
  'GET /:part{sitemap-[a-z0-9-]+\\.xml}': { tag: 'Feeds', summary: 'A sitemap', ...XML },
};

const operators: Record<string, Operation> = {
  'GET /api/operators/overview': {
    tag: 'Operators',
    summary: 'What is wrong now',
    answer: 'OperatorsOverview',
    session: 'optional',
    errors: ['request.not_found'],
  },
  'GET /api/operators/audit': {
    tag: 'Operators',
    summary: 'What operators did, newest first',
    answer: 'AuditEntry[]',
    session: 'optional',
    isPaged: true,
    errors: ['request.not_found'],
  },
  'GET /api/operators/people': {
    tag: 'Operators',
    summary: 'Find people by handle, id, wallet or call',
    answer: 'OperatorsPerson[]',
    session: 'optional',
    errors: ['request.not_found'],
  },
  'GET /api/operators/payments': {
    tag: 'Operators',
    summary: 'Find a payment by signature, reference or intent, with its history',
    answer: 'PaymentHistory[]',
    session: 'optional',
    errors: ['request.not_found'],
  },
  'GET /api/operators/metrics': {
    tag: 'Operators',
    summary: 'Requests, jobs, failures, payments and messages over time',
    answer: 'OperatorsMetrics',
    session: 'optional',
    errors: ['request.not_found', 'operators.metrics_unavailable'],
  },
  'POST /api/operators/actions': {
    tag: 'Operators',
    summary: 'Do something with a reason, which the audit keeps',
    answer: 'OperatorActionAnswer',
    session: 'optional',
    errors: [
      'request.not_found',
      'operators.subject_not_found',
      'operators.subject_deleted',
      'chain.unavailable',
      'auth.fresh_sign_in_needed',
    ],
  },
  'POST /api/reports': {
    tag: 'Account',
    summary: 'Report a caller, a call or an update',
    answer: 'ReportAnswer',
    status: 201,
    session: 'required',
    errors: ['reports.not_found', 'reports.own', 'reports.too_many'],
  },
};

const log: Record<string, Operation> = {
  'GET /log/key': {
    tag: 'Log',
    summary: 'The key that verifies the log’s signatures',
    ...PLAIN_TEXT,
    errors: ['request.not_found'],
  },
  'GET /log/checkpoint': {
    tag: 'Log',
    summary: 'The log’s newest checkpoint',
    ...PLAIN_TEXT,
    errors: ['request.not_found'],
  },
  'GET /log/anchors': {
    tag: 'Log',
    summary: 'The newest anchors of the log on Solana',
    answer: 'LogAnchors',
    errors: ['request.not_found'],
  },
  'GET /log/tile/:path{.+}': { tag: 'Log', summary: 'A tile of hashes, or a bundle of entries', ...OCTETS },
  'GET /log/callers/:callerId': {
    tag: 'Log',
    summary: 'A caller’s entries with their proof',
    answer: 'LogRecord',
    errors: ['callers.not_found', 'log.behind', 'log.record_too_long'],
  },
};

const service: Record<string, Operation> = {
  'GET /api/health': { tag: 'Service', summary: 'Whether the worker answers', answer: 'Version' },
  'GET /api/health/ready': {
    tag: 'Service',
    summary: 'Whether each dependency works; 503 if the product is down',
    answer: 'Health',
    otherAnswers: { 503: 'Health' },
  },
  'POST /api/events/page-view': {
    tag: 'Service',
    summary: 'Count a page view',
    answer: exactly({ counted: true }),
    status: 202,
  },
  'GET /api/openapi.json': { tag: 'Service', summary: 'This document', answer: { type: 'object' } },
  'GET /api/docs': {
    tag: 'Service',
    summary: 'This document as a page',
    answer: TEXT,
    contentType: 'text/html',
  },
};

/** Every route but the pages. A test fails if a route is missing. */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  ...account,
  ...callers,
  ...calls,
  ...subscriptions,
  ...payments,
  ...prices,
  ...wallets,
  ...notifications,
  ...sharing,
  ...images,
  ...operators,
  ...feeds,
  ...log,
  ...service,
};

/** The types of schema/contracts that answers consist of. */
export const ANSWER_TYPES: readonly string[] = [
  'ErrorBody',
  ...new Set(
    Object.values(OPERATIONS)
      .flatMap(({ answer, otherAnswers = {} }) => [answer, ...Object.values(otherAnswers)])
      .flatMap((answer) => (typeof answer === 'string' ? [answer.replace('[]', '')] : [])),
  ),
];
