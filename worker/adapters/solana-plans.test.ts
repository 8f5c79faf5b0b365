import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { PortUnavailableError } from '../ports/unavailable.ts';
import { stubChain, STUB_KEY, type StubResponse, type StubResponses } from '#test/payments/stub-solana.ts';
import { RequestRefusedError } from './solana-endpoint.ts';

const SIGNATURES = Array.from({ length: 12 }, (_, index) =>
  String(index + 1)
    .repeat(64)
    .slice(0, 64),
);

const error = (code: number, message: string) => JSON.stringify({ jsonrpc: '2.0', error: { code, message } });
const LONG_LIST = error(-32615, 'getSignatureStatuses is limited to a 5 range, upgrade from discover plan');
const BATCH = error(-32403, 'Batch requests are only available for paid plans.');

const statuses = (...values: unknown[]): StubResponse => ({
  result: { context: { slot: 9_000 }, value: values },
});
const LANDED = { confirmationStatus: 'confirmed', confirmations: null, err: null, slot: 8_000 };
const epoch: StubResponses = { getEpochInfo: { result: { absoluteSlot: 9_000, blockHeight: 9_000 } } };
const slot: StubResponses = { getSlot: { result: 7 } };

let logged: string[];
beforeEach(() => {
  logged = [];
  for (const level of ['warn', 'error'] as const) {
    vi.spyOn(console, level).mockImplementation((line: string) => void logged.push(line));
  }
});
afterEach(() => {
  expect(logged.join()).not.toContain(STUB_KEY);
});

it('signatureStates requests the status of five signatures at a time and preserves their order', async () => {
  const requested: string[][] = [];
  const { chain } = stubChain({
    primary: {
      getSignatureStatuses: [
        statuses(...Array.from({ length: 5 }, () => LANDED)),
        statuses(...Array.from({ length: 5 }, () => ({ ...LANDED, confirmationStatus: 'finalized' }))),
        statuses(LANDED, LANDED),
      ],
    },
    onBody: (body) => {
      const { method, params } = JSON.parse(body) as { method: string; params: [string[]] };
      if (method === 'getSignatureStatuses') requested.push(params[0]);
    },
  });
  const states = await chain.signatureStates(SIGNATURES);
  expect(requested).toEqual([SIGNATURES.slice(0, 5), SIGNATURES.slice(5, 10), SIGNATURES.slice(10)]);
  expect(states.map(({ status }) => status)).toEqual([
    ...Array.from({ length: 5 }, () => 'confirmed'),
    ...Array.from({ length: 5 }, () => 'finalized'),
    'confirmed',
    'confirmed',
  ]);
});

it('signatureStates requests the configured number of signatures at a time', async () => {
  const { chain, requests } = stubChain({
    signaturesPerRequest: 256,
    primary: { getSignatureStatuses: statuses(...SIGNATURES.map(() => LANDED)) },
  });
  expect(await chain.signatureStates(SIGNATURES)).toHaveLength(12);
  expect(requests()).toHaveLength(1);
});

it('movements requests each transaction separately, and also from the fallback if the primary doesn’t have it', async () => {
  const bodies: unknown[] = [];
  const { chain } = stubChain({
    primary: { getTransaction: { result: null } },
    fallback: { getTransaction: { result: null } },
    onBody: (body) => bodies.push(JSON.parse(body)),
  });
  expect(await chain.movements(SIGNATURES)).toEqual({ movements: [], unreadable: [] });
  expect(bodies.filter(Array.isArray)).toEqual([]);
  const methods = bodies.map((body) => (body as { method: string }).method);
  expect(methods.filter((method) => method === 'getTransaction')).toHaveLength(2 * SIGNATURES.length);
});

const refusals: [string, StubResponse][] = [
  ['QuickNode, with status 413', { status: 413, body: LONG_LIST }],
  ['QuickNode, with status 200', { error: { code: -32615, message: 'limited to a 5 range' } }],
  ['Helius, for a batch', { status: 403, body: BATCH }],
];

it.each(refusals)(
  'a request that the RPC provider’s plan does not allow marks no endpoint as down (%s)',
  async (_provider, response) => {
    const { chain, requests } = stubChain({
      primary: { getSignatureStatuses: response, ...slot },
      fallback: slot,
    });
    await expect(chain.signatureStates(SIGNATURES)).rejects.toThrow(RequestRefusedError);
    expect(await chain.slot()).toBe(7);
    expect(requests().at(-1)).toBe('primary getSlot');
    expect(logged.join()).toContain('chain.request_refused');
    expect(logged.join()).not.toContain('chain.endpoint_failed');
  },
);

it.each(refusals)(
  'a status request that the RPC provider’s plan does not allow proves no signature absent (%s)',
  async (_provider, response) => {
    const { chain } = stubChain({
      primary: { ...epoch, getSignatureStatuses: statuses(null) },
      fallback: { ...epoch, getSignatureStatuses: response },
    });
    const query = { signature: '1'.repeat(64), upTo: { blockHeight: 1_000 } };
    await expect(chain.absentAtFinalized([query])).rejects.toThrow(RequestRefusedError);
  },
);

it.each([
  ['a refused key', { status: 403, body: error(-32403, 'Invalid API key') }],
  ['a forbidden page', { status: 403, body: 'Forbidden' }],
  ['a proxy that refuses a body', { status: 413, body: '<html>Request Entity Too Large</html>' }],
])(
  '%s counts as a failure of the endpoint, not as a request that the plan does not allow',
  async (_what, response) => {
    const { chain } = stubChain({ primary: { getSlot: response }, fallback: { getSlot: response } });
    await expect(chain.slot()).rejects.toThrow(PortUnavailableError);
    expect(logged.join()).toContain('chain.endpoint_failed');
  },
);
