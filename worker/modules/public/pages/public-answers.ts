import { ENDED_CALLS_PAGE_SIZE } from '#schema/constants.ts';
import { callersQuerySchema } from '#schema/contracts/callers.ts';
import type {
  CallerListItem,
  CallerProfile,
  CallersQuery,
  CallerStatistics,
} from '#schema/contracts/callers.ts';
import type { CallChart, CallDetail, TokenCall, TokenCalls } from '#schema/contracts/calls.ts';
import type { SolPrice } from '#schema/contracts/prices.ts';
import type { FirstRows, PublicAnswers } from '../../../ports/page-renderer.ts';

/** Null for a visitor without a session. */
interface Viewing {
  readonly viewerId: string | null;
}

export interface CallersPort {
  list(query: CallersQuery): Promise<FirstRows<CallerListItem>>;
  /** @throws callers.not_found */
  profile(request: Viewing & { usernameOrId: string }): Promise<{ read: () => Promise<CallerProfile> }>;
  statistics(request: Viewing & { usernameOrId: string }): Promise<CallerStatistics>;
}

export interface CallsPort {
  listEnded(query: { cursor: undefined; limit: number }): Promise<FirstRows<TokenCall>>;
  listAll(request: Viewing & { callerId: string }): Promise<readonly TokenCall[]>;
}

export interface CallDetailsPort {
  /** @throws calls.not_found unless the viewer may read the call */
  get(request: Viewing & { id: string }): Promise<CallDetail>;
  chart(request: Viewing & { id: string }): Promise<CallChart>;
  /** @throws calls.not_found unless the viewer may read the call */
  assertReadable(request: Viewing & { id: string }): Promise<true>;
}

export interface TokenCallsPort {
  /** @throws tokens.not_found unless the viewer may see a call on the token */
  get(request: Viewing & { mint: string }): Promise<TokenCalls>;
  /** @throws tokens.not_found unless the viewer may see a call on the token */
  assertKnown(request: Viewing & { mint: string }): Promise<true>;
}

export interface PublicAnswersOptions {
  readonly callers: CallersPort;
  readonly calls: CallsPort;
  readonly callDetails: CallDetailsPort;
  readonly tokenCalls: TokenCallsPort;
  readonly prices: { solPrice(): Promise<SolPrice> };
}

/** Asks every service as a visitor without a session, whoever requests the page. */
export function createPublicAnswers({
  callers,
  calls,
  callDetails,
  tokenCalls,
  prices,
}: PublicAnswersOptions): PublicAnswers {
  const viewerId = null;
  return {
    callers: (filter) => callers.list(callersQuerySchema.parse(filter)),
    endedCalls: () => calls.listEnded({ cursor: undefined, limit: ENDED_CALLS_PAGE_SIZE }),
    caller: async (usernameOrId) => (await callers.profile({ usernameOrId, viewerId })).read(),
    callerStatistics: (callerId) => callers.statistics({ usernameOrId: callerId, viewerId }),
    callerHistory: (callerId) => calls.listAll({ callerId, viewerId }),
    call: (id) => callDetails.get({ id, viewerId }),
    callChart: (id) => callDetails.chart({ id, viewerId }),
    tokenCalls: (mint) => tokenCalls.get({ mint, viewerId }),
    solPrice: () => prices.solPrice(),
  };
}
