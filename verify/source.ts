import type { Bytes } from './bytes.ts';
import { Problem } from './report.ts';

/** Provides the site's responses. A missing response is a Problem of the reason `unavailable`. */
export interface Source {
  fetchText(path: string): Promise<string>;
  fetchBytes(path: string): Promise<Bytes>;
  /** Fetches a page of a list. `next` is the path of the next page. */
  fetchPage(path: string): Promise<{ readonly text: string; readonly next: string | null }>;
}

/** Stores a text between runs: in localStorage in a browser, in a file in Node. */
export interface Store {
  read(): string | null;
  write(text: string): void;
}

/** @param get fetches a path of the site. It throws a Problem instead of returning an error. */
export const createSource = (get: (path: string) => Promise<Response>): Source => ({
  fetchText: async (path) => (await get(path)).text(),
  fetchBytes: async (path) => new Uint8Array(await (await get(path)).arrayBuffer()),
  fetchPage: async (path) => {
    const response = await get(path);
    const [, next = null] = /<([^>]+)>; rel="next"/.exec(response.headers.get('Link') ?? '') ?? [];
    return { text: await response.text(), next };
  },
});

/** Calls a Solana RPC endpoint. Returns the `result`. */
export type CallRpc = (method: string, params: readonly unknown[]) => Promise<unknown>;

export function createCallRpc(url: string): CallRpc {
  return async (method, params) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    }).catch(() => null);
    const body = (await response?.json().catch(() => null)) as { result?: unknown } | null | undefined;
    if (body?.result === undefined) throw new Problem('unavailable', `${url} doesn't answer ${method}.`);
    return body.result;
  };
}
