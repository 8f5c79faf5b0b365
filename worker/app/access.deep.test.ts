import { beforeEach, expect, it } from 'vitest';
import { checkAccess, type AccessOptions } from '#test/access/access-checks.ts';
import { checkAccessThroughCache } from '#test/access/access-through-cache.ts';
import { createAccessEnvironment, type AccessEnvironment } from '#test/access/access-environment.ts';
import { query } from '#test/database/database.ts';
import type { Services } from './services.ts';

// Requests every route as every viewer, then again with one check of the product removed at a time.

let environment: AccessEnvironment;

beforeEach(async () => {
  environment = await createAccessEnvironment();
});

interface Removal {
  readonly name: string;
  /** Replaces methods of the services, or returns a function that changes the responses. */
  readonly remove: (environment: AccessEnvironment) => Pick<AccessOptions, 'change'> | void;
}

/** A service's method with changed requests. */
const changed =
  <Request extends object, Result>(run: (request: Request) => Result, changes: Partial<Request>) =>
  (request: Request) =>
    run({ ...request, ...changes });

/** Gives every viewer's requests one person's id. */
const asIf = (
  person: 'owner' | 'subscriber',
  name: string,
  change: (services: Services, personId: string) => void,
): Removal => ({ name, remove: ({ app, ...people }) => change(app.services, people[person].id) });

