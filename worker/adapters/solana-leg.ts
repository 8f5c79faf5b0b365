import { Connection, SolanaJSONRPCError } from '@solana/web3.js';
import { z } from 'zod';
import { SECOND_MS } from '#schema/constants.ts';

/** How long one request may take. */
export const ATTEMPT_TIMEOUT_MS = 4 * SECOND_MS;

export type LegName = 'primary' | 'fallback';

/** One endpoint of a cluster. */
export interface Leg {
  readonly name: LegName;
  readonly connection: Connection;
  /**
   * One JSON-RPC call, for what web3.js answers without the error's code, or not at all.
   * @throws SolanaJSONRPCError for what the endpoint answers as an error
   */
  call(request: { method: string; params: unknown[] }): Promise<unknown>;
  /** Whether it is on our cluster; `null` until it has said so. */
  isOurs(): boolean | null;
  /** Asks it for its cluster, unless it has said already; those who ask at once share one question. */
  identify(): Promise<boolean>;
}

/** An endpoint gave no answer of its own. The words name no address: it carries a key. */
export class EndpointError extends Error {
  /** How long it asked to be left alone for. */
  readonly retryAfterMs: number | null;

  constructor(message: string, { retryAfterMs = null }: { retryAfterMs?: number | null } = {}) {
    super(message);
    this.name = 'EndpointError';
    this.retryAfterMs = retryAfterMs;
  }
}

export interface LegOptions {
  readonly name: LegName;
  readonly url: string;
  /** Of the cluster that it has to be on, base58. */
  readonly genesisHash: string;
  readonly fetch: typeof fetch;
}

const answerSchema = z.union([
  z.object({ error: z.object({ code: z.number(), message: z.string() }) }),
  z.object({ result: z.unknown() }),
]);

/** An endpoint by its address. Reads are at commitment confirmed. Nothing is asked before it is needed. */
export function createLeg({ name, url, genesisHash, fetch }: LegOptions): Leg {
  const fetchAnswer = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const response = await fetch(input, { ...init, signal: AbortSignal.timeout(ATTEMPT_TIMEOUT_MS) }).catch(
      (error: unknown) => {
        throw new EndpointError(
          `the ${name} endpoint did not answer (${error instanceof Error ? error.name : typeof error})`,
        );
      },
    );
    if (response.ok) return response;
    await response.body?.cancel();
    throw new EndpointError(`the ${name} endpoint answered ${response.status}`, {
      retryAfterMs: readRetryAfter(response),
    });
  };
  const connection = new Connection(url, {
    commitment: 'confirmed',
    disableRetryOnRateLimit: true,
    fetch: fetchAnswer,
  });

  let isOurs: boolean | null = null;
  let asked: Promise<boolean> | undefined;
  const compare = async () => {
    const found = await connection.getGenesisHash();
    isOurs = found === genesisHash;
    if (!isOurs) {
      console.error(
        JSON.stringify({
          event: 'alarm',
          kind: 'chain.wrong_cluster',
          endpoint: name,
          expected: genesisHash,
          found,
        }),
      );
    }
    return isOurs;
  };

  return {
    name,
    connection,
    isOurs: () => isOurs,

    async call({ method, params }) {
      const response = await fetchAnswer(url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      });
      const answer = answerSchema.safeParse(await response.json().catch(() => undefined));
      if (!answer.success) {
        throw new EndpointError(`the ${name} endpoint answered something else than JSON-RPC`);
      }
      if ('error' in answer.data) throw new SolanaJSONRPCError(answer.data.error);
      return answer.data.result;
    },

    async identify() {
      if (isOurs !== null) return isOurs;
      const question = (asked ??= compare());
      try {
        return await inTime(question, { name, timeoutMs: ATTEMPT_TIMEOUT_MS });
      } catch (error) {
        // Also one that never ends: a request that was broken off takes its questions with it, and others may wait for this one.
        if (asked === question) asked = undefined;
        throw error;
      }
    },
  };
}

/** What was promised, unless it takes too long. @throws EndpointError */
export async function inTime<Answer>(
  promise: Promise<Answer>,
  { name, timeoutMs }: { name: LegName; timeoutMs: number },
): Promise<Answer> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new EndpointError(`the ${name} endpoint did not answer within ${timeoutMs} ms`)),
    timeoutMs,
  );
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Only seconds are read: who names a date means longer than anybody waits here. */
function readRetryAfter({ status, headers }: Response): number | null {
  const seconds = headers.get('Retry-After');
  return status === 429 && seconds !== null && /^\d{1,9}$/.test(seconds) ? Number(seconds) * SECOND_MS : null;
}
