import {
  PublicKey,
  type ConfirmedSignatureInfo,
  type Connection,
  type SignatureStatus,
} from '@solana/web3.js';
import { z } from 'zod';
import { SECOND_MS } from '#schema/constants.ts';
import type { AbsenceQuery, Chain, Commitment, SignatureState } from '../ports/chain.ts';
import { splitBatches } from './batches.ts';
import { EndpointError, type Endpoint } from './solana-endpoint.ts';
import { askForPresence, type EndpointPool } from './solana-endpoint-pool.ts';

/** Limits of the JSON-RPC methods. */
const SIGNATURES_PER_PAGE = 1_000;
const STATUSES_PER_REQUEST = 256;
/**
 * The most signatures read in one scan, newest first. There is a limit because anybody can flood an address
 * with transactions.
 */
const MAX_SIGNATURES_SCANNED = 20 * SIGNATURES_PER_PAGE;
/**
 * The timeout for all pages of a scan. They come from one endpoint, because the pages of another one may
 * differ.
 */
const SCAN_TIMEOUT_MS = 20 * SECOND_MS;
const STATES_IN_ORDER = ['unknown', 'processed', 'confirmed', 'finalized'] as const;

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
      for (const page of splitBatches(signatures, STATUSES_PER_REQUEST)) {
        states.push(...(await readFurthestStates(pool, page)));
      }
      return states;
    },

    async absentAtFinalized(queries) {
      if (queries.length === 0) return new Set();
      const answers = await pool.askAll((endpoint) => findAbsent(endpoint, queries));
      const absent = answers.map((each) => ('answer' in each ? each.answer : new Set()));
      return new Set(
        queries
          .map(({ signature }) => signature)
          .filter((signature) => absent.every((each) => each.has(signature))),
      );
    },

    async signaturesFor(address) {
      const found = await askForPresence(pool, {
        request: newest(address, SIGNATURES_PER_PAGE),
        isNothing: (answer) => answer.length === 0,
      });
      return landedOldestFirst(found);
    },

    async newestFinalizedSignature(address) {
      const [found] = await pool.ask(newest(address, 1, 'finalized'));
      return found?.signature ?? null;
    },

    async finalizedSignaturesFor(query) {
      const found = await pool.ask(({ connection }) => scanFinalized(connection, query), {
        timeoutMs: SCAN_TIMEOUT_MS,
      });
      return landedOldestFirst(found);
    },

    async newestSignatures({ address, limit }) {
      const found = await pool.ask(newest(address, limit));
      return found.map(({ signature, slot, err }) => ({ signature, slot, hasFailed: err !== null }));
    },
  };
}

function newest(address: string, limit: number, finality: Commitment = 'confirmed') {
  return ({ connection }: Endpoint) =>
    connection.getSignaturesForAddress(new PublicKey(address), { limit }, finality);
}

async function readFurthestStates(pool: EndpointPool, page: readonly string[]): Promise<SignatureState[]> {
  const request = async ({ connection }: Endpoint) => (await readStates(connection, page)).states;
  const first = await pool.ask(request);
  if (first.every(({ status }) => status !== 'unknown')) return first;
  const answers = (await pool.askAll(request)).flatMap((each) => ('answer' in each ? [each.answer] : []));
  return first.map((state, index) =>
    answers.reduce((furthest, answer) => furtherOf(furthest, answer[index]), state),
  );
}

function furtherOf(one: SignatureState, other: SignatureState | undefined): SignatureState {
  const rank = (state: SignatureState) => STATES_IN_ORDER.indexOf(state.status);
  return other !== undefined && rank(other) > rank(one) ? other : one;
}

/** Returns the states, and the newest slot of the node that answered. */
async function readStates(
  connection: Connection,
  signatures: readonly string[],
): Promise<{ states: SignatureState[]; nodeSlot: number }> {
  const { context, value } = await connection.getSignatureStatuses([...signatures], {
    searchTransactionHistory: true,
  });
  if (value.length !== signatures.length) {
    throw new EndpointError('an endpoint returned too few or too many statuses');
  }
  return { states: value.map(readState), nodeSlot: context.slot };
}

function readState(status: SignatureStatus | null): SignatureState {
  return status === null
    ? { status: 'unknown' }
    : { status: status.confirmationStatus ?? 'processed', error: status.err, slot: status.slot };
}

/**
 * Returns the signatures that the endpoint doesn't know, although it has finalized their slot or height.
 */
async function findAbsent(
  { connection, call }: Endpoint,
  queries: readonly AbsenceQuery[],
): Promise<ReadonlySet<string>> {
  // Read the epoch info first, so that the statuses below are at least as new. Uses `call`, because web3.js
  // can't read the responses of some nodes.
  const { absoluteSlot, blockHeight } = epochSchema.parse(
    await call({ method: 'getEpochInfo', params: [{ commitment: 'finalized' }] }),
  );
  const isPast = ({ upTo }: AbsenceQuery) =>
    'slot' in upTo ? absoluteSlot > upTo.slot : blockHeight > upTo.blockHeight;
  const past = queries.filter(isPast).map(({ signature }) => signature);
  const absent = new Set<string>();
  for (const page of splitBatches(past, STATUSES_PER_REQUEST)) {
    const { states, nodeSlot } = await readStates(connection, page);
    // A URL may lead to several nodes, and this node may lag behind the one that answered getEpochInfo.
    if (nodeSlot < absoluteSlot) continue;
    for (const [index, signature] of page.entries()) {
      if (states[index]?.status === 'unknown') absent.add(signature);
    }
  }
  return absent;
}

/** Returns signatures, newest first. There may be up to a page more than `MAX_SIGNATURES_SCANNED`. */
async function scanFinalized(
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
    if (page.length < SIGNATURES_PER_PAGE || newestFirst.length >= MAX_SIGNATURES_SCANNED) return newestFirst;
  }
}

function landedOldestFirst(newestFirst: readonly ConfirmedSignatureInfo[]): string[] {
  return newestFirst
    .filter(({ err }) => err === null)
    .map(({ signature }) => signature)
    .toReversed();
}
