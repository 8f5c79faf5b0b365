import { beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS, MINUTE_MS } from '#schema/constants.ts';
import type { SavedWallet } from '#schema/contracts/wallets.ts';
import { readAnswer } from '../test-support/answers.ts';
import { callBody, createPaidCaller, makeCall, MINTS } from '../test-support/callers.ts';
import { createFundedWallet } from '../test-support/chain.ts';
import { pay } from '../test-support/payments.ts';
import { listRoutes } from '../test-support/routes.ts';
import { createTestApp, type Person, type TestApp } from '../test-support/test-app.ts';

// If a route takes an id, it must answer the same for another person’s data and for an id that doesn't exist.

const KINDS = ['call', 'wallet', 'session', 'payment', 'user'] as const;
type Kind = (typeof KINDS)[number];
type Ids = Readonly<Record<Kind, string>>;

/** A valid signature that no transaction has. */
const UNKNOWN_SIGNATURE = '5'.repeat(87);
const unknownIds = (): Ids => ({
  call: crypto.randomUUID(),
  wallet: crypto.randomUUID(),
  session: crypto.randomUUID(),
  payment: UNKNOWN_SIGNATURE,
  user: crypto.randomUUID(),
});

/** The routes whose body has an id, and the body. */
const bodies: Readonly<Record<string, (ids: Ids, kind: Kind, caller: Person) => object | null>> = {
  'POST /api/telegram/send-update': (ids, kind) => ({ callId: ids[kind], message: 'Mine.' }),
  'POST /api/token-calls': (ids, kind, caller) => ({
    ...callBody({ caller, mint: MINTS.BONK, entryPrice: '1' }),
    callerId: ids[kind],
  }),
  'POST /api/subscriptions/free': (ids, kind) => ({ callerId: ids[kind] }),
  'POST /api/solana/get-latest-blockhash': (ids, kind) => ({ callerId: ids[kind] }),
  'POST /api/solana/confirm-transaction': (ids) => ({ signature: ids.payment }),
  'POST /api/reports': (ids, kind) => ({ kind: 'call', id: ids[kind], reason: 'scam' }),
};
const withoutIds: readonly string[] = [
  'DELETE /api/user/push',
  'DELETE /api/user/sessions',
  'DELETE /api/user/telegram-disconnect',
  'DELETE /api/user/x-posting',
  'PATCH /api/user/caller-profile',
  'PATCH /api/user/notifications',
  'PATCH /api/user/profile',
  'POST /api/events/page-view',
  'PUT /api/user/push',
  // Nobody here is an operator.
  'POST /api/operators/actions',
  'POST /api/solana/send-transaction',
  // A claim names a transaction, and the chain shows everybody who was paid by it.
  'POST /api/subscriptions',
  'POST /api/telegram/webhook',
  'POST /api/twitter-post',
  'POST /api/user/acceptances',
  'POST /api/user/deletion',
  'POST /api/user/become-caller',
  'POST /api/user/telegram-connect',
  'POST /api/user/wallets',
  'POST /api/user/wallets/challenge',
];
const isSitemap = (route: string) => route.includes('{sitemap');
const routesWithIds = listRoutes().filter(
  (route) => (route.includes('/:') && !isSitemap(route)) || route in bodies,
);

let app: TestApp;
let caller: Person;
let foreign: Ids;

beforeEach(async () => {
  app = await createTestApp();
  ({ caller } = await createPaidCaller(app, { handle: 'keeper_of_calls' }));
  const call = await makeCall({ caller, mint: MINTS.WIF, price: 3 });
  const subscriber = await app.signIn('subscriber');
  const { signature } = await pay({
    person: subscriber,
    payer: await createFundedWallet(),
    callerId: caller.id,
  });
  const walletAddress = (await createFundedWallet(0)).publicKey.toBase58();
  const wallet = await readAnswer<SavedWallet>(subscriber.post('/api/user/wallets', { walletAddress }), 201);
  const [session] = await readAnswer<{ id: string }[]>(subscriber.get('/api/user/sessions'));
  foreign = {
    call: call.id,
    wallet: wallet.id,
    session: session?.id ?? '',
    payment: signature,
    user: subscriber.id,
  };
});

const viewers: Readonly<Record<string, () => Promise<string | undefined>>> = {
  'an anonymous visitor': async () => undefined,
  'a signed-in stranger': async () => (await app.signIn('stranger')).cookie,
  'a former subscriber': async () => {
    const lapsed = await app.signIn('lapsed');
    await pay({ person: lapsed, payer: await createFundedWallet(), callerId: caller.id });
    await app.advance(30 * DAY_MS);
    return (await app.signIn('lapsed')).cookie;
  },
};

/** Returns the answer without the request's id in it. */
async function ask(
  route: string,
  { ids, kind, cookie }: { ids: Ids; kind: Kind; cookie: string | undefined },
) {
  await app.advance(MINUTE_MS);
  const [method = '', pattern = ''] = route.split(' ');
  const path = pattern.replace(/:version/g, '0').replace(/:\w+/g, ids[kind]);
  const body = bodies[route]?.(ids, kind, caller);
  const answer = await app.request(path, {
    method,
    ...(body ? { body, headers: { 'Content-Type': 'application/json' } } : {}),
    ...(cookie === undefined ? {} : { cookie }),
  });
  const text = `${JSON.stringify([...answer.headers])} ${await answer.text()}`;
  return { status: answer.status, text: text.replaceAll(ids[kind], 'ID') };
}

describe('another person’s data', () => {
  it('is requested in these tests on every route that takes an id', () => {
    const known = new Set([...routesWithIds, ...withoutIds]);
    const unknown = listRoutes().filter((route) => !known.has(route) && !route.startsWith('GET '));
    expect(unknown).toEqual([]);
    expect([...known].filter((route) => !listRoutes().includes(route))).toEqual([]);
  });

  it.each(Object.entries(viewers))(
    'looks the same as something that does not exist to %s',
    async (_name, signIn) => {
      const cookie = await signIn();
      const unknown = unknownIds();
      for (const route of routesWithIds) {
        for (const kind of KINDS) {
          const missing = await ask(route, { ids: unknown, kind, cookie });
          const hidden = await ask(route, { ids: foreign, kind, cookie });
          expect(hidden, `${route} with the id of a ${kind}`).toEqual(missing);
          expect(hidden.status, route).toBeLessThan(500);
        }
      }
    },
  );
});
