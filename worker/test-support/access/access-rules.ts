import { CALLER_SORTS, ENDED_CALLS_FILTERS } from '#schema/constants/market.ts';
import { DOCUMENT_VERSIONS } from '#schema/constants/people.ts';
import type { DescribedRoute } from '../../app/route.ts';
import type { RouteMetadata, SessionRule } from '../../app/route-facts.ts';
import { HIDDEN_MINT, SECRETS, type SecretName, type Subject, type Viewer } from './access-environment.ts';
import { MINTS } from '../people/callers.ts';
import { ROUTES } from './routes.ts';

export interface AccessRequest {
  readonly path: string;
  readonly body?: unknown;
  /**
   * True if the request contains the hidden call's token. Then the response may also contain it, but caches must not
   * share the response.
   */
  readonly namesToken?: boolean;
}

type Shown = Partial<Record<SecretName, readonly Viewer[]>>;

export interface AccessRule {
  /** Requests with ids of other users' data. */
  readonly requests: (subject: Subject) => readonly AccessRequest[];
  readonly session: SessionRule | undefined;
  readonly apiKey: RouteMetadata['apiKey'];
  /** The fields that the route shows, and the viewers who may see them. */
  readonly shows: Shown;
  /** True if everyone without access to the hidden call gets the same responses as a visitor. */
  readonly isSameWithoutAccess: boolean;
  /** True if the response to a viewer with access to the hidden call differs from the response to a visitor. */
  readonly dependsOnAccess: boolean;
  /** True if the request ends the viewer's session. */
  readonly isSignOut: boolean;
}

const HIDDEN_CALL: Shown = { 'hidden call': SECRETS['hidden call'] };
const PAYMENT: Shown = { 'payment of the subscriber': ['subscriber', 'owner'] };
const SUPPORTED: Shown = { 'payment of the subscriber': ['operator'] };
const ACCOUNT: Shown = { 'account of the owner': ['owner'], 'account of the subscriber': ['subscriber'] };
const PAID: Shown = { 'payment of the subscriber': ['subscriber'] };
const EARNED: Shown = { 'payment of the subscriber': ['owner'] };

/** The routes that show data to only some viewers. All other routes must not contain it. */
const SHOWS: Readonly<Record<string, Shown>> = {
  'GET /api/token-calls/caller/:id': HIDDEN_CALL,
  'GET /api/token-calls/caller/:id/active': HIDDEN_CALL,
  'GET /api/token-calls/caller/:id/history': HIDDEN_CALL,
  'GET /api/token-calls/:id': {
    ...HIDDEN_CALL,
    'call of a Free caller': SECRETS['call of a Free caller'],
  },
  'GET /api/token-calls/:id/chart': HIDDEN_CALL,
  'GET /api/tokens/:mint/calls': {
    'hidden call': ['owner', 'subscriber'],
    'call of a Free caller': ['free follower'],
  },
  'GET /api/auth/user': ACCOUNT,
  'GET /api/dashboard': {
    'account of the owner': ['owner'],
    ...PAID,
    'hidden call': ['owner', 'subscriber'],
    'call of a Free caller': ['free follower'],
  },
  'GET /api/user/wallets': ACCOUNT,
  'GET /api/user/ways': ACCOUNT,
  'GET /api/user/telegram-chats': { 'account of the owner': ['owner'] },
  'GET /api/user/export': { ...ACCOUNT, ...PAYMENT, 'hidden call': ['owner'] },
  'GET /api/telegram/deliveries': { 'hidden call': ['owner'] },
  'GET /api/subscriptions/my': PAID,
  'GET /api/subscriptions/calls': {
    'hidden call': ['subscriber'],
    'call of a Free caller': ['free follower'],
  },
  'GET /api/subscriptions/caller/:id': PAYMENT,
  'GET /api/payments': PAID,
  'GET /api/payments/earnings': EARNED,
  'GET /api/payments/earnings.csv': EARNED,
  'GET /api/payments/:signature': PAYMENT,
  'GET /api/operators/:kind/:id': SUPPORTED,
};

/** Routes whose response depends only on whether the viewer has access to the caller's active calls. */
const SAME_WITHOUT_ACCESS: ReadonlySet<string> = new Set([
  'GET /api/callers',
  'GET /api/callers/:usernameOrId',
  'GET /api/callers/:usernameOrId/statistics',
  'GET /api/callers/:usernameOrId/results',
  'GET /api/results',
  'GET /api/comparison',
  'GET /api/token-calls/caller/:id',
  'GET /api/token-calls/caller/:id/history',
]);
const DEPENDS_ON_ACCESS = 'GET /api/callers/:usernameOrId/statistics';
const SIGN_OUT = 'GET /api/logout';

const byMint = (pathOf: (mint: string) => string) => () => [
  { path: pathOf(MINTS.BONK) },
  { path: pathOf(HIDDEN_MINT), namesToken: true },
];

const get = (pathsOf: (subject: Subject) => readonly string[]) => (subject: Subject) =>
  pathsOf(subject).map((path) => ({ path }));

