import { CALLER_SORTS, DOCUMENT_VERSIONS } from '#schema/constants.ts';
import { PAGE_PATHS, withSlash } from '../app/page-paths.ts';
import { HIDDEN_MINT, SECRETS, type SecretName, type Subject, type Viewer } from './access-world.ts';
import { MINTS } from './callers.ts';

export interface AccessRequest {
  readonly path: string;
  readonly body?: unknown;
  /**
   * True if the request contains the hidden call's token. Then the answer may contain the token, too, but
   * caches must not share the answer.
   */
  readonly namesToken?: boolean;
}

export type Shown = Partial<Record<SecretName, readonly Viewer[]>>;

export interface AccessRule {
  /** Requests with ids of other people's things. */
  readonly requests: (subject: Subject) => readonly AccessRequest[];
  /** The fields that the route shows, and the viewers who may see them. */
  readonly shows?: Shown;
  /** True if everyone without access to the hidden call gets the same answers as a visitor. */
  readonly isSameWithoutAccess?: boolean;
  /** True if a viewer with access to the hidden call gets another answer than a visitor. */
  readonly dependsOnAccess?: boolean;
  /** Ends the session of a viewer who has one. */
  readonly isSignOut?: boolean;
}

const get = (paths: (subject: Subject) => readonly string[], shows: Shown = {}): AccessRule => ({
  requests: (subject) => paths(subject).map((path) => ({ path })),
  shows,
});

/** A GET whose response depends only on whether the viewer has access to the caller's active calls. */
const getOfCaller = (...args: Parameters<typeof get>): AccessRule => ({
  ...get(...args),
  isSameWithoutAccess: true,
});

const HIDDEN_CALL: Shown = { 'hidden call': SECRETS['hidden call'] };
const EITHER_CALL: Shown = { ...HIDDEN_CALL, 'call of a Free caller': SECRETS['call of a Free caller'] };
const PAYMENT: Shown = { 'payment of the subscriber': SECRETS['payment of the subscriber'] };
const ACCOUNT: Shown = { 'account of the owner': ['owner'], 'account of the subscriber': ['subscriber'] };

const send = (
  path: string | ((subject: Subject) => string),
  body?: (subject: Subject) => unknown,
): AccessRule => ({
  requests: (subject) => [
    {
      path: typeof path === 'string' ? path : path(subject),
      ...(body && { body: body(subject) }),
    },
  ],
});

const page = (path: string, pathsOf: (subject: Subject) => readonly string[]): [string, AccessRule][] =>
  withSlash(path).map((each) => [
    `GET ${each}`,
    get((subject) =>
      pathsOf(subject).map((filled) => (each.endsWith('/') && each !== '/' ? `${filled}/` : filled)),
    ),
  ]);

const callReads: Record<string, AccessRule> = {
  'GET /api/token-calls/ended': get(() => ['/api/token-calls/ended', '/api/token-calls/ended?limit=1']),
  'GET /api/token-calls/caller/:id': getOfCaller(
    ({ callerId }) => [`/api/token-calls/caller/${callerId}`],
    HIDDEN_CALL,
  ),
  'GET /api/token-calls/caller/:id/active': get(
    ({ callerId }) => [`/api/token-calls/caller/${callerId}/active`],
    HIDDEN_CALL,
  ),
  'GET /api/token-calls/caller/:id/history': getOfCaller(
    ({ callerId }) => [`/api/token-calls/caller/${callerId}/history`],
    HIDDEN_CALL,
  ),
  'GET /api/token-calls/:id': get(
    ({ hiddenId, freeCallId }) => [`/api/token-calls/${hiddenId}`, `/api/token-calls/${freeCallId}`],
    EITHER_CALL,
  ),
  'GET /api/token-calls/:id/chart': get(
    ({ hiddenId, freeCallId }) => [
      `/api/token-calls/${hiddenId}/chart`,
      `/api/token-calls/${freeCallId}/chart`,
    ],
    HIDDEN_CALL,
  ),
  'GET /api/token-calls/:id/share.png': get(({ hiddenId, freeCallId }) => [
    `/api/token-calls/${hiddenId}/share.png`,
    `/api/token-calls/${freeCallId}/share.png`,
  ]),
  'GET /api/tokens/:mint/calls': {
    requests: () =>
      [`/api/tokens/${HIDDEN_MINT}/calls`, `/api/tokens/${MINTS.BONK}/calls`].map((path) => ({ path })),
    shows: { 'hidden call': ['owner', 'subscriber'], 'call of a Free caller': ['free follower'] },
  },
  'GET /api/images/calls/:id': get(({ hiddenId }) => [`/api/images/calls/${hiddenId}`]),
  'GET /api/images/active-calls/:id': get(({ hiddenId, freeCallId }) => [
    `/api/images/active-calls/${hiddenId}`,
    `/api/images/active-calls/${freeCallId}`,
  ]),
};

