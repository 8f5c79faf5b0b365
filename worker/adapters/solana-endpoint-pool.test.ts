import { afterEach, beforeEach, describe, expect, it, vi, type MockInstance } from 'vitest';
import { PortUnavailableError, WrongClusterError } from '../ports/unavailable.ts';
import type { Chain } from './solana-rpc.ts';
import {
  stubChain,
  STUB_GENESIS,
  STUB_KEY,
  type StubResponse,
  type StubResponses,
} from '#test/payments/stub-solana.ts';
import { createEndpointPool, type EndpointPool } from './solana-endpoint-pool.ts';
import { systemClock } from './system-clock.ts';

const METHOD = 'getMinimumBalanceForRentExemption';
const OTHER_CLUSTER = '4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY';
const rent = (lamports: number) => ({ [METHOD]: { result: lamports } });
const failing = (...responses: StubResponse[]): StubResponses => ({ [METHOD]: responses });
const P = `primary ${METHOD}`;
const F = `fallback ${METHOD}`;

let logged: MockInstance[];
beforeEach(() => {
  logged = [vi.spyOn(console, 'warn').mockReturnValue(), vi.spyOn(console, 'error').mockReturnValue()];
});
afterEach(() => {
  expect(JSON.stringify(logged.map(({ mock }) => mock.calls))).not.toContain(STUB_KEY);
});
const logLines = () =>
  logged.flatMap(({ mock }) =>
    mock.calls.map(([line]) => JSON.parse(String(line)) as Record<string, unknown>),
  );

const READ = 'getSignaturesForAddress';
const unseen: StubResponses = { [READ]: { result: [] } };
const ADDRESS = '11111111111111111111111111111111';
const SIGNATURE = '1'.repeat(64);
const unknown = { getSignatureStatuses: { result: { context: { slot: 1 }, value: [null] } } };

it('a result that may be incomplete is requested once from each endpoint', async () => {
  const { chain, requests } = stubChain({ primary: unseen, fallback: unseen });
  expect(await chain.signaturesFor(ADDRESS)).toEqual([]);
  expect(requests()).toEqual([`primary ${READ}`, `fallback ${READ}`]);
  const states = stubChain({ primary: unknown, fallback: { getSignatureStatuses: 'cut' } });
  expect(await states.chain.signatureStates([SIGNATURE])).toEqual([{ status: 'unknown' }]);
  expect(states.requests()).toEqual(['primary getSignatureStatuses', 'fallback getSignatureStatuses']);
});

it('an empty list of signatures is not checked with the second endpoint while that endpoint is down', async () => {
  const { chain, requests, advance } = stubChain({ primary: unseen, fallback: { [READ]: 'cut' } });
  for (let count = 0; count < 3; count++) await chain.signaturesFor(ADDRESS);
  expect(requests()).toEqual([`primary ${READ}`, `fallback ${READ}`, `primary ${READ}`, `primary ${READ}`]);
  advance(30_001);
  await chain.signaturesFor(ADDRESS);
  expect(requests().at(-1)).toBe(`fallback ${READ}`);
});

it.each([
  ['is 150 slots behind', { result: 850 }, null],
  ['is over 150 slots behind', { result: 849 }, 'the fallback endpoint is 151 slots behind'],
  ['refuses the key', { status: 401 }, 'EndpointError: the fallback endpoint answered 401'],
  ['cuts connections', 'cut', 'EndpointError: the fallback endpoint did not respond (TypeError)'],
] as const)('a fallback that %s (%j) is reported with the failure %j', async (_what, response, failure) => {
  const { chain } = stubChain({ primary: { getSlot: { result: 1_000 } }, fallback: { getSlot: response } });
  expect(await chain.endpointStates()).toEqual([
    { endpoint: 'primary', failure: null },
    { endpoint: 'fallback', failure },
  ]);
});

it('simultaneous calls of blockHeight send one request each', async () => {
  const { chain, requests } = stubChain({ primary: { getBlockHeight: { result: 9 } }, fallback: {} });
  expect(await Promise.all([chain.blockHeight(), chain.blockHeight()])).toEqual([9, 9]);
  expect(requests()).toEqual(['primary getBlockHeight', 'primary getBlockHeight']);
});

