import { setTimeout as pause } from 'node:timers/promises';
import { Keypair } from '@solana/web3.js';
import { CALLER_SORTS, MAX_CALLS_PER_HOUR } from '#schema/constants/market.ts';
import { SECOND_MS } from '#schema/constants/time.ts';
import type { CallerListItem } from '#schema/contracts/callers.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import type { ErrorCode } from '#schema/contracts/errors.ts';
import type { TokenLookup } from '#schema/contracts/prices.ts';
import { tokens } from '#dev/stand-ins/market/tokens.ts';
import type { Environment } from '#dev/local/environment.ts';
import { readJson, type Viewer } from './client.ts';
import type { WatchedCall } from './hidden-calls.ts';
import type { Journey, Schedule } from './schedule.ts';
import { pay, type Payments } from './payments.ts';
import { addressOf, connectTelegram, proveWallet, signIn, type Caller, type People } from './people.ts';

interface Soak extends Payments {
  readonly environment: Environment;
  readonly people: People;
  readonly schedule: Schedule;
  /** The seeded callers and their ended calls. */
  readonly seeded: readonly CallerListItem[];
  /** Callers on whom the operator acts, so they may be hidden. */
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

export function listJourneys(soak: Soak): Journey[] {
  return [...listReads(soak), ...listSteps(soak)];
}

interface Choice {
  readonly kind: string;
  readonly weight: number;
  /** The candidates, one of whom sends the request. */
  readonly who: readonly Viewer[];
  readonly refusals?: readonly ErrorCode[];
}

/** Journeys of one GET request. Most send the ETag of the viewer's last response. */
function listReads({ client, random, people, seeded, ended, hidden }: Soak): Journey[] {
  const tags = new Map<string, string>();
  const { callers, followers, lapsed } = people;
  const everybody = [...callers, ...followers, ...lapsed];
  const visitors = Array.from({ length: VISITORS }, (_, index) => ({
    address: addressOf(FIRST_VISITOR + index),
  }));
  // Seven of ten requests come from visitors.
  const audiences = Array.from({ length: 10 }, (_, index) => (index < 7 ? visitors : everybody));
  const caller = () => random.pick(seeded);
  const call = () => random.pick(ended).id;
  const read = (
    { kind, weight, who, refusals = [] }: Omit<Choice, 'who'> & Partial<Pick<Choice, 'who'>>,
    paths: (viewer: Viewer) => readonly string[],
  ): Journey => ({
    kind,
    weight,
    async run() {
      const viewer = random.pick<Viewer>(who ?? random.pick(audiences));
      const choices = paths(viewer);
      if (choices.length === 0) return;
      const path = random.pick(choices);
      const key = `${viewer.id} ${path}`;
      const tag = random.share() < 0.8 ? tags.get(key) : undefined;
      const headers = tag === undefined ? {} : { 'If-None-Match': tag };
      const reply = await client.send({ kind, path, viewer, headers, refusals });
      const newTag = reply.headers.get('ETag');
      if (newTag !== null) tags.set(key, newTag);
    },
  });
  return [
    read({ kind: 'directory', weight: 12 }, () => [
      '/api/callers',
      `/api/callers?sort=${random.pick(CALLER_SORTS)}`,
      `/api/callers?search=${caller().firstName.slice(0, 3)}`,
      '/api/callers?paid=true&maxFee=0.5',
    ]),
    read({ kind: 'profile', weight: 10 }, () => [
      `/api/callers/${caller().twitterHandle}`,
      `/api/callers/${caller().twitterHandle}/statistics`,
      `/api/token-calls/caller/${random.pick(callers).id}`,
      `/api/token-calls/caller/${random.pick(callers).id}/history`,
      `/api/callers/${random.pick(callers).handle}`,
    ]),
    read({ kind: 'recent calls', weight: 8 }, () => [
      '/api/token-calls/ended',
      '/api/token-calls/ended?limit=20',
    ]),
    read({ kind: 'call', weight: 8 }, () => [
      `/api/token-calls/${call()}`,
      `/api/token-calls/${call()}/chart`,
    ]),
    read({ kind: 'page', weight: 8 }, () => [
      '/',
      '/recent-calls',
      `/caller/${caller().twitterHandle}`,
      `/call/${call()}`,
      '/terms',
    ]),
    read({ kind: 'feed and sitemap', weight: 4 }, () => [
      '/feeds/recent-calls.xml',
      `/caller/${caller().twitterHandle}/feed.xml`,
      `/caller/${random.pick(callers).handle}/feed.xml`,
      '/sitemap.xml',
    ]),
    read({ kind: 'share image', weight: 2, who: visitors }, () => [
      `/api/token-calls/${call()}/share.png`,
      `/api/callers/${caller().twitterHandle}/card.png`,
    ]),
    read({ kind: 'prices', weight: 8 }, () => [
      `/api/prices?mints=${[random.pick(ended).tokenMint, random.pick(ended).tokenMint].sort().join(',')}`,
      '/api/prices/sol',
    ]),
    read({ kind: 'health', weight: 0.5, who: visitors }, () => ['/api/health', '/api/health/ready']),
    read({ kind: 'dashboard', weight: 16, who: everybody }, () => [
      '/api/auth/user',
      '/api/subscriptions/my',
      '/api/user/notifications',
      '/api/user/wallets',
      '/api/user/ways',
      '/api/payments',
    ]),
    read({ kind: 'followed calls', weight: 16, who: everybody }, () => ['/api/subscriptions/calls']),
    read({ kind: "caller's dashboard", weight: 8, who: callers }, ({ id }) => [
      '/api/telegram/deliveries',
      '/api/payments/earnings',
      `/api/subscriptions/caller/${id}`,
      `/api/token-calls/caller/${id}/active`,
    ]),
    read(
      {
        kind: 'hidden call',
        weight: 4,
        who: [...visitors.slice(0, 20), ...lapsed, ...everybody],
        refusals: HIDDEN_REFUSALS,
      },
      () =>
        hidden
          .listHidden()
          .flatMap(({ id, callerId }) => [
            `/api/token-calls/${id}`,
            `/api/token-calls/${id}/chart`,
            `/api/token-calls/${id}/share.png`,
            `/call/${id}`,
            `/api/images/active-calls/${id}`,
            `/api/token-calls/caller/${callerId}/active`,
            `/api/token-calls/caller/${callerId}`,
          ]),
    ),
  ];
}

type SendRequest = readonly [method: string, path: string, body?: unknown];

/** Journeys that write. */
function listSteps(soak: Soak): Journey[] {
  const { client, random, people, seeded, moderated, ended, environment } = soak;
  const { callers, followers, operator } = people;
  const paid = callers.filter(({ isFree }) => !isFree);
  const free = callers.filter(({ isFree }) => isFree);
  const paying = new Set<string>();
  let newcomers = 0;
  const send = (
    kind: string,
    viewer: Viewer,
    [method, path, body]: SendRequest,
    refusals: readonly ErrorCode[] = [],
  ) => client.send({ kind, method, path, viewer, refusals, ...(body === undefined ? {} : { body }) });
  /** A person from the list sends one of these requests. */
  const one = (
    { kind, weight, who, refusals }: Omit<Journey, 'run'> & Pick<Choice, 'who' | 'refusals'>,
    requests: () => readonly SendRequest[],
  ): Journey => ({
    kind,
    weight,
    run: () => send(kind, random.pick(who), random.pick(requests()), refusals),
  });
  const act = (action: string, more = {}): SendRequest => {
    const body = { action, subjectId: random.pick(moderated).id, reason: 'Part of the load test.', ...more };
    return ['POST', '/api/operators/actions', body];
  };
  return [
    { kind: 'call opened and ended', weight: 1, run: () => openAndEnd(soak) },
    { kind: 'update', weight: 1, run: () => sendUpdate(soak) },
    one({ kind: 'follow', weight: 2, who: followers, refusals: ['subscriptions.not_found'] }, () => [
      ['POST', '/api/subscriptions/free', { callerId: random.pick(free).id }],
      ['DELETE', `/api/subscriptions/free/${random.pick(free).id}`],
    ]),
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
        proveWallet(
          { client, environment, kind: 'wallet proof' },
          random.pick(followers),
          Keypair.generate(),
        ),
    },
    one({ kind: 'wallet history', weight: 0.5, who: followers }, () => [
      ['GET', '/api/wallet/balances'],
      ['GET', '/api/wallet/transactions'],
    ]),
    {
      kind: 'telegram',
      weight: 0.5,
      run: () => connectTelegram({ client, environment, kind: 'telegram' }, random.pick(followers)),
    },
    one({ kind: 'settings', weight: 1, who: followers }, () => [
      ['PATCH', '/api/user/notifications', { kind: 'call_update', isOn: random.share() < 0.8 }],
      ['PUT', `/api/user/notifications/mutes/${random.pick(callers).id}`],
      ['DELETE', `/api/user/notifications/mutes/${random.pick(callers).id}`],
    ]),
    one({ kind: 'report', weight: 0.3, who: followers, refusals: ['reports.too_many'] }, () => {
      const reason = { reason: 'other', text: 'Looks odd.' };
      return [
        ['POST', '/api/reports', { kind: 'caller', id: random.pick(seeded).id, ...reason }],
        ['POST', '/api/reports', { kind: 'call', id: random.pick(ended).id, ...reason }],
      ];
    }),
    one({ kind: 'operator', weight: 1, who: [operator], refusals: ['operators.subject_not_found'] }, () => [
      ['GET', '/api/operators/now'],
      ['GET', '/api/operators/audit'],
      ['GET', `/api/operators/search?search=${random.pick(moderated).twitterHandle}`],
      ...['verify', 'unverify', 'suspend', 'unsuspend', 'hide_caller', 'show_caller'].map((each) =>
        act(each),
      ),
      act('hide_text', { kind: 'bio' }),
      act('show_text', { kind: 'bio' }),
      act('resolve_reports', { kind: 'caller' }),
    ]),
    one(
      {
        kind: 'export',
        weight: 0.15,
        who: [...followers, ...callers],
        refusals: ['account.too_many_exports'],
      },
      () => [['GET', '/api/user/export']],
    ),
    one({ kind: 'earnings as CSV', weight: 0.2, who: callers }, () => [
      ['GET', '/api/payments/earnings.csv'],
    ]),
    one({ kind: 'token search', weight: 0.5, who: callers, refusals: ['tokens.too_many_searches'] }, () => [
      ['GET', `/api/tokens/search?q=${random.pick(LIQUID).symbol.slice(0, 4).padEnd(2, 'a')}`],
    ]),
    {
      kind: 'newcomer',
      weight: 0.3,
      run: async () => {
        const number = (newcomers += 1);
        const address = addressOf(FIRST_VISITOR + VISITORS + number);
        const setup = { client, environment, kind: 'newcomer' };
        const person = await signIn(setup, { handle: `newcomer_${number}`, address });
        if (!person) return;
        const follow = { callerId: random.pick(free).id };
        await send('newcomer', person, ['POST', '/api/subscriptions/free', follow]);
        const isLeaving = random.share() < 0.5;
        const { handle } = person;
        if (isLeaving) await send('newcomer', person, ['POST', '/api/user/deletion', { handle }]);
      },
    },
  ];
}

async function sendUpdate({ client, random, people }: Soak): Promise<void> {
  const caller = random.pick(people.callers);
  const [call] = caller.active;
  if (call?.id === undefined || call.mayBePublic) return;
  await client.send({
    kind: 'update',
    method: 'POST',
    path: '/api/telegram/send-update',
    viewer: caller,
    body: { callId: call.id, message: `Half off. ${call.word} ${random.between(1, 1_000_000)}` },
    refusals: ['updates.too_many', 'calls.already_ended'],
  });
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
