import type { CallerListItem, CallerProfile, CallerSummary, RecentCall } from '#schema/contracts/callers.ts';
import { MAX_SOL_PRICE_AGE_MS } from '#schema/constants/money.ts';
import { afterFee } from '#schema/rules/calls/after-fee.ts';
import { isViewerEntitled } from '#schema/rules/access/entitlement.ts';
import { formatFee, formatSol, isFreeFee } from '#schema/rules/money/lamports.ts';
import type { PeriodDays } from '#schema/rules/money/lengths.ts';
import { compareByReputation, isBetterKnownCaller } from '#schema/rules/people/look-alike-callers.ts';
import { isListed } from '#schema/rules/people/standing.ts';
import { canUnfollow, isPeriodActiveAt, type Period } from '#schema/rules/access/subscription.ts';
import { NO_AFTER_FEE, NO_PROVEN } from '#schema/tables/callers.ts';
import { readJson } from '#schema/rules/typed-json.ts';
import { canBeSubscribed, standingOf } from '../../money/callers/caller-standing.ts';
import { describeCallerSummary, readSummary } from '../../money/callers/caller-summary.ts';
import type { CallerProfileRow, CallerRow } from './callers.repository.ts';
import type { ListedCallerRow } from './directory.repository.ts';
import type { LookAlikeRow } from './look-alikes.repository.ts';

export interface Viewing {
  readonly row: CallerProfileRow;
  readonly viewerId: string | null;
  readonly now: number;
}

type ViewerPeriod = Period & { readonly isPaid: boolean; readonly days: PeriodDays | null };

export function describeCaller(row: CallerRow, now: number): Omit<CallerListItem, 'recentCalls'> {
  return {
    ...describeCallerSummary(row.id, row),
    monthlyFee: formatFee(row.fee_lamports),
    winRate: row.ranked_calls === 0 ? null : row.win_rate,
    avgReturn: row.ranked_calls === 0 ? null : row.avg_return,
    totalCalls: row.total_calls,
    endedCalls: row.ended_calls,
    rankedCalls: row.ranked_calls,
    followerReturn: row.follower_calls === 0 ? null : row.follower_return,
    followerCalls: row.follower_calls,
    callsWithoutResult: row.calls_without_result,
    proven: row.proven === NO_PROVEN ? null : row.proven,
    provenResults: row.proven_results,
    provenTokens: row.proven_tokens,
    provenBets: row.proven_bets,
    afterFee: afterFee(row.copied_sums, {
      feeSol: Number(formatSol(row.fee_lamports)),
      solPrice: readSolPrice(row, now),
      now,
    }),
    afterFeePercent: row.after_fee === NO_AFTER_FEE ? null : row.after_fee,
    isLeading: row.is_leading === 1,
    subscriberCount: row.paying_count,
    followerCount: row.subscriber_count - row.paying_count,
    lastCallTimestamp: timestampOf(row.last_call_at),
    lastRankedCallTimestamp: timestampOf(row.last_ranked_at),
    canBeSubscribed: canBeSubscribed(row),
  };
}

function readSolPrice({ sol_price }: CallerRow, now: number): number | null {
  if (sol_price === null) return null;
  const { price, at } = readJson(sol_price);
  return now <= at + MAX_SOL_PRICE_AGE_MS ? Number(price) : null;
}

/** Null for 0, which means never. */
const timestampOf = (at: number) => (at === 0 ? null : new Date(at).toISOString());

export function describeRecentCalls(calls: ListedCallerRow['recent_calls']): RecentCall[] {
  return calls
    .map(({ calledAt, entryPrice, endPrice }) => ({
      entryPrice,
      endPrice,
      callTimestamp: new Date(calledAt).toISOString(),
    }))
    .reverse();
}

export function describeProfile(
  { row, viewerId, now }: Viewing,
  lookAlikes: readonly LookAlikeRow[],
): CallerProfile {
  const periods = readPeriods(row);
  const isOwner = viewerId === row.id;
  return {
    ...describeCaller(row, now),
    bio: row.bio,
    isSuspended: !isListed(standingOf(row)),
    deletesAt: row.deletes_at === null ? null : new Date(row.deletes_at).toISOString(),
    silentSince: row.silent_since === null ? null : new Date(row.silent_since).toISOString(),
    createdAt: new Date(row.member_since).toISOString(),
    activeCallCount: row.total_calls - row.ended_calls,
    payoutAddress: row.payout_address,
    lookAlike: bestKnown(row, lookAlikes),
    formerHolder: readFormerHolder(row.former_holder),
    viewer: {
      isOwner,
      isSubscribed: periods.some((period) => isPeriodActiveAt(period, now)),
      canSeeActiveCalls: canSeeActiveCalls({ row, viewerId, now }),
      accessEndsAt: accessEnd(periods),
      boughtDays: periods.toSorted((one, other) => one.startsAt - other.startsAt).at(-1)?.days ?? null,
      canUnfollow: canUnfollow(periods, now),
    },
    ...(isOwner ? { earnings: formatSol(row.earned_lamports) } : {}),
  };
}

function bestKnown(row: CallerProfileRow, lookAlikes: readonly LookAlikeRow[]): CallerSummary | null {
  const pairs = lookAlikes.map((each) => ({ row: each, ...knownOf(each), keySince: each.key_since }));
  const [best] = pairs
    .filter((each) => isBetterKnownCaller(each, { ...knownOf(row), keySince: each.row.own_since }))
    .toSorted(compareByReputation);
  return best === undefined ? null : describeCallerSummary(best.row.id, readSummary(best.row.summary));
}

function knownOf(row: Pick<CallerRow, 'is_verified' | 'paying_count'>) {
  return { isVerified: Boolean(row.is_verified), subscriberCount: row.paying_count };
}

function readFormerHolder(json: CallerProfileRow['former_holder']): CallerProfile['formerHolder'] {
  if (json === null) return null;
  const { id, until, summary } = readJson(json);
  return { ...describeCallerSummary(id, summary), until: new Date(until).toISOString() };
}

export function canSeeActiveCalls({ row, viewerId, now }: Viewing): boolean {
  return isViewerEntitled({
    viewerId,
    callerId: row.id,
    isFree: isFreeFee(row.fee_lamports),
    standing: standingOf(row),
    periods: readPeriods(row),
    now,
  });
}

function readPeriods(row: CallerProfileRow): ViewerPeriod[] {
  const periods = readJson(row.viewer_periods);
  return periods.map((period) => ({ ...period, isPaid: period.days !== null }));
}

/** The latest end of the periods. Null if there are none, or if one is open-ended. */
function accessEnd(periods: readonly Period[]): string | null {
  const ends = periods.flatMap(({ endsAt }) => endsAt ?? []);
  const isBounded = ends.length > 0 && ends.length === periods.length;
  return isBounded ? new Date(Math.max(...ends)).toISOString() : null;
}
