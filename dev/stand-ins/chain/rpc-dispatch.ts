import type { Chain } from './chain.ts';
import { RpcError } from './rpc-error.ts';
import type { Params } from './rpc-params.ts';

/** Writes bigints as bare JSON numbers of any size, like a cluster's u64s. */
export function toRpcJson(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'bigint'
      ? (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(String(each))
      : each,
  );
}

function encodeError(id: unknown, error: RpcError): unknown {
  return { jsonrpc: '2.0', error: error.toJson(), id };
}

export const PARSE_ERROR = encodeError(null, new RpcError(-32700, 'Parse error'));
const INVALID_REQUEST = new RpcError(-32600, 'Invalid request');

/** @returns undefined if the text isn't JSON */
export function parseBody(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

interface RpcRequest {
  method: string;
  params: unknown;
  /** A notification has no id, and gets no response. */
  id: unknown;
}

function isRequest(value: unknown): value is RpcRequest {
  if (typeof value !== 'object' || value === null) return false;
  const { jsonrpc, method, id } = value as Record<string, unknown>;
  const isId = id === undefined || id === null || typeof id === 'string' || typeof id === 'number';
  return jsonrpc === '2.0' && typeof method === 'string' && isId;
}

/** Returns the method names in a parsed body. Skips malformed requests. */
export function methodsOf(body: unknown): string[] {
  return (Array.isArray(body) ? body : [body]).filter(isRequest).map(({ method }) => method);
}

function toRpcError(error: unknown): RpcError {
  if (error instanceof RpcError) return error;
  console.error('The local Solana failed on a request:', error);
  return new RpcError(-32603, 'Internal error');
}

async function respondToOne<C>(request: unknown, options: DispatchOptions<C>): Promise<unknown> {
  if (!isRequest(request)) return encodeError(null, INVALID_REQUEST);
  const { id, method } = request;
  const params = request.params ?? [];
  try {
    const call = options.methods.get(method);
    if (call === undefined) throw new RpcError(-32601, 'Method not found');
    if (!Array.isArray(params)) throw new RpcError(-32602, '`params` should be an array');
    const result = await call(options.context, params as Params);
    return id === undefined ? undefined : { jsonrpc: '2.0', result, id };
  } catch (error) {
    return id === undefined ? undefined : encodeError(id, toRpcError(error));
  }
}

export interface DispatchOptions<C = Chain> {
  methods: ReadonlyMap<string, (context: C, params: Params) => unknown>;
  context: C;
}

/**
 * Executes a parsed JSON-RPC body, which is a single request or a batch, and returns the response.
 * @returns undefined when the body holds only notifications
 */
export async function dispatch<C>(body: unknown, options: DispatchOptions<C>): Promise<unknown> {
  if (!Array.isArray(body)) return respondToOne(body, options);
  if (body.length === 0) return encodeError(null, INVALID_REQUEST);
  const responses: unknown[] = [];
  for (const request of body) {
    const response = await respondToOne(request, options);
    if (response !== undefined) responses.push(response);
  }
  return responses.length === 0 ? undefined : responses;
}
