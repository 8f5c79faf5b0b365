import { setTimeout as pause } from 'node:timers/promises';
import { Keypair } from '@solana/web3.js';
import { CALLER_SORTS, MAX_CALLS_PER_HOUR, SECOND_MS } from '#schema/constants.ts';
import type { CallerListItem } from '#schema/contracts/callers.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import type { ErrorCode } from '#schema/contracts/errors.ts';
import type { TokenLookup } from '#schema/contracts/prices.ts';
import { tokens } from '#dev/market/tokens.ts';
import type { World } from '#dev/world.ts';
import { readJson, type Viewer } from './client.ts';
import type { WatchedCall } from './hidden-calls.ts';
import type { Journey, Schedule } from './schedule.ts';
import { pay, type Payments } from './payments.ts';
import { addressOf, connectTelegram, proveWallet, signIn, type Caller, type People } from './people.ts';

interface Soak extends Payments {
  readonly world: World;
  readonly people: People;
  readonly schedule: Schedule;
  /** The seeded callers and their ended calls. */
  readonly seeded: readonly CallerListItem[];
  /** The operator acts on these, so they may be hidden. */
  readonly moderated: readonly CallerListItem[];
  readonly ended: readonly TokenCall[];
}

const VISITORS = 400;
const FIRST_VISITOR = 2_000;
const OPEN_FOR_MS = [20 * SECOND_MS, 240 * SECOND_MS] as const;
const LIQUID = tokens.filter(({ isReal, symbol }) => isReal && symbol !== 'SOL' && symbol !== 'USDC');
/** A price source may fail, or its price may move, while a caller decides. */
const PRICE_REFUSALS: readonly ErrorCode[] = ['prices.disagree', 'prices.missing', 'calls.price_moved'];
const HIDDEN_REFUSALS: readonly ErrorCode[] = [
  'calls.not_found',
  'calls.not_entitled',
  'auth.required',
  'images.not_found',
  'request.not_found',
];

interface Get {
  readonly kind: string;
  readonly path: string;
  readonly viewer: Viewer;
  readonly refusals?: readonly ErrorCode[];
}

export function listJourneys(soak: Soak): Journey[] {
  return [...listReads(soak), ...listSteps(soak)];
}

