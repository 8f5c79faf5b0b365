import {
  PublicKey,
  SolanaJSONRPCError,
  type ConfirmedSignatureInfo,
  type Connection,
  type Finality,
  type SignatureStatus,
} from '@solana/web3.js';
import { z } from 'zod';
import { SECOND_MS } from '#schema/constants.ts';
import type { Movements } from '#schema/rules/buys.ts';
import type { AbsenceQuestion, Chain, SignatureState } from '../ports/chain.ts';
import type { Clock } from '../ports/clock.ts';
import { PortUnavailableError } from '../ports/unavailable.ts';
import { EndpointError, type Leg, type LegName } from './solana-leg.ts';
import { createLegs } from './solana-legs.ts';
import { readMovements, sumHoldings, TOKEN_PROGRAMS } from './solana-movements.ts';
import { createSend } from './solana-send.ts';
import { readTransaction } from './solana-transaction.ts';

/** The most a cluster answers at once. */
const SIGNATURES_PER_PAGE = 1_000;
/** JSON-RPC's code for a transaction of a version that one does not read. */
const UNREADABLE_VERSION = -32015;
const STATES_BY_DISTANCE: readonly SignatureState['status'][] = [
  'unknown',
  'processed',
  'confirmed',
  'finalized',
];
const STATUSES_PER_QUESTION = 256;
/** Providers refuse batches that are much longer. */
const TRANSACTIONS_PER_BATCH = 25;
/** Where somebody floods an address, a walk ends with the newest of what there is. */
const MOST_SIGNATURES_WALKED = 20 * SIGNATURES_PER_PAGE;
/** A walk over many pages stays with one endpoint: where another lags, its pages do not fit together. */
const WALK_TIMEOUT_MS = 20 * SECOND_MS;

/** A price waits for the slot, which only says how old it is. */
const SLOT_TIMEOUT_MS = SECOND_MS;

const epochSchema = z.object({ absoluteSlot: z.int(), blockHeight: z.int() });

export interface SolanaRpcOptions {
  /** Addresses of JSON-RPC; they carry keys, so they are never logged. */
  readonly endpoints: Readonly<Record<LegName, string>>;
  /** Of the cluster that both have to be on, base58. */
  readonly genesisHash: string;
  /** Pauses go through its `sleep`. */
  readonly clock: Clock;
  /** How long a pause is, from 0 to 1. */
  readonly random?: () => number;
  readonly fetch?: typeof fetch;
}