const callerReads: Record<string, AccessRule> = {
  'GET /api/callers': getOfCaller(() => [
    '/api/callers',
    ...CALLER_SORTS.flatMap((sort) => [`/api/callers?sort=${sort}`, `/api/callers?sort=${sort}&order=asc`]),
    '/api/callers?search=wif',
    '/api/callers?limit=1',
  ]),
  'GET /api/callers/:usernameOrId': getOfCaller(({ callerId, handle, hiddenId }) => [
    `/api/callers/${callerId}`,
    `/api/callers/${handle}`,
    `/api/callers/${hiddenId}`,
  ]),
  'GET /api/callers/:usernameOrId/statistics': {
    ...getOfCaller(({ callerId, handle }) => [
      `/api/callers/${callerId}/statistics`,
      `/api/callers/${handle}/statistics`,
    ]),
    dependsOnAccess: true,
  },
  'GET /api/callers/:usernameOrId/card.png': get(({ callerId, handle, hiddenId }) => [
    `/api/callers/${callerId}/card.png`,
    `/api/callers/${handle}/card.png`,
    `/api/callers/${hiddenId}/card.png`,
  ]),
  'GET /api/images/callers/:id/:version': get(({ callerId, hiddenId }) => [
    `/api/images/callers/${callerId}/0`,
    `/api/images/callers/${hiddenId}/0`,
  ]),
};

const ownReads: Record<string, AccessRule> = {
  'GET /api/auth/user': get(() => ['/api/auth/user'], ACCOUNT),
  'GET /api/user/wallets': get(() => ['/api/user/wallets'], ACCOUNT),
  'GET /api/user/sessions': get(() => ['/api/user/sessions'], ACCOUNT),
  'GET /api/user/export': get(() => ['/api/user/export'], {
    ...ACCOUNT,
    'payment of the subscriber': ['owner', 'subscriber'],
    'hidden call': ['owner'],
  }),
  'GET /api/user/payout-changes': get(() => ['/api/user/payout-changes']),
  'GET /api/user/notifications': get(() => ['/api/user/notifications']),
  'GET /api/user/push': get(() => ['/api/user/push']),
  'GET /api/telegram/deliveries': get(
    () => ['/api/telegram/deliveries', '/api/telegram/deliveries?limit=1'],
    { 'hidden call': ['owner'] },
  ),
  'GET /api/live': get(() => ['/api/live']),
  'GET /api/wallet/balances': get(() => ['/api/wallet/balances']),
  'GET /api/wallet/transactions': get(() => [
    '/api/wallet/transactions',
    '/api/wallet/transactions?limit=100&type=buy',
  ]),
  'GET /api/images/me/:version': get(() => ['/api/images/me/0']),
  'GET /api/images/tokens/:sealed': get(({ hiddenId }) => [`/api/images/tokens/${hiddenId}`]),
  'GET /api/subscriptions/my': get(() => ['/api/subscriptions/my'], {
    'payment of the subscriber': ['subscriber'],
  }),
  'GET /api/subscriptions/calls': get(() => ['/api/subscriptions/calls'], {
    'hidden call': ['subscriber'],
    'call of a Free caller': ['free follower'],
  }),
  'GET /api/subscriptions/caller/:id': get(
    ({ callerId }) => [`/api/subscriptions/caller/${callerId}`],
    PAYMENT,
  ),
  'GET /api/payments': get(() => ['/api/payments', '/api/payments?limit=1'], {
    'payment of the subscriber': ['subscriber'],
  }),
  'GET /api/payments/earnings': get(() => ['/api/payments/earnings'], {
    'payment of the subscriber': ['owner'],
  }),
  'GET /api/payments/earnings.csv': get(() => ['/api/payments/earnings.csv'], {
    'payment of the subscriber': ['owner'],
  }),
  'GET /api/payments/:signature': get(({ signature }) => [`/api/payments/${signature}`], PAYMENT),
};