/** One GET each. Most of them send the ETag of the viewer's last response. */
function listReads({ client, random, people, seeded, ended, hidden }: Soak): Journey[] {
  const tags = new Map<string, string>();
  const everybody = [...people.callers, ...people.followers, ...people.lapsed];
  const visitor = (): Viewer => ({ address: addressOf(FIRST_VISITOR + random.between(0, VISITORS - 1)) });
  const someone = (): Viewer => (random.share() < 0.7 ? visitor() : random.pick(everybody));
  const caller = () => random.pick(seeded);
  const call = () => random.pick(ended).id;
  const get = async ({ path, viewer, ...rest }: Get) => {
    const key = `${viewer.id} ${path}`;
    const tag = random.share() < 0.8 ? tags.get(key) : undefined;
    const headers = tag === undefined ? {} : { 'If-None-Match': tag };
    const reply = await client.send({ path, viewer, headers, ...rest });
    const newTag = reply.headers.get('ETag');
    if (newTag !== null) tags.set(key, newTag);
  };
  const read = (kind: string, weight: number, paths: () => readonly string[], viewer = someone): Journey => ({
    kind,
    weight,
    run: () => get({ kind, path: random.pick(paths()), viewer: viewer() }),
  });
  return [
    read('directory', 12, () => [
      '/api/callers',
      `/api/callers?sort=${random.pick(CALLER_SORTS)}`,
      `/api/callers?search=${caller().firstName.slice(0, 3)}`,
      '/api/callers?paid=true&maxFee=0.5',
    ]),
    read('profile', 10, () => [
      `/api/callers/${caller().twitterHandle}`,
      `/api/callers/${caller().twitterHandle}/statistics`,
      `/api/token-calls/caller/${random.pick(people.callers).id}`,
      `/api/token-calls/caller/${random.pick(people.callers).id}/history`,
      `/api/callers/${random.pick(people.callers).handle}`,
    ]),
    read('recent calls', 8, () => ['/api/token-calls/ended', '/api/token-calls/ended?limit=20']),
    read('call', 8, () => [`/api/token-calls/${call()}`, `/api/token-calls/${call()}/chart`]),
    read('page', 8, () => [
      '/',
      '/recent-calls',
      `/caller/${caller().twitterHandle}`,
      `/call/${call()}`,
      '/terms',
    ]),
    read('feed and sitemap', 4, () => [
      '/feeds/recent-calls.xml',
      `/caller/${caller().twitterHandle}/feed.xml`,
      `/caller/${random.pick(people.callers).handle}/feed.xml`,
      '/sitemap.xml',
    ]),
    read(
      'share image',
      2,
      () => [`/api/token-calls/${call()}/share.png`, `/api/callers/${caller().twitterHandle}/card.png`],
      visitor,
    ),
    read('prices', 8, () => [
      `/api/prices?mints=${[random.pick(ended).tokenMint, random.pick(ended).tokenMint].sort().join(',')}`,
      '/api/prices/sol',
    ]),
    read('health', 0.5, () => ['/api/health', '/api/health/ready'], visitor),
    read(
      'dashboard',
      16,
      () => [
        '/api/auth/user',
        '/api/subscriptions/my',
        '/api/user/notifications',
        '/api/user/wallets',
        '/api/user/sessions',
        '/api/payments',
      ],
      () => random.pick(everybody),
    ),
    read(
      'followed calls',
      16,
      () => ['/api/subscriptions/calls'],
      () => random.pick(everybody),
    ),
    {
      kind: "caller's dashboard",
      weight: 8,
      run: async () => {
        const viewer = random.pick(people.callers);
        const own = [
          '/api/telegram/deliveries',
          '/api/payments/earnings',
          `/api/subscriptions/caller/${viewer.id}`,
        ];
        const path = random.pick([...own, `/api/token-calls/caller/${viewer.id}/active`]);
        await get({ kind: "caller's dashboard", path, viewer });
      },
    },
    {
      kind: 'hidden call',
      weight: 4,
      run: async () => {
        const calls = hidden.listHidden();
        if (calls.length === 0) return;
        const { id, callerId } = random.pick(calls);
        const api = `/api/token-calls/${id}`;
        const paths = [
          api,
          `${api}/chart`,
          `${api}/share.png`,
          `/call/${id}`,
          `/api/images/active-calls/${id}`,
        ];
        const path = random.pick([
          ...paths,
          `/api/token-calls/caller/${callerId}/active`,
          `/api/token-calls/caller/${callerId}`,
        ]);
        const viewer = random.pick([visitor(), random.pick(people.lapsed), random.pick(everybody)]);
        await get({ kind: 'hidden call', path, viewer, refusals: HIDDEN_REFUSALS });
      },
    },
  ];
}

