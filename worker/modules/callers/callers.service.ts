import { DIRECTORY_PAGE_SIZE, STATISTICS_WINDOWS_DAYS } from '#schema/constants.ts';
import type {
  CallerListItem,
  CallerProfile,
  CallersQuery,
  CallerStatistics,
  WindowStatistics,
} from '#schema/contracts/callers.ts';
import type { ShownPrices } from '#schema/contracts/prices.ts';
import { decideEntitlement } from '#schema/rules/entitlement.ts';
import { formatSol, isFreeFee, parseSol } from '#schema/rules/lamports.ts';
import { describeEndedCalls, endedWithin, markToMarket } from '#schema/rules/performance.ts';
import { normalizeSearch } from '#schema/rules/search.ts';
import { coversMoment, type Period } from '#schema/rules/subscription.ts';
import { describeCallerSummary } from '../../shared/caller-summary.ts';
import { readOptionalCursor } from '../../shared/keyset.ts';
import { cutPage, type Page } from '../../app/pages.ts';
import type { Clock } from '../../ports/clock.ts';
import { createCallerNotFoundError } from './callers.errors.ts';
import {
  readRecentCalls,
  type CallerProfileRow,
  type CallerRow,
  type CallersRepository,
} from './callers.repository.ts';

/** The last known prices of mints. Only for who may know the mints. */
export interface StoredPricesPort {
  storedPrices(mints: readonly string[]): Promise<ShownPrices>;
}

export function createCallersService({
  repository,
  prices,
  clock,
}: {
  repository: CallersRepository;
  prices: StoredPricesPort;
  clock: Clock;
}) {
  const find = async ({
    usernameOrId,
    viewerId,
    now,
  }: {
    usernameOrId: string;
    viewerId: string | null;
    now: number;
  }) => {
    const row = await repository.find({ usernameOrId, viewerId, now });
    if (!row) throw createCallerNotFoundError();
    return row;
  };

  /** Open calls at their last known prices, for who may see them. */
  const markOpenCalls = async (callerId: string): Promise<CallerStatistics['openCalls']> => {
    const open = await repository.listOpenRankedCalls(callerId);
    const known =
      open.length === 0 ? {} : await prices.storedPrices(open.map(({ token_mint }) => token_mint));
    const calls = open.map(({ token_mint, entry_price, called_at }) => {
      const stored = known[token_mint];
      // One from before the call says nothing of it.
      return {
        entryPrice: entry_price,
        lastPrice: stored && Date.parse(stored.at) >= called_at ? stored.price : null,
      };
    });
    return {
      count: calls.length,
      pricedCount: calls.filter(({ lastPrice }) => lastPrice !== null).length,
      averageReturn: markToMarket(calls),
    };
  };

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
      return {
        rows: shown.map((row) => ({
          ...describeCaller(row),
          recentCalls: readRecentCalls(row.recent_calls),
        })),
        nextCursor,
      };
    },

    /** A caller's profile as this viewer may see it. @throws callers.not_found */
    async profile({
      usernameOrId,
      viewerId,
    }: {
      usernameOrId: string;
      viewerId: string | null;
    }): Promise<CallerProfile> {
      const now = clock.now();
      const row = await find({ usernameOrId, viewerId, now });
      const periods = readPeriods(row);
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
          canSeeActiveCalls: canSeeActiveCalls({ row, viewerId, now }),
          accessEndsAt: lastEnd ? new Date(lastEnd).toISOString() : null,
        },
        ...(isOwner ? { earnings: formatSol(BigInt(row.earned_lamports)) } : {}),
      };
    },

    /** A caller as everybody sees them, with the `name` that their one address ends in: the handle, or the id where somebody newer carries it. @throws callers.not_found */
    async publicProfile(
      usernameOrId: string,
    ): Promise<{ caller: Omit<CallerListItem, 'recentCalls'>; name: string }> {
      const row = await find({ usernameOrId, viewerId: null, now: clock.now() });
      return { caller: describeCaller(row), name: row.carries_handle === 1 ? row.twitter_handle : row.id };
    },

    /** What a caller's ranked calls come to; open ones only for who may see them. @throws callers.not_found */
    async statistics({
      usernameOrId,
      viewerId,
    }: {
      usernameOrId: string;
      viewerId: string | null;
    }): Promise<CallerStatistics> {
      const now = clock.now();
      const row = await find({ usernameOrId, viewerId, now });
      const [ended, openCalls] = await Promise.all([
        repository.listEndedCalls(row.id),
        canSeeActiveCalls({ row, viewerId, now }) ? markOpenCalls(row.id) : null,
      ]);
      const ranked = ended
        .filter(({ unranked_reason }) => unranked_reason === null)
        .map((call) => ({
          entryPrice: call.entry_price,
          endPrice: call.end_price,
          changePercent: call.change_percent,
          endedAt: call.ended_at,
          peakPrice: call.peak_price,
        }));
      const open = { openCalls: row.total_calls - row.ended_calls };
      const within = (days: number): WindowStatistics =>
        describeEndedCalls(endedWithin({ calls: ranked, days, now }), open);
      const [month, quarter] = STATISTICS_WINDOWS_DAYS;
      return {
        windows: { '30d': within(month), '90d': within(quarter), all: describeEndedCalls(ranked, open) },
        unrankedCalls: ended.length - ranked.length,
        returns: ranked.map(({ endedAt, changePercent }) => ({
          at: new Date(endedAt).toISOString(),
          changePercent,
        })),
        openCalls,
      };
    },
  };
}

/** The viewer's running periods with this caller. */
function readPeriods(row: CallerProfileRow): Period[] {
  return JSON.parse(row.viewer_periods) as Period[];
}

function canSeeActiveCalls({
  row,
  viewerId,
  now,
}: {
  row: CallerProfileRow;
  viewerId: string | null;
  now: number;
}): boolean {
  return decideEntitlement({
    viewerId,
    callerId: row.id,
    isFree: isFreeFee(BigInt(row.fee_lamports)),
    periods: readPeriods(row),
    now,
  }).isEntitled;
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