/** A cluster over the JSON-RPC of two endpoints, by web3.js. Reads are at commitment confirmed. */
export function createSolanaRpc({
  endpoints,
  genesisHash,
  clock,
  random = Math.random,
  fetch = (input, init) => globalThis.fetch(input, init),
}: SolanaRpcOptions): Chain {
  const legs = createLegs({ endpoints, genesisHash, clock, random, fetch });
  const { ask } = legs;
  let highestValid = 0;

  /** An endpoint that lags hands out a limit that is too low: a limit once known is never taken back. */
  const readBlockhash = async () => {
    const { value } = await ask(({ connection }) => connection.getLatestBlockhashAndContext('confirmed'));
    highestValid = Math.max(highestValid, value.lastValidBlockHeight);
    return value;
  };

  /** One endpoint may lag, or have lost what it knew: that there is nothing counts only when each of those that answer says so. */
  const askForPresence = async <Answer>(
    question: (leg: Leg) => Promise<Answer>,
    { isNothing }: { isNothing: (answer: Answer) => boolean },
  ): Promise<Answer> => {
    const first = await ask(question);
    if (!isNothing(first)) return first;
    for (const each of await legs.askEach(question)) {
      if ('answer' in each && !isNothing(each.answer)) return each.answer;
    }
    return first;
  };

  const askSignatures = (address: string, limit: number, finality: Finality) =>
    ask(({ connection }) => connection.getSignaturesForAddress(new PublicKey(address), { limit }, finality));

  return {
    slot: () => ask(({ connection }) => connection.getSlot('processed'), { timeoutMs: SLOT_TIMEOUT_MS }),

    latestBlockhash: readBlockhash,

    lastValidBlockHeight: async () => {
      const answers = await legs.askEach(({ connection }) => connection.getLatestBlockhash('processed'));
      highestValid = Math.max(
        highestValid,
        ...answers.map((each) => ('answer' in each ? each.answer.lastValidBlockHeight : 0)),
      );
      return highestValid;
    },

    balances: async (addresses) => {
      const accounts = await ask(({ connection }) =>
        connection.getMultipleAccountsInfo(addresses.map((address) => new PublicKey(address))),
      );
      return accounts.map((account) => BigInt(account?.lamports ?? 0));
    },

    rentExemptMinimum: () => ask(readRentExemptMinimum),

    send: createSend(legs),

    signatureStates: async (signatures) => {
      const states: SignatureState[] = [];
      for (let start = 0; start < signatures.length; start += STATUSES_PER_QUESTION) {
        const page = signatures.slice(start, start + STATUSES_PER_QUESTION);
        const question = async ({ connection }: Leg) => (await readStates(connection, page)).states;
        const first = await ask(question);
        const isSettled = first.every(({ status }) => status !== 'unknown');
        const answers = isSettled
          ? []
          : (await legs.askEach(question)).flatMap((each) => ('answer' in each ? [each.answer] : []));
        states.push(
          ...first.map((state, index) =>
            answers.reduce((best, answer) => furtherOf(best, answer[index]), state),
          ),
        );
      }
      return states;
    },

    absentAtFinalized: async (questions) => {
      if (questions.length === 0) return new Set();
      const answers = await legs.askEach((leg) => findAbsent(leg, questions));
      const absent = answers.map((each) => ('answer' in each ? each.answer : new Set()));
      return new Set(
        questions
          .map(({ signature }) => signature)
          .filter((signature) => absent.every((each) => each.has(signature))),
      );
    },

    transaction: async (signature) => {
      try {
        const found = await askForPresence(
          ({ connection }) =>
            connection.getParsedTransaction(signature, {
              commitment: 'confirmed',
              maxSupportedTransactionVersion: 0,
            }),
          {
            isNothing: (answer) => answer?.meta == null,
          },
        );
        return found?.meta ? readTransaction(signature, found) : null;
      } catch (error) {
        if (isUnreadableVersion(error)) return null;
        throw error;
      }
    },

    signaturesFor: async (address) => {
      const question = ({ connection }: Leg) =>
        connection.getSignaturesForAddress(
          new PublicKey(address),
          { limit: SIGNATURES_PER_PAGE },
          'confirmed',
        );
      return oldestFirst(await askForPresence(question, { isNothing: (answer) => answer.length === 0 }));
    },

    newestFinalizedSignature: async (address) =>
      (await askSignatures(address, 1, 'finalized'))[0]?.signature ?? null,

    finalizedSignaturesFor: async ({ address, after }) =>
      oldestFirst(
        await ask(({ connection }) => walkFinalized(connection, { address, after }), {
          timeoutMs: WALK_TIMEOUT_MS,
        }),
      ),

    newestSignatures: async ({ address, limit }) => {
      const found = await askSignatures(address, limit, 'confirmed');
      return found.map(({ signature, slot, err }) => ({ signature, slot, hasFailed: err !== null }));
    },

    movements: async (signatures) => {
      const read: Movements[] = [];
      for (let start = 0; start < signatures.length; start += TRANSACTIONS_PER_BATCH) {
        const batch = signatures.slice(start, start + TRANSACTIONS_PER_BATCH);
        const found = await ask(({ connection }) =>
          connection.getParsedTransactions(batch, {
            commitment: 'confirmed',
            maxSupportedTransactionVersion: 0,
          }),
        );
        read.push(
          ...batch.flatMap((signature, index) =>
            found[index]?.meta ? [readMovements(signature, found[index])] : [],
          ),
        );
      }
      return read;
    },

    tokenHoldings: async (owner) => {
      const answers = await Promise.all(
        TOKEN_PROGRAMS.map((programId) =>
          ask(({ connection }) =>
            connection.getParsedTokenAccountsByOwner(new PublicKey(owner), { programId }),
          ),
        ),
      );
      return sumHoldings(answers.flatMap(({ value }) => value.map(({ account }) => account.data.parsed)));
    },
  };
}