/** Nobody in the access tests is an operator. */
const operatorsReads: Record<string, AccessRule> = {
  'GET /api/operators/overview': get(() => ['/api/operators/overview']),
  'GET /api/operators/audit': get(() => ['/api/operators/audit']),
  'GET /api/operators/people': get(({ handle }) => [`/api/operators/people?search=${handle}`]),
  'GET /api/operators/metrics': get(() => ['/api/operators/metrics']),
  'GET /api/operators/payments': get(({ signature }) => [`/api/operators/payments?search=${signature}`]),
};

const byMint = (pathOf: (mint: string) => string): AccessRule => ({
  requests: () => [{ path: pathOf(MINTS.BONK) }, { path: pathOf(HIDDEN_MINT), namesToken: true }],
});

/** The answers are the same for everyone, except for the mint in the request. */
const publicReads: Record<string, AccessRule> = {
  'GET /api/auth/twitter': get(() => ['/api/auth/twitter']),
  'GET /api/auth/twitter/callback': get(() => ['/api/auth/twitter/callback']),
  'GET /api/health': get(() => ['/api/health']),
  'GET /api/health/ready': get(() => ['/api/health/ready']),
  'GET /api/logout': { ...get(() => ['/api/logout']), isSignOut: true },
  'GET /api/prices': byMint((mint) => `/api/prices?mints=${mint}`),
  'GET /api/prices/sol': get(() => ['/api/prices/sol']),
  'GET /api/tokens/search': get(() => ['/api/tokens/search?q=bonk']),
  'GET /api/tokens/:mint': byMint((mint) => `/api/tokens/${mint}`),
  'GET /api/tokens/called': byMint((mint) => `/api/tokens/called?q=${mint}`),
  'GET /feeds/recent-calls.xml': get(() => ['/feeds/recent-calls.xml']),
  'GET /caller/:usernameOrId/feed.xml': get(({ callerId, handle, hiddenId }) => [
    `/caller/${callerId}/feed.xml`,
    `/caller/${handle}/feed.xml`,
    `/caller/${hiddenId}/feed.xml`,
  ]),
  'GET /log/key': get(() => ['/log/key']),
  'GET /log/checkpoint': get(() => ['/log/checkpoint']),
  'GET /log/tile/:path{.+}': get(() => [
    ...['0', '1', 'entries'].flatMap((level) => [`/log/tile/${level}/000`, `/log/tile/${level}/000.p/1`]),
    '/log/tile/0/000.p/8',
    '/log/tile/entries/000.p/8',
  ]),
  'GET /log/callers/:callerId': get(({ callerId, hiddenId }) => [
    `/log/callers/${callerId}`,
    `/log/callers/${hiddenId}`,
  ]),
  'GET /log/anchors': get(() => ['/log/anchors']),
  'GET /api/openapi.json': get(() => ['/api/openapi.json']),
  'GET /api/docs': get(() => ['/api/docs']),
  'GET /robots.txt': get(() => ['/robots.txt']),
  'GET /sitemap.xml': get(() => ['/sitemap.xml']),
  'GET /:part{sitemap-[a-z0-9-]+\\.xml}': get(({ callerId, today }) => [
    '/sitemap-pages.xml',
    `/sitemap-callers-${callerId.slice(0, 2)}.xml`,
    `/sitemap-calls-${today}.xml`,
  ]),
};

const pages = Object.fromEntries([
  ...page('/caller/:usernameOrId', ({ callerId, handle, hiddenId }) => [
    `/caller/${callerId}`,
    `/caller/${handle}`,
    `/caller/${hiddenId}`,
  ]),
  ...page('/call/:id', ({ hiddenId, freeCallId }) => [`/call/${hiddenId}`, `/call/${freeCallId}`]),
  ...page('/token/:mint', () => [`/token/${HIDDEN_MINT}`, `/token/${MINTS.JUP}`]),
  ...PAGE_PATHS.flatMap((path) => page(path, ({ signature }) => [path.replace(':signature', signature)])),
]);

const SOL = '0.5';
/** A signature of a transaction that doesn't exist. */
const UNUSED_SIGNATURE = '1'.repeat(64);

