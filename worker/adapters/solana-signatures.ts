import {
  PublicKey,
  type ConfirmedSignatureInfo,
  type Connection,
  type SignatureStatus,
} from '@solana/web3.js';
import { z } from 'zod';
import { SECOND_MS } from '#schema/constants.ts';
import type { AbsenceQuestion, Chain, SignatureState } from '../ports/chain.ts';
import { EndpointError, type Endpoint } from './solana-endpoint.ts';
import { askForPresence, type EndpointPool } from './solana-endpoint-pool.ts';

/** Limits of the JSON-RPC methods. */
const SIGNATURES_PER_PAGE = 1_000;
const STATUSES_PER_QUESTION = 256;
/** A walk ends after this many, newest first: anybody can flood an address with transactions. */
const MAX_SIGNATURES_WALKED = 20 * SIGNATURES_PER_PAGE;
/** For all pages: a walk stays with one endpoint, because another one's pages may differ. */
const WALK_TIMEOUT_MS = 20 * SECOND_MS;
const STATES_IN_ORDER: readonly SignatureState['status'][] = [
  'unknown',
  'processed',
  'confirmed',
  'finalized',
];

const epochSchema = z.object({ absoluteSlot: z.int(), blockHeight: z.int() });

type SignatureReads = Pick<
  Chain,
  | 'signatureStates'
  | 'absentAtFinalized'
  | 'signaturesFor'
  | 'newestFinalizedSignature'
  | 'finalizedSignaturesFor'
  | 'newestSignatures'
>;

export function createSignatureReads(pool: EndpointPool): SignatureReads {
  return {
    async signatureStates(signatures) {
      const states: SignatureState[] = [];
      for (const page of pagesOf(signatures)) states.push(...(await readFurthestStates(pool, page)));
      return states;
    },

    async absentAtFinalized(questions) {
      if (questions.length === 0) return new Set();
      const answers = await pool.askAll((endpoint) => findAbsent(endpoint, questions));
      const absent = answers.map((each) => ('answer' in each ? each.answer : new Set()));
      return new Set(
        questions
          .map(({ signature }) => signature)
          .filter((signature) => absent.every((each) => each.has(signature))),
      );
    },

    async signaturesFor(address) {
      const found = await askForPresence(pool, {
        question: newest({ address, limit: SIGNATURES_PER_PAGE }),
        isNothing: (answer) => answer.length === 0,
      });
      return landedOldestFirst(found);
    },

    async newestFinalizedSignature(address) {
      const [found] = await pool.ask(newest({ address, limit: 1, finality: 'finalized' }));
      return found?.signature ?? null;
    },

    async finalizedSignaturesFor(question) {
      const found = await pool.ask(({ connection }) => walkFinalized(connection, question), {
        timeoutMs: WALK_TIMEOUT_MS,
      });
      return landedOldestFirst(found);
    },

    async newestSignatures(question) {
      const found = await pool.ask(newest(question));
      return found.map(({ signature, slot, err }) => ({ signature, slot, hasFailed: err !== null }));
    },
  };
}

function newest({
  address,
  limit,
  finality = 'confirmed',
}: {
  address: string;
  limit: number;
  finality?: 'confirmed' | 'finalized';
}) {
  return ({ connection }: Endpoint) =>
    connection.getSignaturesForAddress(new PublicKey(address), { limit }, finality);
}

function* pagesOf(signatures: readonly string[]): Generator<readonly string[]> {
  for (let start = 0; start < signatures.length; start += STATUSES_PER_QUESTION) {
    yield signatures.slice(start, start + STATUSES_PER_QUESTION);
  }
}

async function readFurthestStates(pool: EndpointPool, page: readonly string[]): Promise<SignatureState[]> {
  const question = async ({ connection }: Endpoint) => (await readStates(connection, page)).states;
  const first = await pool.ask(question);
  if (first.every(({ status }) => status !== 'unknown')) return first;
  const answers = (await pool.askAll(question)).flatMap((each) => ('answer' in each ? [each.answer] : []));
  return first.map((state, index) =>
    answers.reduce((furthest, answer) => furtherOf(furthest, answer[index]), state),
  );
}

function furtherOf(one: SignatureState, other: SignatureState | undefined): SignatureState {
  const rank = (state: SignatureState) => STATES_IN_ORDER.indexOf(state.status);
  return other !== undefined && rank(other) > rank(one) ? other : one;
}

/** The states, and the newest slot that the answering node has seen. */
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

function readState(status: SignatureStatus | null): SignatureState {
  return status === null
    ? { status: 'unknown' }
    : { status: status.confirmationStatus ?? 'processed', error: status.err, slot: status.slot };
}

/** The signatures that the endpoint doesn't know although it has finalized their slot or height. */
async function findAbsent(
  { connection, call }: Endpoint,
  questions: readonly AbsenceQuestion[],
): Promise<ReadonlySet<string>> {
  // Read first, so the statuses below are at least this new. web3.js fails on some nodes' answers.
  const { absoluteSlot, blockHeight } = epochSchema.parse(
    await call({ method: 'getEpochInfo', params: [{ commitment: 'finalized' }] }),
  );
  const isPast = ({ upTo }: AbsenceQuestion) =>
    'slot' in upTo ? absoluteSlot > upTo.slot : blockHeight > upTo.blockHeight;
  const past = questions.filter(isPast).map(({ signature }) => signature);
  const absent = new Set<string>();
  for (const page of pagesOf(past)) {
    const { states, seenSlot } = await readStates(connection, page);
    // A URL may lead to several nodes: this one may lag behind the node that answered getEpochInfo.
    if (seenSlot < absoluteSlot) continue;
    for (const [index, signature] of page.entries()) {
      if (states[index]?.status === 'unknown') absent.add(signature);
    }
  }
  return absent;
}

/** Newest first; may exceed `MAX_SIGNATURES_WALKED` by up to a page. */
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
    if (page.length < SIGNATURES_PER_PAGE || newestFirst.length >= MAX_SIGNATURES_WALKED) return newestFirst;
  }
}

function landedOldestFirst(newestFirst: readonly ConfirmedSignatureInfo[]): string[] {
  return newestFirst
    .filter(({ err }) => err === null)
    .map(({ signature }) => signature)
    .toReversed();
}
