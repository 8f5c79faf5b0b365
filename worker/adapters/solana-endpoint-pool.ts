import { SolanaJSONRPCError } from '@solana/web3.js';
import { SECOND_MS } from '#schema/constants/time.ts';
import type { Clock } from '../ports/clock.ts';
import type { Metrics } from '../ports/metrics.ts';
import { PortUnavailableError, WrongClusterError } from '../ports/unavailable.ts';
import { withTimeout } from '../shared/with-timeout.ts';
import {
  ATTEMPT_TIMEOUT_MS,
  createEndpoint,
  EndpointError,
  type Endpoint,
  type EndpointName,
} from './solana-endpoint.ts';

const TIMEOUTS_PER_REQUEST = 3;
const MIN_PAUSE_MS = 100;
const MAX_PAUSE_MS = 400;
const MAX_RETRY_AFTER_MS = 2 * SECOND_MS;
const DOWN_MS = 30 * SECOND_MS;
/** JSON-RPC's error code for invalid parameters, such as a mint that doesn't exist. Every endpoint would return it. */
export const INVALID_PARAMS = -32602;

export interface EndpointPoolOptions {
  /** In the order in which they are tried. The URLs contain keys, so never log them. */
  readonly urls: Readonly<Record<EndpointName, string>>;
  readonly genesisHash: string;
  readonly clock: Clock;
  /** Random number from 0 to 1 that varies the pauses between attempts. */
  readonly random?: () => number;
  readonly fetch?: typeof fetch;
  readonly metrics?: Metrics;
}

export type EndpointResponse<Value> = { readonly name: EndpointName } & (
  | { readonly response: Value }
  | { readonly failure: unknown }
);

type EndpointRequest<Value> = (endpoint: Endpoint) => Promise<Value>;

interface Requested<Value> {
  readonly endpoint: Endpoint;
  readonly response: Value;
}

export type EndpointPool = ReturnType<typeof createEndpointPool>;

/**
 * The methods throw PortUnavailableError if no endpoint responds, and WrongClusterError if one is on another
 * cluster. Any other error is our own, also invalid parameters. It is thrown unchanged and doesn't count against an
 * endpoint.
 */
export function createEndpointPool(options: EndpointPoolOptions) {
  const endpoints = createEndpoints(options);
  const requestFirst = createRequestFirst(endpoints, options);
  return {
    /**
     * Tries the endpoints in order until one responds, in two rounds with a short pause between them. If a request
     * returns `undefined`, the next endpoint is tried. `timeoutMs` is the timeout of one attempt; all attempts together
     * take at most three times as long.
     */
    sendRequest: async <Value>(
      request: EndpointRequest<Value | undefined>,
      settings?: { timeoutMs?: number },
    ): Promise<Value> => (await requestFirst(request, settings)).response,

    ...createRequestAll(endpoints),

    /**
     * Sends the request to one endpoint, like `sendRequest`. If its response isn't sufficient, also sends it once to the
     * other endpoint, unless that is down.
     * @returns the responses in the order of the requests
     */
    async requestUntil<Value>(
      request: EndpointRequest<Value>,
      isEnough: (response: Value) => boolean,
    ): Promise<[Value, ...Value[]]> {
      const { endpoint, response } = await requestFirst(request);
      if (isEnough(response)) return [response];
      const others = endpoints.list.filter((each) => each !== endpoint && !endpoints.health.isDown(each));
      const second = await Promise.all(others.map((other) => endpoints.attemptOnce(other, request)));
      return [response, ...second.flatMap((each) => ('response' in each ? [each.response] : []))];
    },

    /** Tries the other endpoints before this one for a while, because this one lags. */
    tryLast(name: EndpointName): void {
      const endpoint = endpoints.list.find((each) => each.name === name);
      if (endpoint) endpoints.health.markDown(endpoint, new EndpointError(`the ${name} endpoint lags`));
    },
  };
}

type Endpoints = ReturnType<typeof createEndpoints>;

function createEndpoints({
  urls,
  genesisHash,
  clock,
  metrics,
  fetch = (input, init) => globalThis.fetch(input, init),
}: EndpointPoolOptions) {
  const health = createHealth(clock, metrics);
  const list = Object.entries(urls).map(([name, url]) => createEndpoint({ name, url, genesisHash, fetch }));

  const attempt = async <Value>(
    endpoint: Endpoint,
    request: EndpointRequest<Value>,
    timeoutMs: number,
  ): Promise<Value> => {
    const response = await withTimeout(
      requestIdentified(endpoint, request),
      timeoutMs,
      new EndpointError(`the ${endpoint.name} endpoint did not respond within ${timeoutMs} ms`),
    );
    health.markUp(endpoint);
    return response;
  };

  return {
    list,
    health,
    attempt,

    async attemptOnce<Value>(
      endpoint: Endpoint,
      request: EndpointRequest<Value>,
    ): Promise<EndpointResponse<Value>> {
      const { name } = endpoint;
      try {
        return { name, response: await attempt(endpoint, request, ATTEMPT_TIMEOUT_MS) };
      } catch (failure) {
        if (!isEndpointFailure(failure)) throw failure;
        health.markDown(endpoint, failure);
        return { name, failure };
      }
    },

    /** Checks that each endpoint that is up is on our Solana cluster, once. Returns the failed checks. */
    async assertOneCluster(): Promise<ReadonlyMap<Endpoint, unknown>> {
      const unknown = list.filter((endpoint) => endpoint.isOurs() === null && !health.isDown(endpoint));
      const failures = new Map<Endpoint, unknown>();
      await Promise.all(
        unknown.map((endpoint) =>
          endpoint.identify().catch((error: unknown) => {
            if (!isEndpointFailure(error)) throw error;
            failures.set(endpoint, error);
          }),
        ),
      );
      for (const [endpoint, failure] of failures) health.markDown(endpoint, failure);
      const foreign = list.find((endpoint) => endpoint.isOurs() === false);
      if (foreign) throw new WrongClusterError(foreign.name);
      return failures;
    },
  };
}