const healthy: StubResponses = { [READ]: { result: [] }, getSlot: { result: 7 }, ...rent(1) };

it.each<[string, (chain: Chain) => Promise<unknown>]>([
  ['signaturesFor', (chain) => chain.signaturesFor('z'.repeat(44))],
  ['newestSignatures', (chain) => chain.newestSignatures({ address: 'z'.repeat(44), limit: 1 })],
  ['finalizedPage', (chain) => chain.finalizedPage({ address: 'z'.repeat(44), before: null, positions: [] })],
  ['tokenHoldings', (chain) => chain.tokenHoldings('z'.repeat(44))],
  ['balances', (chain) => chain.balances(['z'.repeat(44)])],
])(
  '%s with an invalid address throws before any request and marks no endpoint as down',
  async (_name, sendRequest) => {
    const { chain, requests } = stubChain({ primary: healthy, fallback: healthy });
    await expect(sendRequest(chain)).rejects.not.toBeInstanceOf(PortUnavailableError);
    expect(requests()).toEqual([]);
    await chain.rentExemptMinimum();
    expect(requests()).toEqual([P]);
    expect(logLines()).toEqual([]);
  },
);

it.each<[string, (pool: EndpointPool, request: () => Promise<never>) => Promise<unknown>]>([
  ['sendRequest', (pool, request) => pool.sendRequest(request)],
  ['requestAll', (pool, request) => pool.requestAll(request)],
  ['requestEach', (pool, request) => pool.requestEach(request)],
  ['requestUntil', (pool, request) => pool.requestUntil(request, () => true)],
])('%s throws an error of our own unchanged and marks no endpoint as down', async (_name, sendRequest) => {
  const bug = new TypeError('Cannot read properties of undefined');
  const pool = createEndpointPool({
    urls: { primary: 'https://one.example', fallback: 'https://two.example' },
    genesisHash: STUB_GENESIS,
    clock: systemClock,
    fetch: async (_input, init) => {
      const { id } = JSON.parse(String(init?.body)) as { id: unknown };
      return Response.json({ jsonrpc: '2.0', id, result: STUB_GENESIS });
    },
  });
  await expect(sendRequest(pool, () => Promise.reject(bug))).rejects.toBe(bug);
  expect(logLines()).toEqual([]);
});

it.each<[string, StubResponse]>([
  ['an entry of the wrong type', { result: [{ signature: 1 }] }],
  ['a page instead of JSON', { status: 200, body: '<html>' }],
])('a response with %s counts as a failure of its endpoint', async (_name, response) => {
  const { chain, requests } = stubChain({ primary: { [READ]: response }, fallback: unseen });
  await chain.newestSignatures({ address: '1'.repeat(32), limit: 1 });
  expect(requests()).toEqual([`primary ${READ}`, `fallback ${READ}`]);
  expect(logLines()).toMatchObject([{ event: 'chain.endpoint_failed', endpoint: 'primary' }]);
});