/** Journeys of several requests. */
function listSteps(soak: Soak): Journey[] {
  const { client, random, people, seeded, world } = soak;
  const { callers, followers, operator } = people;
  const paid = callers.filter(({ isFree }) => !isFree);
  const free = callers.filter(({ isFree }) => isFree);
  const paying = new Set<string>();
  let newcomers = 0;
  const as = (kind: string, viewer: Viewer) => ({
    send: (method: string, path: string, body?: unknown, refusals: readonly ErrorCode[] = []) =>
      client.send({ kind, method, path, viewer, refusals, ...(body === undefined ? {} : { body }) }),
  });
  return [
    { kind: 'call opened and ended', weight: 1, run: () => openAndEnd(soak) },
    {
      kind: 'update',
      weight: 1,
      run: async () => {
        const caller = random.pick(callers);
        const [call] = caller.active;
        if (call?.id === undefined || call.mayBePublic) return;
        const message = `Half off. ${call.word} ${random.between(1, 1_000_000)}`;
        const body = { callId: call.id, message };
        await as('update', caller).send('POST', '/api/telegram/send-update', body, [
          'updates.too_many',
          'calls.already_ended',
        ]);
      },
    },
    {
      kind: 'follow',
      weight: 2,
      run: async () => {
        const [person, caller] = [as('follow', random.pick(followers)), random.pick(free)];
        const follow = () => person.send('POST', '/api/subscriptions/free', { callerId: caller.id });
        const unfollow = () =>
          person.send('DELETE', `/api/subscriptions/free/${caller.id}`, undefined, [
            'subscriptions.not_found',
          ]);
        await random.pick([follow, unfollow])();
      },
    },
    {
      kind: 'payment',
      weight: 1.2,
      run: async () => {
        const [person, caller] = [random.pick(followers), random.pick(paid)];
        const pair = `${person.id} ${caller.id}`;
        if (paying.has(pair)) return;
        paying.add(pair);
        await pay(soak, { person, caller }).finally(() => paying.delete(pair));
      },
    },
    {
      kind: 'wallet proof',
      weight: 0.5,
      run: () =>
        proveWallet({ client, world, kind: 'wallet proof' }, random.pick(followers), Keypair.generate()),
    },
    {
      kind: 'wallet history',
      weight: 0.5,
      run: () =>
        as('wallet history', random.pick(followers)).send(
          'GET',
          random.pick(['/api/wallet/balances', '/api/wallet/transactions']),
        ),
    },
    {
      kind: 'telegram',
      weight: 0.5,
      run: () => connectTelegram({ client, world, kind: 'telegram' }, random.pick(followers)),
    },
    {
      kind: 'settings',
      weight: 1,
      run: async () => {
        const person = as('settings', random.pick(followers));
        const mute = `/api/user/notifications/mutes/${random.pick(callers).id}`;
        const change = { kind: 'call_update', isOn: random.share() < 0.8 };
        await random.pick([
          () => person.send('PATCH', '/api/user/notifications', change),
          () => person.send('PUT', mute),
          () => person.send('DELETE', mute),
        ])();
      },
    },
    {
      kind: 'report',
      weight: 0.3,
      run: () => {
        const kind = random.pick(['caller', 'call'] as const);
        const { id } = kind === 'caller' ? random.pick(seeded) : random.pick(soak.ended);
        const body = { kind, id, reason: 'other', text: 'Looks odd.' };
        return as('report', random.pick(followers)).send('POST', '/api/reports', body, ['reports.too_many']);
      },
    },
    {
      kind: 'operator',
      weight: 1,
      run: async () => {
        const person = as('operator', operator);
        const { id, twitterHandle } = random.pick(soak.moderated);
        const act = (action: string, more = {}) => {
          const body = { action, subjectId: id, reason: 'Part of the soak.', ...more };
          return person.send('POST', '/api/operators/actions', body, ['operators.subject_not_found']);
        };
        await random.pick([
          () => person.send('GET', '/api/operators/overview'),
          () => person.send('GET', '/api/operators/audit'),
          () => person.send('GET', `/api/operators/people?search=${twitterHandle}`),
          () =>
            act(
              random.pick([
                'verify',
                'unverify',
                'suspend',
                'unsuspend',
                'hide_caller',
                'show_caller',
                'rebuild_statistics',
              ]),
            ),
          () => act(random.pick(['hide_text', 'show_text']), { kind: 'bio' }),
          () => act('resolve_reports', { kind: 'caller' }),
        ])();
      },
    },
    {
      kind: 'export',
      weight: 0.15,
      run: async () => {
        const reply = await as('export', random.pick([...followers, ...callers])).send(
          'GET',
          '/api/user/export',
          undefined,
          ['account.too_many_exports'],
        );
        readJson(reply);
      },
    },
    {
      kind: 'earnings as CSV',
      weight: 0.2,
      run: () => as('earnings as CSV', random.pick(callers)).send('GET', '/api/payments/earnings.csv'),
    },
    {
      kind: 'token search',
      weight: 0.5,
      run: () =>
        as('token search', random.pick(callers)).send(
          'GET',
          `/api/tokens/search?q=${random.pick(LIQUID).symbol.slice(0, 4).padEnd(2, 'a')}`,
          undefined,
          ['tokens.too_many_searches'],
        ),
    },
    {
      kind: 'newcomer',
      weight: 0.3,
      run: async () => {
        const number = (newcomers += 1);
        const address = addressOf(FIRST_VISITOR + VISITORS + number);
        const person = await signIn(
          { client, world, kind: 'newcomer' },
          { handle: `newcomer_${number}`, address },
        );
        if (!person) return;
        await as('newcomer', person).send('POST', '/api/subscriptions/free', {
          callerId: random.pick(free).id,
        });
        const isLeaving = random.share() < 0.5;
        if (!isLeaving) return;
        await as('newcomer', person).send('POST', '/api/user/deletion', { handle: person.handle });
      },
    },
    { kind: 'bad input', weight: 3, run: () => sendNonsense(soak) },
  ];
}