function createRequestAll({ list, assertOneCluster, attemptOnce }: Endpoints) {
  const requestEach = async <Value>(request: EndpointRequest<Value>) => {
    await assertOneCluster();
    return Promise.all(list.map((endpoint) => attemptOnce(endpoint, request)));
  };
  return {
    requestEach,

    async requestAll<Value>(request: EndpointRequest<Value>) {
      const responses = await requestEach(request);
      if (responses.every((each) => 'failure' in each)) {
        throw new PortUnavailableError('chain', responses[0]?.failure);
      }
      return responses;
    },
  };
}

/** If `isNothing` holds for the first endpoint, requests the other one, because an endpoint may lag or have lost data. */
export async function requestPresence<Value>(
  pool: EndpointPool,
  { request, isNothing }: { request: EndpointRequest<Value>; isNothing: (response: Value) => boolean },
): Promise<Value> {
  const responses = await pool.requestUntil(request, (response) => !isNothing(response));
  return responses.find((response) => !isNothing(response)) ?? responses[0];
}

function createRequestFirst(
  { list, health, assertOneCluster, attempt }: Endpoints,
  { clock, random = Math.random }: EndpointPoolOptions,
) {
  return async <Value>(
    request: EndpointRequest<Value | undefined>,
    { timeoutMs = ATTEMPT_TIMEOUT_MS }: { timeoutMs?: number } = {},
  ): Promise<Requested<Value>> => {
    const deadline = clock.now() + TIMEOUTS_PER_REQUEST * timeoutMs;
    const failures = await assertOneCluster();
    const order = list.toSorted((one, other) => Number(health.isDown(one)) - Number(health.isDown(other)));
    // A failed cluster check counts as the first attempt at its endpoint.
    const requested = new Set<Endpoint>(failures.keys());
    const attempts = [...order.filter((endpoint) => !requested.has(endpoint)), ...order];
    let hasBegun = false;
    let hasPaused = false;
    let [failure] = failures.values();
    for (let endpoint = attempts.shift(); endpoint; endpoint = attempts.shift()) {
      if (requested.has(endpoint) && !hasPaused) {
        await clock.sleep(Math.round(MIN_PAUSE_MS + random() * (MAX_PAUSE_MS - MIN_PAUSE_MS)));
        hasPaused = true;
      }
      const leftMs = hasBegun ? deadline - clock.now() : timeoutMs;
      if (leftMs <= 0) break;
      hasBegun = true;
      requested.add(endpoint);
      try {
        const response = await attempt(endpoint, request, Math.min(timeoutMs, leftMs));
        if (response !== undefined) return { endpoint, response };
      } catch (error) {
        assertRetryable(error);
        failure = error;
        const waitMs = shortRetryAfter(error);
        const isLastAttempt = !attempts.includes(endpoint);
        if (waitMs === null || isLastAttempt) {
          health.markDown(endpoint, error);
          continue;
        }
        attempts.splice(attempts.indexOf(endpoint), 1);
        attempts.unshift(endpoint);
        requested.delete(endpoint);
        await clock.sleep(waitMs);
      }
    }
    throw new PortUnavailableError('chain', failure);
  };
}

function createHealth(clock: Clock, metrics?: Metrics) {
  const downUntil = new Map<Endpoint, number>();
  const isDown = (endpoint: Endpoint) => (downUntil.get(endpoint) ?? 0) > clock.now();
  return {
    isDown,
    markUp: (endpoint: Endpoint) => downUntil.delete(endpoint),
    markDown(endpoint: Endpoint, failure: unknown) {
      if (!isDown(endpoint)) {
        console.warn(
          JSON.stringify({ event: 'chain.endpoint_failed', endpoint: endpoint.name, cause: String(failure) }),
        );
      }
      metrics?.record({
        kind: 'source',
        name: `solana_${endpoint.name}`,
        outcome: failure instanceof Error ? failure.name : 'unknown',
        value: 1,
      });
      downUntil.set(endpoint, clock.now() + DOWN_MS);
    },
  };
}

async function requestIdentified<Value>(endpoint: Endpoint, request: EndpointRequest<Value>): Promise<Value> {
  if (!(await endpoint.identify())) throw new WrongClusterError(endpoint.name);
  return request(endpoint);
}

function isEndpointFailure(error: unknown): boolean {
  return error instanceof EndpointError || error instanceof SolanaJSONRPCError;
}

/** @throws the error if it is our own, or PortUnavailableError if the other endpoint would return it as well */
function assertRetryable(error: unknown): void {
  if (!isEndpointFailure(error)) throw error;
  const isFinal = error instanceof SolanaJSONRPCError && error.code === INVALID_PARAMS;
  if (isFinal) throw new PortUnavailableError('chain', error);
}

function shortRetryAfter(error: unknown): number | null {
  const waitMs = error instanceof EndpointError ? error.retryAfterMs : null;
  return waitMs !== null && waitMs <= MAX_RETRY_AFTER_MS ? waitMs : null;
}
