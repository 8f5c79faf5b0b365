import {
  PublicKey,
  type ConfirmedSignatureInfo,
  type Connection,
  type SignatureStatus,
} from '@solana/web3.js';
import { z } from 'zod';
import { BLOCKHASH_BLOCKS } from '#schema/constants/money.ts';
import { SECOND_MS } from '#schema/constants/time.ts';
import type {
  AbsenceQuery,
  Commitment,
  FinalizedPage,
  FinalizedPageQuery,
  SignatureEntry,
  SignatureState,
} from '../ports/chain.ts';
import { mapConcurrently, MAX_CONNECTIONS } from '../shared/concurrency.ts';
import { splitBatches } from '../shared/batches.ts';
import { EndpointError, type Endpoint } from './solana-endpoint.ts';
import { requestPresence, type EndpointPool, type EndpointResponse } from './solana-endpoint-pool.ts';

/** The limit of `getSignaturesForAddress`. */
const SIGNATURES_PER_PAGE = 1_000;
/** Half of the connections, because proving absence sends requests to both endpoints at once. */
const CONCURRENT_PAGES = MAX_CONNECTIONS / 2;
/** An endpoint that proves absence alone must have finalized this many more blocks. */
const LONE_PROOF_BLOCKS = 10 * BLOCKHASH_BLOCKS;
/** An endpoint whose newest transaction is this much older is tried last. */
const MAX_BEHIND_MS = 20 * SECOND_MS;
const STATES_IN_ORDER = ['unknown', 'processed', 'confirmed', 'finalized'] as const;

const epochSchema = z.object({ absoluteSlot: z.int(), blockHeight: z.int() });

export function createSignatureReads(
  pool: EndpointPool,
  { signaturesPerRequest }: { readonly signaturesPerRequest: number },
) {
  return {
    /** The states in the order of the signatures. Finds signatures of any age. */
    async signatureStates(signatures: readonly string[]): Promise<SignatureState[]> {
      const pages = splitBatches(signatures, signaturesPerRequest);
      const states = await mapConcurrently(pages, (page) => readFurthestStates(pool, page), CONCURRENT_PAGES);
      return states.flat();
    },

    /**
     * Returns the signatures that no endpoint knows, although each endpoint has finalized the given slot or height. This
     * is the only proof that a transaction isn't on the chain. If an endpoint lags or doesn't respond, the other one
     * suffices once it has finalized 1,500 blocks more than the given height. For a given slot, both endpoints are always
     * needed.
     */
    async absentAtFinalized(queries: readonly AbsenceQuery[]): Promise<ReadonlySet<string>> {
      if (queries.length === 0) return new Set();
      const responses = await pool.requestAll((endpoint) =>
        search(endpoint, { pages: splitBatches(queries, signaturesPerRequest) }),
      );
      const searches = responses.map((each) => ('response' in each ? each.response : null));
      return new Set(queries.filter((query) => isAbsent(query, searches)).map(({ signature }) => signature));
    },

    /** The newest thousand successful transactions that name the address, oldest first. */
    async signaturesFor(address: string): Promise<string[]> {
      const found = await requestPresence(pool, {
        request: newest(address, SIGNATURES_PER_PAGE),
        isNothing: (response) => response.length === 0,
      });
      return landedOldestFirst(found);
    },

    /** Lists finalized transactions that name the address, from any endpoint that knows `before` and a position. */
    async finalizedPage(query: FinalizedPageQuery): Promise<FinalizedPage> {
      const key = new PublicKey(query.address);
      return requestPresence(pool, {
        request: (endpoint) => readFinalizedPage(endpoint, { ...query, key }),
        isNothing: (page) => !isUseful(page),
      });
    },

    /** The first page, from the endpoint that has the newest transactions. */
    async newestFinalizedPage({
      address,
      positions,
    }: Omit<FinalizedPageQuery, 'before'>): Promise<FinalizedPage> {
      const key = new PublicKey(address);
      // Asks all endpoints, because one that lags doesn't have the newest transactions.
      const responses = await pool.requestAll((endpoint) =>
        readFinalizedPage(endpoint, { key, before: null, positions }),
      );
      return chooseNewest(pool, responses);
    },

    /** The newest transactions that name the address and are in a block, newest first, including failed ones. */
    async newestSignatures({
      address,
      limit,
    }: {
      address: string;
      limit: number;
    }): Promise<SignatureEntry[]> {
      const found = await pool.sendRequest(newest(address, limit));
      return found.map(describeEntry);
    },
  };
}

function newest(address: string, limit: number) {
  const key = new PublicKey(address);
  return ({ connection }: Endpoint) =>
    connection.getSignaturesForAddress(key, { limit }, 'confirmed' satisfies Commitment);
}

async function readFurthestStates(pool: EndpointPool, page: readonly string[]): Promise<SignatureState[]> {
  const [first, ...others] = await pool.requestUntil(
    async ({ connection }) => (await readStates(connection, page)).states,
    (states) => states.every(({ status }) => status !== 'unknown'),
  );
  return first.map((state, index) =>
    others.reduce((furthest, response) => furtherOf(furthest, response[index]), state),
  );
}

function furtherOf(one: SignatureState, other: SignatureState | undefined): SignatureState {
  const rank = (state: SignatureState) => STATES_IN_ORDER.indexOf(state.status);
  return other !== undefined && rank(other) > rank(one) ? other : one;
}

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

