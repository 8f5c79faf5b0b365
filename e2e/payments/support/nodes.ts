import type { ChainRequest } from './awaits.ts';

/** A version that the product can't read before a later deploy, or before a node is updated. */
export const UNREADABLE_VERSION = 2;
/** The newest version that a node reads. */
export const NODE_VERSIONS = [0, 1, UNREADABLE_VERSION] as const;
export type NodeVersion = (typeof NODE_VERSIONS)[number];

interface TransactionRequest {
  readonly id: unknown;
  readonly params: readonly [signature: string];
}

export type Nodes = ReturnType<typeof createNodes>;

/** The nodes behind the two endpoints. One that doesn't read a transaction's version responds with -32015, as Agave does. */
export function createNodes() {
  let newest: Readonly<Record<ChainRequest['endpoint'], NodeVersion>> = { primary: 1, fallback: 1 };
  const unreadable = new Set<string>();
  const refused = new Set<string>();
  let disagreements = 0;
  const reads = (node: NodeVersion, version: number | 'legacy') => version === 'legacy' || node >= version;
  const canRead = (version: number | 'legacy') => Object.values(newest).some((node) => reads(node, version));

  return {
    change: (versions: typeof newest) => {
      newest = versions;
    },
    canRead,
    canAllRead: (version: number | 'legacy') => Object.values(newest).every((node) => reads(node, version)),
    /** Makes a transaction one of the unreadable version. */
    makeUnreadable: (signature: string) => unreadable.add(signature),
    /** The signatures of the transactions that a node has refused. */
    refused,
    /** The number of refused requests that the other node would have answered. */
    get disagreements() {
      return disagreements;
    },

    async sendRequest({ endpoint, method, body, send }: ChainRequest): Promise<Response> {
      const response = await send();
      if (method !== 'getTransaction' || !response.ok) return response;
      const { id, params } = JSON.parse(body) as TransactionRequest;
      const { result } = await response.clone().json<{ result?: { version: number | 'legacy' } | null }>();
      const [signature] = params;
      if (!result) return response;
      const version = unreadable.has(signature) ? UNREADABLE_VERSION : result.version;
      if (reads(newest[endpoint], version)) return response;
      refused.add(signature);
      if (canRead(version)) disagreements += 1;
      const message = `Transaction version (${version}) is not supported by the requesting client.`;
      return Response.json({ jsonrpc: '2.0', id, error: { code: -32015, message } });
    },
  };
}