/** Requests of routes that need more than their path with ids in it. */
const REQUESTS: Readonly<Record<string, AccessRule['requests']>> = {
  'GET /api/callers': get(() => [
    '/api/callers',
    ...CALLER_SORTS.flatMap((sort) => [`/api/callers?sort=${sort}`, `/api/callers?sort=${sort}&order=asc`]),
    '/api/callers?search=wif',
    '/api/callers?limit=1',
  ]),
  'GET /api/results': get(({ handle, callerId }) => [
    `/api/results?callers=${[handle, callerId].toSorted().join(',')}`,
  ]),
  'GET /api/comparison': get(({ handle }) => [`/api/comparison?callers=${handle.toLowerCase()}`]),
  'GET /api/token-calls/ended': get(() => [
    '/api/token-calls/ended',
    '/api/token-calls/ended?limit=1',
    ...ENDED_CALLS_FILTERS.map((only) => `/api/token-calls/ended?only=${only}`),
    '/api/token-calls/ended?symbol=WIF',
  ]),
  'GET /api/telegram/deliveries': get(() => ['/api/telegram/deliveries', '/api/telegram/deliveries?limit=1']),
  'GET /api/wallet/transactions': get(() => [
    '/api/wallet/transactions',
    '/api/wallet/transactions?limit=100&type=buy',
  ]),
  'GET /api/payments': get(() => ['/api/payments', '/api/payments?limit=1']),
  'GET /api/operators/search': get(({ handle, hiddenId, signature }) =>
    [handle, hiddenId, signature, `${handle} WIF`].map(
      (search) => `/api/operators/search?search=${encodeURIComponent(search)}`,
    ),
  ),
  'GET /api/operators/:kind/:id': get(({ callerId, hiddenId, signature, today }) => [
    ...[callerId, hiddenId].flatMap((id) => [`/api/operators/person/${id}`, `/api/operators/call/${id}`]),
    `/api/operators/payment/${signature}`,
    ...['all', today.slice(0, 7)].map((id) => `/api/operators/earned/${id}`),
  ]),
  'GET /api/prices': byMint((mint) => `/api/prices?mints=${mint}`),
  'GET /api/tokens/search': get(() => ['/api/tokens/search?q=bonk']),
  'GET /api/tokens/:mint': byMint((mint) => `/api/tokens/${mint}`),
  'GET /api/tokens/called': byMint((mint) => `/api/tokens/called?q=${mint}`),
  'GET /log/tile/:path{.+}': get(() => [
    ...['0', '1', 'entries'].flatMap((level) => [`/log/tile/${level}/000`, `/log/tile/${level}/000.p/1`]),
    '/log/tile/0/000.p/8',
    '/log/tile/entries/000.p/8',
  ]),
  'GET /log/texts/:callerId': get(({ callerId }) => [
    `/log/texts/${callerId}`,
    `/log/texts/${callerId}?after=1`,
  ]),
  'GET /:part{sitemap-[a-z0-9-]+\\.xml}': get(({ today }) => [
    '/sitemap-pages.xml',
    '/sitemap-callers.xml',
    `/sitemap-calls-${today}.xml`,
  ]),
};

const SOL = '0.5';
/** A signature of a transaction that doesn't exist. */
const UNUSED_SIGNATURE = '1'.repeat(64);

/** A body for every route that takes one. */
const BODIES: Readonly<Record<string, (subject: Subject) => unknown>> = {
  'POST /api/token-calls': ({ callerId }) => ({
    tokenSymbol: 'USDC',
    tokenName: 'USD Coin',
    tokenMint: MINTS.USDC,
    entryPrice: '1',
    callerId,
  }),
  'POST /api/telegram/send-update': ({ hiddenId }) => ({ callId: hiddenId, message: 'Mine.' }),
  'POST /api/twitter-post': () => ({ text: 'Mine.', imageDataUrl: 'data:image/png;base64,AAAA' }),
  'POST /api/user/deletion': () => ({ handle: 'somebody_else' }),
  'POST /api/user/acceptances': () => DOCUMENT_VERSIONS,
  'POST /api/user/become-caller': () => ({ subscriptionPrice: '' }),
  'PATCH /api/user/caller-profile': () => ({ monthlyFee: null }),
  'PATCH /api/user/profile': () => ({ bio: 'Mine.' }),
  'POST /api/user/api-keys': () => ({ name: 'Bot', mayCall: true }),
  'POST /api/user/ways/end-others': () => ({ keep: [] }),
  'POST /api/user/wallets/challenge': () => ({ walletAddress: MINTS.USDC }),
  'POST /api/user/wallets': () => ({ walletAddress: MINTS.USDC }),
  'POST /api/user/telegram-connect': () => ({ telegramHandle: 'tele_of_viewer' }),
  'PATCH /api/user/telegram-calls': () => ({ isOn: true }),
  'PATCH /api/user/telegram-chats/:id': () => ({ postsRecap: true }),
  'POST /api/telegram/webhook': () => ({ update_id: 1 }),
  'PATCH /api/user/notifications': () => ({ kind: 'call_opened', isOn: false }),
  'PUT /api/user/push': () => ({
    endpoint: 'https://fcm.googleapis.com/mine',
    keys: { p256dh: 'A'.repeat(87), auth: 'A'.repeat(22) },
  }),
  'PUT /api/paper-follows/:callerId': () => ({ amountUsd: 100 }),
  'PUT /api/user/webhook': () => ({ url: 'https://hooks.solana.com/mine' }),
  'POST /api/subscriptions/free': ({ callerId }) => ({ callerId }),
  'POST /api/solana/get-latest-blockhash': ({ callerId }) => ({ callerId }),
  'POST /api/solana/send-transaction': () => ({ transaction: 'AAAA' }),
  'POST /api/solana/search-payment': () => ({ intentId: 'unknown' }),
  'PUT /api/payments/:signature/refund-request': () => ({ isAsked: false }),
  'POST /api/solana/open-refund': () => ({ signature: UNUSED_SIGNATURE, fromAddress: MINTS.USDC }),
  'POST /api/solana/send-refund': () => ({ signature: UNUSED_SIGNATURE, transaction: 'AAAA' }),
  'POST /api/solana/confirm-transaction': () => ({ signature: UNUSED_SIGNATURE }),
  'POST /api/subscriptions': ({ callerId }) => ({
    callerId,
    monthlyFee: SOL,
    platformFee: SOL,
    totalAmount: SOL,
    transactionId: UNUSED_SIGNATURE,
  }),
  'POST /api/reports': ({ hiddenId }) => ({ kind: 'call', id: hiddenId, reason: 'scam' }),
  'POST /api/operators/actions': ({ callerId }) => ({
    action: 'verify',
    subjectId: callerId,
    reason: 'It looks right.',
  }),
  'POST /api/events/page-view': () => ({ path: '/' }),
};

