import { DIRECTORY_PAGE_SIZE } from '#schema/constants.ts';
import type { CallerListItem, CallerProfile, CallersQuery } from '#schema/contracts/callers.ts';
import { decideEntitlement } from '#schema/rules/entitlement.ts';
import { formatSol, isFreeFee, parseSol } from '#schema/rules/lamports.ts';
import { normalizeSearch } from '#schema/rules/search.ts';
import { coversMoment, type Period } from '#schema/rules/subscription.ts';
import { describeCallerSummary } from '../../app/caller-summary.ts';
import { readOptionalCursor } from '../../app/keyset.ts';
import { cutPage, type Page } from '../../app/pages.ts';
import type { Clock } from '../../ports/clock.ts';
import { createCallerNotFoundError } from './callers.errors.ts';
import { readRecentCalls, type CallerRow, type CallersRepository } from './callers.repository.ts';

export function createCallersService({ repository, clock }: { repository: CallersRepository; clock: Clock }) {
  return {
    /** One page of the directory. */
    async list(query: CallersQuery): Promise<Page<CallerListItem>> {
      const limit = query.limit ?? DIRECTORY_PAGE_SIZE;
      const search = normalizeSearch(query.search ?? '');
      const rows = await repository.list({
        sort: query.sort,
        order: query.order,
        search: search === '' ? null : search,
        maxFeeLamports: query.maxFee === undefined ? null : parseSol(query.maxFee),
        isVerifiedOnly: query.verified !== undefined,
        isPaidOnly: query.paid !== undefined,
        cursor: readOptionalCursor(query.cursor),
        limit: limit + 1,
      });
      const { shown, nextCursor } = cutPage(rows, limit, ({ sort_value, id }) => ({ value: sort_value, id }));
      return { rows: shown.map((row) => ({ ...describeCaller(row), recentCalls: readRecentCalls(row.recent_calls) })), nextCursor };
    },

    /** A caller's profile as this viewer may see it. @throws callers.not_found */
    async profile({ usernameOrId, viewerId }: { usernameOrId: string; viewerId: string | null }): Promise<CallerProfile> {
      const now = clock.now();
      const row = await repository.find({ usernameOrId, viewerId, now });
      if (!row) throw createCallerNotFoundError();
      const periods = JSON.parse(row.viewer_periods) as Period[];
      const isFree = isFreeFee(BigInt(row.fee_lamports));
      const isOwner = viewerId === row.id;
      const ends = periods.map((period) => period.endsAt);
      const lastEnd = ends.includes(null) ? null : Math.max(0, ...(ends as number[]));
      return {
        ...describeCaller(row),
        bio: row.bio,
        createdAt: new Date(row.member_since).toISOString(),
        activeCallCount: row.total_calls - row.ended_calls,
        payoutAddress: row.payout_address,
        viewer: {
          isOwner,
          isSubscribed: periods.some((period) => coversMoment(period, now)),
          canSeeActiveCalls: decideEntitlement({ viewerId, callerId: row.id, isFree, periods, now }).isEntitled,
          accessEndsAt: lastEnd ? new Date(lastEnd).toISOString() : null,
        },
        ...(isOwner ? { earnings: formatSol(BigInt(row.earned_lamports)) } : {}),
      };
    },
  };
}

function describeCaller(row: CallerRow): Omit<CallerListItem, 'recentCalls'> {
  const feeLamports = BigInt(row.fee_lamports);
  const isFree = isFreeFee(feeLamports);
  return {
    ...describeCallerSummary(row.id, row),
    monthlyFee: isFree ? null : formatSol(feeLamports),
    winRate: row.ended_calls === 0 ? null : row.win_rate,
    avgReturn: row.ended_calls === 0 ? null : row.avg_return,
    provenRate: row.proven_rate,
    totalCalls: row.total_calls,
    endedCalls: row.ended_calls,
    subscriberCount: row.subscriber_count,
    lastCallTimestamp: row.last_call_at === 0 ? null : new Date(row.last_call_at).toISOString(),
    canBeSubscribed: isFree || row.payout_address !== null,
  };
}