/** web3.js answers 0 where an endpoint answers an error. */
async function readRentExemptMinimum({ name, call }: Leg): Promise<bigint> {
  const minimum = await call({ method: 'getMinimumBalanceForRentExemption', params: [0] });
  if (typeof minimum !== 'number' || !Number.isSafeInteger(minimum)) {
    throw new EndpointError(`the ${name} endpoint answered no rent`);
  }
  return BigInt(minimum);
}

/** Where signatures stand, and the newest slot that the node behind this answer has seen. */
async function readStates(
  connection: Connection,
  signatures: readonly string[],
): Promise<{ states: SignatureState[]; seenSlot: number }> {
  const { context, value } = await connection.getSignatureStatuses([...signatures], {
    searchTransactionHistory: true,
  });
  if (value.length !== signatures.length) {
    throw new EndpointError('an endpoint answered for fewer signatures than it was asked for');
  }
  return { states: value.map(readState), seenSlot: context.slot };
}

/** A transaction of a version that web3.js cannot read. Nobody pays us by one: our relay takes none. */
function isUnreadableVersion(error: unknown): boolean {
  return (
    error instanceof PortUnavailableError &&
    error.cause instanceof SolanaJSONRPCError &&
    error.cause.code === UNREADABLE_VERSION
  );
}

/** The state that says more. */
function furtherOf(one: SignatureState, other: SignatureState | undefined): SignatureState {
  const far = (state: SignatureState) => STATES_BY_DISTANCE.indexOf(state.status);
  return other !== undefined && far(other) > far(one) ? other : one;
}

function readState(status: SignatureStatus | null): SignatureState {
  return status === null
    ? { status: 'unknown' }
    : { status: status.confirmationStatus ?? 'processed', error: status.err, slot: status.slot };
}

/** The signatures that one endpoint does not know though it has finalized what is asked about. */
async function findAbsent(
  { connection, call }: Leg,
  questions: readonly AbsenceQuestion[],
): Promise<ReadonlySet<string>> {
  // Asked first: what is known of a signature afterwards is at least this new. web3.js cannot read it where a node counts no transactions.
  const { absoluteSlot, blockHeight } = epochSchema.parse(
    await call({ method: 'getEpochInfo', params: [{ commitment: 'finalized' }] }),
  );
  const isPast = ({ upTo }: AbsenceQuestion) =>
    'slot' in upTo ? absoluteSlot > upTo.slot : blockHeight > upTo.blockHeight;
  const past = questions.filter(isPast).map(({ signature }) => signature);
  const absent = new Set<string>();
  for (let start = 0; start < past.length; start += STATUSES_PER_QUESTION) {
    const page = past.slice(start, start + STATUSES_PER_QUESTION);
    const { states, seenSlot } = await readStates(connection, page);
    // Behind one address there are many nodes, and this one may lag behind the one that was asked first.
    if (seenSlot < absoluteSlot) continue;
    for (const [index, signature] of page.entries()) {
      if (states[index]?.status === 'unknown') absent.add(signature);
    }
  }
  return absent;
}

/** The finalized signatures that name an address and are younger than `after`, newest first; `MOST_SIGNATURES_WALKED` of them or a page more. */
async function walkFinalized(
  connection: Connection,
  { address, after }: { address: string; after: string | null },
): Promise<ConfirmedSignatureInfo[]> {
  const newestFirst: ConfirmedSignatureInfo[] = [];
  for (;;) {
    const before = newestFirst.at(-1)?.signature;
    const page = await connection.getSignaturesForAddress(
      new PublicKey(address),
      {
        limit: SIGNATURES_PER_PAGE,
        ...(before === undefined ? {} : { before }),
        ...(after === null ? {} : { until: after }),
      },
      'finalized',
    );
    newestFirst.push(...page);
    if (page.length < SIGNATURES_PER_PAGE || newestFirst.length >= MOST_SIGNATURES_WALKED) return newestFirst;
  }
}

function oldestFirst(found: readonly ConfirmedSignatureInfo[]): string[] {
  return found
    .filter(({ err }) => err === null)
    .map(({ signature }) => signature)
    .toReversed();
}