/** The ids to insert for a path parameter. */
function idsOf(parameter: string, pathBefore: string, subject: Subject): readonly string[] {
  const { callerId, handle, hiddenId } = subject;
  const byFolder: Readonly<Record<string, readonly string[]>> = {
    caller: [callerId, handle],
    callers: [callerId, hiddenId],
    people: [callerId, subject.subscriberId],
    wallets: [subject.walletId],
    ways: [subject.sessionId, subject.apiKeyId],
    'telegram-chats': [subject.chatId],
  };
  const byName: Readonly<Record<string, readonly string[]>> = {
    id: byFolder[pathBefore.split('/').at(-2) ?? ''] ?? [hiddenId, subject.freeCallId],
    callerId: [callerId, hiddenId],
    usernameOrId: [callerId, handle, hiddenId],
    mint: [HIDDEN_MINT, MINTS.BONK, MINTS.JUP],
    sealed: [hiddenId],
    signature: [subject.signature],
    version: ['0'],
    token: ['unknown'],
  };
  const ids = byName[parameter];
  if (!ids) throw new Error(`access-rules.ts has no id for the parameter ${parameter}`);
  return ids;
}

/** Returns the paths of a pattern with every combination of ids for its parameters. */
function fillPath(pattern: string, subject: Subject): readonly string[] {
  const [found = '', parameter = ''] = /:(\w+)/.exec(pattern) ?? [];
  if (found === '') return [pattern];
  const [before = ''] = pattern.split(found, 1);
  return idsOf(parameter, before, subject).flatMap((id) => fillPath(pattern.replace(found, id), subject));
}

function requestsOf({ route, schemas }: DescribedRoute): AccessRule['requests'] {
  const [method = '', pattern = ''] = route.split(' ');
  const bodyOf = BODIES[route];
  if (schemas['json'] && !bodyOf) throw new Error(`access-rules.ts has no body for ${route}`);
  const mayHaveBody = method !== 'GET' && method !== 'DELETE';
  return (
    REQUESTS[route] ??
    ((subject) =>
      fillPath(pattern, subject).map((path) => ({
        path,
        ...(mayHaveBody && { body: bodyOf?.(subject) ?? {} }),
      })))
  );
}

/** Routes that show hidden data come first and pages last, so that the checks find most leaks early. */
function orderOf({ route, facts }: DescribedRoute): number {
  if (route in SHOWS) return 0;
  return 'summary' in facts ? 1 : 2;
}

/** The rules of all routes of the app. */
export const ACCESS_RULES: Readonly<Record<string, AccessRule>> = Object.fromEntries(
  ROUTES.toSorted((one, other) => orderOf(one) - orderOf(other)).map((described) => {
    const { route, facts } = described;
    const rule: AccessRule = {
      requests: requestsOf(described),
      session: facts.session,
      apiKey: facts.apiKey,
      shows: SHOWS[route] ?? {},
      isSameWithoutAccess: SAME_WITHOUT_ACCESS.has(route),
      dependsOnAccess: route === DEPENDS_ON_ACCESS,
      isSignOut: route === SIGN_OUT,
    };
    return [route, rule];
  }),
);

/** Rules for routes that don't exist. */
export const UNUSED_RULES = [SHOWS, REQUESTS, BODIES]
  .flatMap((each) => Object.keys(each))
  .concat(...SAME_WITHOUT_ACCESS, DEPENDS_ON_ACCESS, SIGN_OUT)
  .filter((route) => !(route in ACCESS_RULES));
