import { LIST_MAX_PAGE_SIZE } from '#schema/constants/app.ts';
import { CALL_HISTORY_LIMIT } from '#schema/constants/market.ts';
import type { EndedCallsQuery, TokenCall } from '#schema/contracts/calls.ts';
import { isDeletedPerson } from '#schema/rules/people/person-name.ts';
import { isListed } from '#schema/rules/people/standing.ts';
import { AppError } from '../../../app/errors.ts';
import { cutPage, type Page } from '../../../app/pages.ts';
import type { Versioned } from '../../../shared/versioned.ts';
import { standingOf } from '../../money/callers/caller-standing.ts';
import type { Viewing } from '../../money/subscriptions/subscriptions.service.ts';
import { readOptionalCursor } from '../../../shared/keyset.ts';
import type { CallRow } from './call-queries.repository.ts';
import { describeActive, describeCall } from './call-view.ts';
import type { CallsOptions } from './calls.ports.ts';
import { createCallsRepository } from './calls.repository.ts';

export interface AllCallsRequest extends Viewing {
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

export function createCallLists({ db, prices, subscriptions }: CallsOptions) {
  const repository = createCallsRepository(db);
  /** Adds the current price to active calls. Does not check access. */
  const describeCalls = async (rows: readonly CallRow[], viewerId: string | null): Promise<TokenCall[]> => {
    const active = rows.filter((row) => row.ended_at === null);
    const live = await prices.livePrices({ calls: active.map(describeActive), person: viewerId });
    const priceOf = new Map(active.map(({ id }, index) => [id, live[index]]));
    return rows.map((row) => describeCall(row, priceOf.get(row.id)));
  };

  return {
    async listActive({ callerId, viewerId }: Viewing): Promise<Versioned<TokenCall[]>> {
      const viewed = await subscriptions.viewCalls({ viewerId, callerId });
      if (!viewed.canSeeActiveCalls) throw new AppError({ code: 'calls.not_entitled' });
      return {
        version: [viewerId, viewed.version, viewed.activeCalls > 0 ? prices.shownVersion() : null],
        read: async () => describeCalls(await repository.listActive(callerId), viewerId),
      };
    },

    /**
     * A caller's active calls (if the viewer has access), then their ended calls. Later pages have only ended calls.
     * @throws callers.not_found
     */
    async listAll(request: AllCallsRequest) {
      const { callerId, viewerId, cursor, limit = CALL_HISTORY_LIMIT } = request;
      const { canSeeActiveCalls } = await subscriptions.viewCalls({ viewerId, callerId });
      const isWithActive = canSeeActiveCalls && cursor === undefined;
      const after = readOptionalCursor(cursor);
      const { active, ended, logSize } = await repository.listOf({
        callerId,
        isWithActive,
        cursor: after,
        limit: limit + 1,
      });
      const { shown, nextCursor } = cutPage(ended, limit, positionOf);
      return { rows: await describeCalls([...active, ...shown], viewerId), nextCursor, logSize };
    },

    /** The calls of the callers that the user follows or has followed. */
    async listFollowed(userId: string): Promise<Versioned<TokenCall[]>> {
      const { version, active, ended } = await subscriptions.viewFollowedCalls(userId);
      return {
        version: [version, active.length > 0 ? prices.shownVersion() : null],
        read: async () => {
          const rows = await repository.listOfCallers({ active, ended, limit: LIST_MAX_PAGE_SIZE });
          return describeCalls(rows, userId);
        },
      };
    },

    async listEnded({ cursor, limit, ...filter }: EndedCallsQuery): Promise<Page<TokenCall>> {
      const after = readOptionalCursor(cursor);
      const rows = await repository.listEnded({ ...filter, cursor: after, limit: limit + 1 });
      const { shown, nextCursor } = cutPage(rows, limit, positionOf);
      // Filtering here costs no reads. A page with calls of restricted callers is shorter.
      const listed = shown.filter(
        (row) => isShownToAll(row) && (filter.only !== 'verified' || row.is_verified),
      );
      return { rows: listed.map((row) => describeCall(row)), nextCursor };
    },
  };
}

const positionOf = ({ ended_at, id }: CallRow) => ({ value: ended_at ?? 0, id });

/** Deleted accounts are suspended, but their ended calls stay in the lists. */
const isShownToAll = (row: CallRow) =>
  isListed(standingOf(row)) || isDeletedPerson({ twitterHandle: row.twitter_handle });
