import { SolanaJSONRPCError } from '@solana/web3.js';
import type { Rejection, SendResult } from '../ports/chain.ts';
import { PortUnavailableError, WrongClusterError } from '../ports/unavailable.ts';
import { EndpointError, type Endpoint, type EndpointName } from './solana-endpoint.ts';
import type { EndpointPool } from './solana-endpoint-pool.ts';

/** JSON-RPC errors of a rejected transaction: preflight, signatures, precompiles, parameters or length. */
const REJECTION_CODES: readonly unknown[] = [-32002, -32003, -32006, -32013, -32602];
/** JSON-RPC errors of a node that lags and hasn't processed the transaction. */
const NOT_TAKEN_CODES: readonly unknown[] = [-32005, -32016];

interface SendResponse {
  readonly name: EndpointName;
  readonly outcome: 'sent' | Rejection;
}

/**
 * Broadcasts through any endpoint. Succeeds if the cluster already has the transaction. The same bytes land at most once. A rejection isn't final if an earlier
 * endpoint didn't respond, because it may have accepted the transaction. "Blockhash not found" is final only if
 * all endpoints say so, because an endpoint may lag.
 */
export function createSend(pool: EndpointPool) {
  const lookUp = async (signature: string) => {
    const responses = await pool.requestAll(
      async ({ connection }) =>
        (await connection.getSignatureStatus(signature, { searchTransactionHistory: true })).value !== null,
    );
    return {
      isKnown: responses.some((each) => 'response' in each && each.response),
      responded: responses.flatMap((each) => ('response' in each ? [each.name] : [])),
    };
  };

  return async ({ bytes, signature }: { bytes: Uint8Array; signature: string }): Promise<SendResult> => {
    const transaction = btoa(String.fromCharCode(...bytes));
    let withoutResponse = 0;
    const withoutBlockhash = new Set<EndpointName>();

    const sendTo = async (endpoint: Endpoint): Promise<SendResponse | undefined> => {
      const { name } = endpoint;
      if (withoutBlockhash.has(name)) return undefined;
      withoutResponse += 1;
      try {
        const response = await endpoint.call({
          method: 'sendTransaction',
          params: [transaction, { encoding: 'base64', preflightCommitment: 'confirmed' }],
        });
        if (typeof response !== 'string') {
          throw new EndpointError(`the ${name} endpoint returned no signature`);
        }
        return { name, outcome: 'sent' };
      } catch (error) {
        if (!(error instanceof SolanaJSONRPCError)) throw error;
        if (NOT_TAKEN_CODES.includes(error.code)) withoutResponse -= 1;
        if (!REJECTION_CODES.includes(error.code)) throw error;
        withoutResponse -= 1;
        const isOnChain = /already been processed/i.test(error.message);
        return { name, outcome: isOnChain ? 'sent' : readRejection(error.message) };
      }
    };

    try {
      for (;;) {
        const { name, outcome } = await pool.sendRequest(sendTo);
        if (outcome === 'sent') return { signature };
        const { isKnown, responded } = await lookUp(signature);
        if (isKnown) return { signature };
        if (withoutResponse > 0) {
          const reason = `rejected (${outcome.detail}), after an attempt without an answer`;
          throw new PortUnavailableError('chain', new EndpointError(reason));
        }
        withoutBlockhash.add(name);
        // Doesn't resend to an endpoint that didn't respond to `lookUp`: if it didn't respond to the send either, it
        // may have accepted the transaction.
        if (outcome.reason !== 'blockhash_expired' || responded.every((each) => withoutBlockhash.has(each))) {
          return { rejection: outcome };
        }
      }
    } catch (error) {
      // The bytes may have been sent, so this must not look like a configuration error.
      throw error instanceof WrongClusterError && withoutResponse > 0
        ? new PortUnavailableError('chain', error)
        : error;
    }
  };
}

/** The cluster gives the reason for a rejection only as text. The system program's error 0x1 is a transfer above the balance. */
function readRejection(detail: string): Rejection {
  if (/blockhash not found/i.test(detail)) return { reason: 'blockhash_expired', detail };
  if (/custom program error: 0x1$|no record of a prior credit|insufficient funds/i.test(detail.trim())) {
    return { reason: 'insufficient_funds', detail };
  }
  return { reason: 'other', detail };
}