const failures: readonly [string, StubResponse][] = [
  ...[401, 404, 413, 429, 503].map((status): [string, StubResponse] => [`HTTP ${status}`, { status }]),
  ['HTTP 429 with a Retry-After of a minute', { status: 429, retryAfter: '60' }],
  ['HTTP 429 with a Retry-After just over the limit', { status: 429, retryAfter: '3' }],
  ...[-32005, -32011, -32601, -32603, 1].map((code): [string, StubResponse] => [
    `error ${code}`,
    { error: { code, message: 'Not now' } },
  ]),
  ['a cut connection', 'cut'],
  ['a page instead of JSON', { status: 200, body: '<html>' }],
  ['JSON that is no JSON-RPC response', { status: 200, body: '[]' }],
  ['a result of the wrong type', { result: 'much' }],
];
it.each(failures)(
  'a request goes to the fallback immediately if the primary responds with %s',
  async (_name, response) => {
    const value = { blockhash: 'EkSnNWid2cvwEVnVx9aBqawnmiCNiDgp3gUdkDPTKN1N', lastValidBlockHeight: 300 };
    const responses = {
      [METHOD]: { result: 2 },
      getLatestBlockhash: { result: { context: { slot: 1 }, value } },
    };
    const ownCall = stubChain({ primary: failing(response), fallback: responses });
    expect(await ownCall.chain.rentExemptMinimum()).toBe(2n);
    expect({ requests: ownCall.requests(), pauses: ownCall.pauses }).toEqual({
      requests: [P, F],
      pauses: [],
    });
    expect(logLines()).toMatchObject([{ event: 'chain.endpoint_failed', endpoint: 'primary' }]);
    const web3Call = stubChain({ primary: { getLatestBlockhash: response }, fallback: responses });
    expect(await web3Call.chain.latestBlockhash()).toEqual(value);
    expect(web3Call.requests()).toEqual(['primary getLatestBlockhash', 'fallback getLatestBlockhash']);
  },
);

it('a request with invalid parameters is sent once and marks no endpoint as down', async () => {
  const { chain, requests } = stubChain({
    primary: failing({ error: { code: -32602, message: 'No' } }, { result: 1 }),
    fallback: rent(2),
  });
  await expect(chain.rentExemptMinimum()).rejects.toThrow(PortUnavailableError);
  expect(requests()).toEqual([P]);
  expect(await chain.rentExemptMinimum()).toBe(1n);
});

it('tokenAccounts returns the associated token accounts with a zero balance if the chain doesn’t know the mint', async () => {
  const unknownMint: StubResponse = {
    error: { code: -32602, message: 'Invalid param: could not find mint' },
  };
  const { chain, requests } = stubChain({ primary: { getTokenAccountsByOwner: unknownMint } });
  const found = await chain.tokenAccounts({ owner: '1'.repeat(32), mint: '1'.repeat(32) });
  expect(found.map(({ amount }) => amount)).toEqual([0n, 0n]);
  expect(requests()).toEqual(['primary getTokenAccountsByOwner']);
});

it.each([
  [0, 100],
  [0.5, 250],
  [1, 400],
])(
  'a request that always fails is sent four times with one pause (random value %f: pause of %i ms)',
  async (chance, pause) => {
    const down = failing({ status: 503 });
    const { chain, requests, pauses } = stubChain({ primary: down, fallback: down, random: () => chance });
    await expect(chain.rentExemptMinimum()).rejects.toThrow(PortUnavailableError);
    expect({ requests: requests(), pauses }).toEqual({ requests: [P, F, P, F], pauses: [pause] });
  },
);

it('a request waits for the primary’s Retry-After if it is short', async () => {
  const { chain, requests, pauses } = stubChain({
    primary: failing({ status: 429, retryAfter: '2' }, { result: 1 }),
    fallback: rent(2),
  });
  expect(await chain.rentExemptMinimum()).toBe(1n);
  expect({ requests: requests(), pauses, lines: logLines() }).toEqual({
    requests: [P, P],
    pauses: [2_000],
    lines: [],
  });
});

it('a request waits once for each rate-limited endpoint, and is sent four times in total', async () => {
  const limited = failing({ status: 429, retryAfter: '1' });
  const { chain, requests, pauses } = stubChain({ primary: limited, fallback: limited });
  await expect(chain.rentExemptMinimum()).rejects.toThrow(PortUnavailableError);
  expect({ requests: requests(), pauses }).toEqual({ requests: [P, P, F, F], pauses: [1_000, 1_000] });
});