/** Looks a token up, calls it, and ends the call after a while. */
async function openAndEnd({ client, random, people, hidden, schedule }: Soak): Promise<void> {
  const kind = 'call opened and ended';
  const caller = random.pick(people.callers);
  if (caller.opened >= MAX_CALLS_PER_HOUR) return;
  const { mint, symbol, name } = random.pick(LIQUID);
  const looked = await client.send({
    kind,
    path: `/api/tokens/${mint}`,
    viewer: caller,
    refusals: ['tokens.too_many_lookups'],
  });
  const price = readJson<TokenLookup>(looked)?.price;
  if (price === null || price === undefined) return;
  const call = hidden.add({ callerId: caller.id, isFree: caller.isFree });
  const token = { tokenMint: mint, tokenSymbol: symbol, tokenName: name, entryPrice: price };
  const body = { ...token, callerId: caller.id, thesis: `A cat with ${call.word}.` };
  caller.opened += 1;
  const made = readJson<TokenCall>(
    await client.send({
      kind,
      method: 'POST',
      path: '/api/token-calls',
      viewer: caller,
      body,
      refusals: [...PRICE_REFUSALS, 'calls.already_called', 'calls.too_many', 'calls.too_many_attempts'],
    }),
  );
  if (!made) return;
  hidden.opened(call, made.id);
  caller.active.add(call);
  if (await schedule.pause(random.between(...OPEN_FOR_MS))) await endCall(client, caller, call);
}

async function endCall(client: Soak['client'], caller: Caller, call: WatchedCall): Promise<void> {
  call.mayBePublic = true;
  caller.active.delete(call);
  const path = `/api/token-calls/${call.id}/end`;
  const refusals = [...PRICE_REFUSALS, 'calls.too_many_attempts' as const, 'calls.already_ended' as const];
  const ended = await client.send({
    kind: 'call opened and ended',
    method: 'PATCH',
    path,
    viewer: caller,
    refusals,
  });
  if (ended.status === 200) return;
  await pause(10 * SECOND_MS);
  await client.send({ kind: 'call opened and ended', method: 'PATCH', path, viewer: caller, refusals });
}

/** Requests that no page sends. */
async function sendNonsense({ client, random, people, ended }: Soak): Promise<void> {
  const viewer = random.pick<Viewer>([random.pick(people.followers), { address: addressOf(FIRST_VISITOR) }]);
  const mint = random.pick(ended).tokenMint;
  const nonsense: readonly [string, string, unknown?][] = [
    ['GET', '/api/callers?limit=-1'],
    ['GET', '/api/callers?cursor=%00%ff'],
    ['GET', `/api/callers/${'x'.repeat(300)}`],
    ['GET', '/api/token-calls/%2e%2e%2f'],
    ['GET', `/api/prices?mints=${`${mint},`.repeat(3)}x`],
    ['GET', '/api/nothing'],
    ['POST', '/api/subscriptions', '{"callerId":'],
    ['POST', '/api/subscriptions', { callerId: null, totalAmount: '1e9' }],
    ['POST', '/api/solana/send-transaction', { transaction: 'AAAA' }],
    ['POST', '/api/solana/confirm-transaction', { signature: '1'.repeat(88) }],
    ['POST', '/api/token-calls', { tokenMint: mint, entryPrice: '-1' }],
    ['PATCH', `/api/token-calls/${random.pick(ended).id}/end`],
    ['POST', '/api/telegram/webhook', { update_id: 1 }],
    ['POST', '/api/user/wallets', { walletAddress: mint, signature: 'AAAA' }],
    ['POST', '/api/operators/actions', { action: 'verify', subjectId: 'x', reason: 'Nobody may.' }],
    ['DELETE', '/api/user/sessions/unknown'],
  ];
  const [method, path, body] = random.pick(nonsense);
  const refusals: ErrorCode[] = [
    'request.invalid',
    'request.not_found',
    'auth.required',
    'callers.not_found',
    'calls.not_found',
    'calls.not_yours',
    'calls.already_ended',
    'payments.transaction_invalid',
    'payments.intent_missing',
    'telegram.secret_invalid',
    'wallets.challenge_invalid',
    'wallets.signature_invalid',
    'sessions.not_found',
    'users.not_a_caller',
  ];
  await client.send({
    kind: 'bad input',
    method,
    path,
    viewer,
    refusals,
    ...(body === undefined ? {} : { body }),
  });
}