/** `undecided`: the endpoint doesn't know the signature, but hasn't finalized the query's slot or height. */
type Sighting = 'known' | 'absent' | 'undecided';

interface Search {
  readonly blockHeight: number;
  readonly sightings: ReadonlyMap<string, Sighting>;
}

async function search(
  { name, connection, call }: Endpoint,
  { pages }: { readonly pages: readonly (readonly AbsenceQuery[])[] },
): Promise<Search> {
  // Read the epoch info first, so that the statuses below are at least as new. Uses `call`, because web3.js
  // can't read the responses of some nodes.
  const epoch = epochSchema.safeParse(
    await call({ method: 'getEpochInfo', params: [{ commitment: 'finalized' }] }),
  );
  if (!epoch.success) throw new EndpointError(`the ${name} endpoint returned no epoch info`);
  const { absoluteSlot, blockHeight } = epoch.data;
  const isPast = ({ upTo }: AbsenceQuery) =>
    'slot' in upTo ? absoluteSlot > upTo.slot : blockHeight > upTo.blockHeight;
  const sightings = new Map<string, Sighting>();
  const readPage = async (page: readonly AbsenceQuery[]) => {
    const { states, nodeSlot } = await readStates(
      connection,
      page.map(({ signature }) => signature),
    );
    for (const [index, query] of page.entries()) {
      // A URL may lead to several nodes. This node may lag behind the node that responded to getEpochInfo.
      const isDecided = isPast(query) && nodeSlot >= absoluteSlot;
      const unseen = isDecided ? 'absent' : 'undecided';
      sightings.set(query.signature, states[index]?.status === 'unknown' ? unseen : 'known');
    }
  };
  await mapConcurrently(pages, readPage, CONCURRENT_PAGES);
  return { blockHeight, sightings };
}

function isAbsent({ signature, upTo }: AbsenceQuery, searches: readonly (Search | null)[]): boolean {
  const seen = searches.map((each) => each?.sightings.get(signature) ?? 'undecided');
  if (seen.includes('known')) return false;
  if (seen.every((sighting) => sighting === 'absent')) return true;
  return (
    'blockHeight' in upTo &&
    searches.some(
      (each, index) =>
        seen[index] === 'absent' && (each?.blockHeight ?? 0) > upTo.blockHeight + LONE_PROOF_BLOCKS,
    )
  );
}

function chooseNewest(
  pool: EndpointPool,
  responses: readonly EndpointResponse<FinalizedPage>[],
): FinalizedPage {
  const pages = responses.flatMap((each) =>
    'response' in each ? [{ ...each.response, name: each.name }] : [],
  );
  const newestAt = Math.max(...pages.map(newestTime));
  for (const page of pages) if (newestTime(page) < newestAt - MAX_BEHIND_MS) pool.tryLast(page.name);
  const [best] = pages.toSorted(
    (one, other) => Number(isUseful(other)) - Number(isUseful(one)) || newestSlot(other) - newestSlot(one),
  );
  return { entries: best?.entries ?? [], end: best?.end ?? 'unknown' };
}

const isUseful = ({ end }: FinalizedPage) => end === 'more' || end === 'met';
const newestSlot = ({ entries }: FinalizedPage) => entries[0]?.slot ?? 0;
const newestTime = ({ entries }: FinalizedPage) => entries[0]?.at ?? 0;

async function readFinalizedPage(
  { connection }: Endpoint,
  { key, before, positions }: Omit<FinalizedPageQuery, 'address'> & { readonly key: PublicKey },
): Promise<FinalizedPage> {
  const found = await connection.getSignaturesForAddress(
    key,
    { limit: SIGNATURES_PER_PAGE, ...(before === null ? {} : { before }) },
    'finalized',
  );
  const entries = found.map(describeEntry);
  // Doesn't send `until`, because an endpoint that doesn't know this signature returns its whole history, without an
  // error.
  const met = entries.findIndex(({ signature }) => positions.some((each) => each.signature === signature));
  if (met >= 0) return { entries: entries.slice(0, met), end: 'met' };
  // An endpoint that doesn't know `before` returns an empty list.
  if (found.length === 0 && before !== null) return { entries, end: 'unknown' };
  const lowest = Math.min(...positions.map(({ slot }) => slot));
  const isFull = found.length === SIGNATURES_PER_PAGE;
  if (isFull && (entries.at(-1)?.slot ?? 0) >= lowest) return { entries: wholeSlots(entries), end: 'more' };
  return { entries, end: lowest === 0 ? 'met' : 'passed' };
}

/**
 * Leaves out the page's oldest slot, so that the next page begins with the whole slot. A cursor inside a slot could skip
 * transactions on another endpoint, because endpoints order a slot's transactions differently.
 */
function wholeSlots(newestFirst: readonly SignatureEntry[]): readonly SignatureEntry[] {
  const oldestSlot = newestFirst.at(-1)?.slot;
  const whole = newestFirst.filter(({ slot }) => slot !== oldestSlot);
  return whole.length > 0 ? whole : newestFirst;
}

function describeEntry({ signature, slot, err, memo, blockTime }: ConfirmedSignatureInfo): SignatureEntry {
  const at = blockTime == null ? null : blockTime * SECOND_MS;
  return { signature, slot, hasFailed: err !== null, at, memo };
}

function landedOldestFirst(newestFirst: readonly ConfirmedSignatureInfo[]): string[] {
  return newestFirst
    .filter(({ err }) => err === null)
    .map(({ signature }) => signature)
    .toReversed();
}