describe('with fake timers', () => {
  beforeEach(() => void vi.useFakeTimers());

  const hang = (fallback: StubResponses) =>
    stubChain({ primary: failing('hang'), fallback, clock: systemClock });
  /** The ms until a request fails. */
  const failsAfter = async (chain: Chain) => {
    const startedAt = Date.now();
    const failed = expect(chain.rentExemptMinimum()).rejects.toThrow(PortUnavailableError);
    const failedAt = failed.then(() => Date.now());
    await vi.advanceTimersByTimeAsync(60_000);
    return (await failedAt) - startedAt;
  };

  it('an endpoint that hangs delays only the first request, by four seconds', async () => {
    const { chain, requests } = hang(rent(2));
    const first = chain.rentExemptMinimum();
    await vi.advanceTimersByTimeAsync(3_999);
    expect(requests()).toEqual([P]);
    await vi.advanceTimersByTimeAsync(1);
    expect(await first).toBe(2n);
    expect(await chain.rentExemptMinimum()).toBe(2n);
    expect(requests()).toEqual([P, F, F]);
  });

  it('two endpoints that hang delay a request by twelve seconds', async () => {
    const { chain, requests } = hang(failing('hang'));
    expect(await failsAfter(chain)).toBe(12_000);
    expect(requests()).toEqual([P, F, P]);
  });

  it('a cluster check that hangs delays a request by at most twelve seconds', async () => {
    const silent = { getGenesisHash: 'hang' } as const;
    const { chain, allRequests } = stubChain({ primary: silent, fallback: silent, clock: systemClock });
    expect(await failsAfter(chain)).toBeLessThanOrEqual(12_000);
    expect(allRequests.every((each) => each.endsWith('getGenesisHash'))).toBe(true);
  });
});

const RECOVERS = failing({ status: 500 }, { result: 1 });

it('for half a minute, an endpoint that failed is tried only after the other endpoint', async () => {
  const { chain, requests, advance } = stubChain({ primary: RECOVERS, fallback: rent(2) });
  expect(await chain.rentExemptMinimum()).toBe(2n);
  advance(29_999);
  expect(await chain.rentExemptMinimum()).toBe(2n);
  advance(1);
  expect(await chain.rentExemptMinimum()).toBe(1n);
  expect(requests()).toEqual([P, F, F, P]);
});

it('an endpoint that failed is tried if the other endpoint fails, and is preferred again after a response', async () => {
  const { chain, requests } = stubChain({ primary: RECOVERS, fallback: failing({ result: 2 }, 'cut') });
  for (const value of [2n, 1n, 1n]) expect(await chain.rentExemptMinimum()).toBe(value);
  expect(requests()).toEqual([P, F, F, P, P]);
});

it('an endpoint that failed is tried first again after it has responded to any request', async () => {
  const known = { getEpochInfo: { result: { absoluteSlot: 1, blockHeight: 1 } }, ...unknown };
  const { chain, requests } = stubChain({
    primary: { ...RECOVERS, ...known },
    fallback: { ...rent(2), ...known },
  });
  expect(await chain.rentExemptMinimum()).toBe(2n);
  await chain.absentAtFinalized([{ signature: SIGNATURE, upTo: { slot: 1 } }]);
  expect(await chain.rentExemptMinimum()).toBe(1n);
  expect(requests().filter((each) => each === P || each === F)).toEqual([P, F, P]);
});

const countClusterChecks = (allRequests: readonly string[]) =>
  ['primary', 'fallback'].map(
    (endpoint) => allRequests.filter((each) => each === `${endpoint} getGenesisHash`).length,
  );

it('the cluster check runs once per endpoint before its first request, and not again for those that follow', async () => {
  const { chain, allRequests } = stubChain({ primary: rent(1), fallback: rent(2) });
  await chain.rentExemptMinimum();
  await Promise.all(Array.from({ length: 20 }, () => chain.rentExemptMinimum()));
  expect(allRequests.slice(0, 3)).toEqual(['primary getGenesisHash', 'fallback getGenesisHash', P]);
  expect(countClusterChecks(allRequests)).toEqual([1, 1]);
});

it('the cluster check is repeated before the next request to an endpoint that did not respond', async () => {
  const { chain, allRequests, advance } = stubChain({
    primary: {
      getGenesisHash: [{ status: 503 }, { result: STUB_GENESIS }],
      ...rent(1),
    },
    fallback: rent(2),
  });
  expect(await chain.rentExemptMinimum()).toBe(2n);
  expect(allRequests).not.toContain(P);
  advance(30_000);
  expect(await chain.rentExemptMinimum()).toBe(1n);
  expect(countClusterChecks(allRequests)).toEqual([2, 1]);
});

