import { FIRST_ROWS } from '#schema/constants.ts';
import { callersQuerySchema } from '#schema/contracts/callers.ts';
import type { SolPrice } from '#schema/contracts/prices.ts';
import type { PublicResponses } from '../../../ports/page-renderer.ts';
import type { Pauses } from '../../../shared/pauses.ts';
import type { CallersService } from '../../market/callers/callers.service.ts';
import type { CallsService } from '../../market/calls/calls.service.ts';
import type { CallDetailsService } from '../../market/calls/call-details.service.ts';
import type { TokenCallsService } from '../../market/calls/token-calls.service.ts';

export interface PublicResponsesOptions {
  readonly callers: Pick<CallersService, 'list' | 'profile'>;
  readonly calls: Pick<CallsService, 'listEnded' | 'listAll'>;
  readonly callDetails: Pick<CallDetailsService, 'get' | 'assertReadable'>;
  readonly tokenCalls: Pick<TokenCallsService, 'get' | 'assertKnown'>;
  readonly prices: { solPrice(): Promise<SolPrice> };
  readonly pauses: Pick<Pauses, 'list'>;
}

/** Calls every service as a visitor without a session, regardless of the page's viewer. */
export function createPublicResponses(options: PublicResponsesOptions): PublicResponses {
  const { callers, calls, callDetails, tokenCalls, prices, pauses } = options;
  const viewerId = null;
  return {
    callers: (filter) =>
      callers.list(callersQuerySchema.parse({ ...filter, limit: String(FIRST_ROWS.callers) })),
    endedCalls: () => calls.listEnded({ cursor: undefined, limit: FIRST_ROWS.endedCalls }),
    caller: async (usernameOrId) => (await callers.profile({ usernameOrId, viewerId })).read(),
    callerHistory: (callerId) => calls.listAll({ callerId, viewerId, limit: FIRST_ROWS.history }),
    call: (id) => callDetails.get({ id, viewerId }),
    tokenCalls: (mint) => tokenCalls.get({ mint, viewerId }),
    solPrice: () => prices.solPrice(),
    pauses: () => pauses.list(),
  };
}
