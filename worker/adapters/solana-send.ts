import { SolanaJSONRPCError } from '@solana/web3.js';
import type { Chain, Rejection } from '../ports/chain.ts';
import { PortUnavailableError, WrongClusterError } from '../ports/unavailable.ts';
import { EndpointError, type Leg, type LegName } from './solana-leg.ts';
import type { Legs } from './solana-legs.ts';

/** Preflight, signatures, precompiles, parameters, their length: with these a node refuses the transaction itself. */
const REJECTIONS: readonly unknown[] = [-32002, -32003, -32006, -32013, -32602];
/** A node that says that it lags has not looked at the transaction. */
const UNTAKEN: readonly unknown[] = [-32005, -32016];

type Outcome = 'sent' | Rejection;

/**
 * Broadcasts signed bytes by whichever endpoint takes them; the same bytes land once, however many take them.
 * A refusal counts only where no endpoint may have taken them unheard, and where that of an old blockhash
 * does not come from a node that lags behind the one that handed it out.
 */
export function createSend(legs: Legs): Chain['send'] {
  /** Answers which endpoints could say whether they know the signature, and whether one does. */
  const lookUp = async (signature: string): Promise<{ isKnown: boolean; heard: readonly LegName[] }> => {
    const answers = await legs.askEach(
      async ({ connection }) =>
        (await connection.getSignatureStatus(signature, { searchTransactionHistory: true })).value !== null,
    );
    return {
      isKnown: answers.some((each) => 'answer' in each && each.answer),
      heard: answers.flatMap((each) => ('answer' in each ? [each.name] : [])),
    };
  };

  return async ({ bytes, signature }) => {
    const transaction = btoa(String.fromCharCode(...bytes));
    /** Endpoints that got the bytes so often without saying that they refuse them. */
    let unheard = 0;
    /** Endpoints that do not know its blockhash. */
    const unknowing = new Set<LegName>();

    const offer = async (leg: Leg): Promise<{ name: LegName; outcome: Outcome } | undefined> => {
      const { name } = leg;
      if (unknowing.has(name)) return undefined;
      unheard += 1;
      try {
        const answer = await leg.call({
          method: 'sendTransaction',
          params: [transaction, { encoding: 'base64', preflightCommitment: 'confirmed' }],
        });
        if (typeof answer !== 'string') throw new EndpointError(`the ${name} endpoint answered no signature`);
        return { name, outcome: 'sent' };
      } catch (error) {
        if (!(error instanceof SolanaJSONRPCError)) throw error;
        if (UNTAKEN.includes(error.code)) unheard -= 1;
        if (!REJECTIONS.includes(error.code)) throw error;
        unheard -= 1;
        return {
          name,
          outcome: /already been processed/i.test(error.message) ? 'sent' : readRejection(error.message),
        };
      }
    };

    try {
      for (;;) {
        const { name, outcome } = await legs.ask(offer);
        if (outcome === 'sent') return { signature };
        const { isKnown, heard } = await lookUp(signature);
        if (isKnown) return { signature };
        if (unheard > 0) {
          throw new PortUnavailableError(
            'chain',
            new EndpointError(`refused (${outcome.detail}), after an attempt without an answer`),
          );
        }
        unknowing.add(name);
        // Who does not answer is not given the bytes: nobody could say any more that nobody has them.
        if (outcome.reason !== 'blockhash_expired' || heard.every((each) => unknowing.has(each))) {
          return { rejection: outcome };
        }
      }
    } catch (error) {
      // Whatever is wrong now, the bytes are out.
      throw error instanceof WrongClusterError && unheard > 0
        ? new PortUnavailableError('chain', error)
        : error;
    }
  };
}

/** The cluster words these for programs; system program error 1 is a transfer of more than there is. */
function readRejection(detail: string): Rejection {
  if (/blockhash not found/i.test(detail)) return { reason: 'blockhash_expired', detail };
  if (/custom program error: 0x1$|no record of a prior credit|insufficient funds/i.test(detail.trim())) {
    return { reason: 'insufficient_funds', detail };
  }
  return { reason: 'other', detail };
}