it('the cluster check reports an outage, not a wrong cluster, if neither endpoint responds', async () => {
  const silent = { getGenesisHash: { status: 503 }, ...rent(1) };
  const { chain, allRequests, pauses } = stubChain({ primary: silent, fallback: silent });
  await expect(chain.rentExemptMinimum()).rejects.toThrow(PortUnavailableError);
  expect([allRequests.length, countClusterChecks(allRequests)]).toEqual([4, [2, 2]]);
  expect(pauses).toEqual([250]);
});

const everyCall: Record<keyof Chain, (chain: Chain) => Promise<unknown>> = {
  slot: (chain) => chain.slot(),
  slotMs: (chain) => chain.slotMs(),
  blockTime: (chain) => chain.blockTime(1),
  latestBlockhash: (chain) => chain.latestBlockhash(),
  lastValidBlockHeight: (chain) => chain.lastValidBlockHeight(),
  blockHeight: (chain) => chain.blockHeight(),
  recentPrices: (chain) => chain.recentPrices([ADDRESS]),
  endpointStates: (chain) => chain.endpointStates(),
  balances: (chain) => chain.balances([ADDRESS]),
  rentExemptMinimum: (chain) => chain.rentExemptMinimum(),
  send: (chain) => chain.send({ bytes: new Uint8Array(100), signature: SIGNATURE }),
  signatureStates: (chain) => chain.signatureStates([SIGNATURE]),
  absentAtFinalized: (chain) => chain.absentAtFinalized([{ signature: SIGNATURE, upTo: { slot: 1 } }]),
  transaction: (chain) => chain.transaction(SIGNATURE),
  signaturesFor: (chain) => chain.signaturesFor(ADDRESS),
  finalizedPage: (chain) => chain.finalizedPage({ address: ADDRESS, before: null, positions: [] }),
  newestFinalizedPage: (chain) => chain.newestFinalizedPage({ address: ADDRESS, positions: [] }),
  newestSignatures: (chain) => chain.newestSignatures({ address: ADDRESS, limit: 1 }),
  movements: (chain) => chain.movements([SIGNATURE]),
  tokenAccounts: (chain) => chain.tokenAccounts({ owner: '1'.repeat(32), mint: '1'.repeat(32) }),
  tokenHoldings: (chain) => chain.tokenHoldings(ADDRESS),
  mintScales: (chain) => chain.mintScales(['1'.repeat(32)]),
};

it.each(['primary', 'fallback'] as const)(
  'the cluster check blocks all requests if the %s is on another cluster, and logs its name',
  async (endpoint) => {
    for (const call of Object.values(everyCall)) {
      const { chain, requests } = stubChain({ [endpoint]: { getGenesisHash: { result: OTHER_CLUSTER } } });
      await expect(call(chain)).rejects.toThrow(WrongClusterError);
      await expect(call(chain)).rejects.toThrow(WrongClusterError);
      expect(requests()).toEqual([]);
      const line = { event: 'chain.wrong_cluster', endpoint, found: OTHER_CLUSTER };
      expect(logLines()).toContainEqual(expect.objectContaining(line));
    }
  },
);

it('a cluster check that fails at first and then finds another cluster blocks all requests', async () => {
  const { chain, allRequests, advance } = stubChain({
    primary: rent(1),
    fallback: { getGenesisHash: [{ status: 503 }, { result: OTHER_CLUSTER }] },
  });
  expect(await chain.rentExemptMinimum()).toBe(1n);
  advance(30_000);
  await expect(chain.rentExemptMinimum()).rejects.toThrow(WrongClusterError);
  await expect(chain.rentExemptMinimum()).rejects.toThrow(WrongClusterError);
  expect(allRequests.filter((each) => each === P)).toHaveLength(1);
});