const removals: readonly Removal[] = [
  {
    name: 'who may see active calls',
    remove: ({ app: { services } }) => {
      services.subscriptions.canSeeActiveCalls = () => Promise.resolve(true);
    },
  },
  {
    name: 'a session for the calls of Free callers',
    remove: ({ app: { services }, freeCaller }) => {
      const { canSeeActiveCalls } = services.subscriptions;
      services.subscriptions.canSeeActiveCalls = async (viewing) =>
        viewing.callerId === freeCaller.id || canSeeActiveCalls(viewing);
    },
  },
  asIf('owner', 'access to the list of active calls', ({ calls }, viewerId) => {
    calls.listActive = changed(calls.listActive, { viewerId });
  }),
  asIf('owner', 'access to active calls in the history', ({ calls }, viewerId) => {
    calls.listAll = changed(calls.listAll, { viewerId });
  }),
  asIf('owner', 'access to a call’s details, updates and quotes', ({ callDetails }, viewerId) => {
    callDetails.get = changed(callDetails.get, { viewerId });
  }),
  asIf('owner', 'access to the chart', ({ callDetails }, viewerId) => {
    callDetails.chart = changed(callDetails.chart, { viewerId });
  }),
  asIf('owner', 'access to the results of open calls', ({ callers }, viewerId) => {
    callers.statistics = changed(callers.statistics, { viewerId });
  }),
  asIf('owner', 'access to the icon of an active call', ({ images }, viewerId) => {
    images.activeCallIcon = changed(images.activeCallIcon, { viewerId });
  }),
  {
    name: 'whether a call has ended, for its public icon',
    remove: ({ app: { services }, owner }) => {
      services.images.endedCallIcon = (callId) =>
        services.images.activeCallIcon({ callId, viewerId: owner.id });
    },
  },
  {
    name: 'whether a call has ended, for its share image',
    remove: ({ app: { services }, subject }) => {
      const { drawCall } = services.shareImages;
      services.shareImages.drawCall = (id) => drawCall(id === subject.hiddenId ? subject.endedId : id);
    },
  },
  {
    name: 'whether a subscription has ended, for the list of followed callers’ calls',
    remove: ({ app: { services }, subscriber }) => {
      services.calls.listFollowed = services.calls.listFollowed.bind(null, subscriber.id);
    },
  },
  {
    name: 'whether a session has ended',
    remove: ({ app: { services }, owner, loggedOutCookie }) => {
      const { authenticate } = services.auth;
      services.auth.authenticate = async (token) =>
        loggedOutCookie.endsWith(`=${token}`)
          ? { id: 'ended', userId: owner.id, signedInAt: 0 }
          : authenticate(token);
    },
  },
  {
    name: 'whether a session exists',
    remove: ({ app: { services }, subscriber }) => {
      const { authenticate } = services.auth;
      services.auth.authenticate = async (token) =>
        (await authenticate(token)) ?? { id: 'invented', userId: subscriber.id, signedInAt: 0 };
    },
  },
  {
    name: 'whether an API key was revoked',
    remove: ({ app: { services }, owner }) => {
      services.apiKeys.authenticate = () =>
        Promise.resolve({ id: 'revoked', userId: owner.id, signedInAt: 0 });
    },
  },
  asIf('owner', 'ownership when a call is ended', ({ calls }, userId) => {
    calls.end = changed(calls.end, { userId });
  }),
  {
    name: 'ownership when a call is opened',
    remove: ({ app: { services } }) => {
      const { create } = services.calls;
      services.calls.create = ({ body }) => create({ userId: body.callerId, body });
    },
  },
  asIf('owner', 'ownership when an update is sent', ({ callUpdates }, userId) => {
    callUpdates.send = changed(callUpdates.send, { userId });
  }),
  asIf('owner', 'ownership when a wallet is removed', ({ wallets }, userId) => {
    wallets.remove = changed(wallets.remove, { userId });
  }),
  asIf('subscriber', 'ownership when a session is ended', ({ ways }, userId) => {
    ways.end = changed(ways.end, { userId });
  }),
  asIf('subscriber', 'ownership of a receipt', ({ receipts }, userId) => {
    receipts.find = changed(receipts.find, { userId });
  }),
  {
    name: 'who asks for a caller’s subscriptions',
    remove: ({ app: { services } }) => {
      const { listOfCaller } = services.subscriptions;
      services.subscriptions.listOfCaller = (request) =>
        listOfCaller({ ...request, userId: request.callerId });
    },
  },
  {
    name: 'which fields a public profile has',
    remove: ({ app: { services } }) => {
      const { profile } = services.callers;
      services.callers.profile = async (request) => {
        const { read, ...versioned } = await profile(request);
        const found = await read();
        const [user] = await query<{ email: string }>('SELECT email FROM users WHERE id = ?', found.id);
        return { ...versioned, read: () => Promise.resolve({ ...found, ...user }) };
      };
    },
  },
  {
    name: 'whether a price is public',
    remove: ({ app: { services } }) => {
      const { shownPrices } = services.prices;
      services.prices.shownPrices = async (request) => ({ ...(await shownPrices(request)), isPublic: true });
    },
  },
  {
    name: 'Cache-Control on responses that depend on the viewer',
    remove: () => ({ change: (response) => ({ ...response, cacheControl: 'public, max-age=10' }) }),
  },
  {
    name: 'that logs contain no user data',
    remove: ({ app: { services } }) => {
      const { current } = services.users;
      services.users.current = async (userId) => {
        const user = await current(userId);
        console.log(JSON.stringify(user));
        return user;
      };
    },
  },
];

it('every route shows every viewer only what they may see', async () => {
  const { checks, leaks } = await checkAccess(environment);
  expect(leaks).toEqual([]);
  expect(checks).toBeGreaterThan(45_000);
});

it.each(removals)('the access test fails if a check is removed: $name', async ({ remove }) => {
  const options = remove(environment) ?? {};
  const { leaks } = await checkAccess(environment, { ...options, untilFirst: true });
  expect(leaks).toHaveLength(1);
});

it('the access test fails if a shared cache stores private responses', async () => {
  const makePublic = ({ body, status, headers }: Response) =>
    new Response(body, {
      status,
      headers: [
        ...[...headers].filter(([name]) => name !== 'cache-control' && name !== 'ratelimit'),
        ['Cache-Control', 'public, max-age=10'],
      ],
    });
  const { leaks } = await checkAccessThroughCache({ environment, change: makePublic });
  const ofVisitors = leaks.filter((leak) => leak.startsWith('anonymous: '));
  expect(ofVisitors.some((leak) => leak.includes('/active'))).toBe(true);
  expect(ofVisitors.length).toBeGreaterThan(50);
});