const writes: Record<string, AccessRule> = {
  'POST /api/token-calls': send('/api/token-calls', ({ callerId }) => ({
    tokenSymbol: 'USDC',
    tokenName: 'USD Coin',
    tokenMint: MINTS.USDC,
    entryPrice: '1',
    callerId,
  })),
  'PATCH /api/token-calls/:id/end': send(
    ({ hiddenId }) => `/api/token-calls/${hiddenId}/end`,
    () => ({}),
  ),
  'POST /api/telegram/send-update': send('/api/telegram/send-update', ({ hiddenId }) => ({
    callId: hiddenId,
    message: 'Mine.',
  })),
  'POST /api/twitter-post': send('/api/twitter-post', () => ({
    text: 'Mine.',
    imageDataUrl: 'data:image/png;base64,AAAA',
  })),
  'DELETE /api/user/x-posting': send('/api/user/x-posting'),
  'POST /api/user/deletion': send('/api/user/deletion', () => ({ handle: 'somebody_else' })),
  'POST /api/user/acceptances': send('/api/user/acceptances', () => DOCUMENT_VERSIONS),
  'POST /api/user/become-caller': send('/api/user/become-caller', () => ({ subscriptionPrice: '' })),
  'PATCH /api/user/caller-profile': send('/api/user/caller-profile', () => ({ monthlyFee: null })),
  'PATCH /api/user/profile': send('/api/user/profile', () => ({ bio: 'Mine.' })),
  'POST /api/user/wallets/challenge': send('/api/user/wallets/challenge', () => ({
    walletAddress: MINTS.USDC,
  })),
  'POST /api/user/wallets': send('/api/user/wallets', () => ({ walletAddress: MINTS.USDC })),
  'DELETE /api/user/wallets/:id': send(({ walletId }) => `/api/user/wallets/${walletId}`),
  'DELETE /api/user/sessions/:id': send(({ sessionId }) => `/api/user/sessions/${sessionId}`),
  'DELETE /api/user/sessions': send('/api/user/sessions'),
  'POST /api/user/telegram-connect': send('/api/user/telegram-connect', () => ({
    telegramHandle: 'tele_of_viewer',
  })),
  'DELETE /api/user/telegram-disconnect': send('/api/user/telegram-disconnect'),
  'POST /api/telegram/webhook': send('/api/telegram/webhook', () => ({ update_id: 1 })),
  'PATCH /api/user/notifications': send('/api/user/notifications', () => ({
    kind: 'call_opened',
    isOn: false,
  })),
  'PUT /api/user/push': send('/api/user/push', () => ({
    endpoint: 'https://fcm.googleapis.com/mine',
    keys: { p256dh: 'A'.repeat(87), auth: 'A'.repeat(22) },
  })),
  'DELETE /api/user/push': send('/api/user/push'),
  'PUT /api/user/notifications/mutes/:callerId': send(
    ({ callerId }) => `/api/user/notifications/mutes/${callerId}`,
    () => ({}),
  ),
  'DELETE /api/user/notifications/mutes/:callerId': send(
    ({ callerId }) => `/api/user/notifications/mutes/${callerId}`,
  ),
  'POST /api/subscriptions/free': send('/api/subscriptions/free', ({ callerId }) => ({ callerId })),
  'DELETE /api/subscriptions/free/:callerId': send(({ callerId }) => `/api/subscriptions/free/${callerId}`),
  'POST /api/solana/get-latest-blockhash': send('/api/solana/get-latest-blockhash', ({ callerId }) => ({
    callerId,
  })),
  'POST /api/solana/send-transaction': send('/api/solana/send-transaction', () => ({ transaction: 'AAAA' })),
  'POST /api/solana/confirm-transaction': send('/api/solana/confirm-transaction', () => ({
    signature: UNUSED_SIGNATURE,
  })),
  'POST /api/subscriptions': send('/api/subscriptions', ({ callerId }) => ({
    callerId,
    monthlyFee: SOL,
    platformFee: SOL,
    totalAmount: SOL,
    transactionId: UNUSED_SIGNATURE,
  })),
  'POST /api/reports': send('/api/reports', ({ hiddenId }) => ({
    kind: 'call',
    id: hiddenId,
    reason: 'scam',
  })),
  'POST /api/operators/actions': send('/api/operators/actions', ({ callerId }) => ({
    action: 'verify',
    subjectId: callerId,
    reason: 'It looks right.',
  })),
  'POST /api/events/page-view': send('/api/events/page-view', () => ({ path: '/' })),
};

/** A rule for every route of the app. A test fails if a route has no rule. */
export const ACCESS_RULES: Readonly<Record<string, AccessRule>> = {
  ...callReads,
  ...callerReads,
  ...ownReads,
  ...operatorsReads,
  ...publicReads,
  ...pages,
  ...writes,
};
