import type {
  CallChart,
  CallDetail,
  CallHoldings,
  CallQuote,
  CallUpdate,
  LevelHit,
  PriceMark,
  TokenCall,
} from '#schema/contracts/calls.ts';
import { PPM_PER_PERCENT } from '#schema/rules/calls/follower-return.ts';
import type { ShownPrice } from '#schema/contracts/prices.ts';
import { callColumnsWith } from '#schema/tables/calls.ts';
import { describeCallerSummary } from '../../money/callers/caller-summary.ts';
import type { CallDetailRows } from './call-details.repository.ts';
import type { CallRow } from './call-queries.repository.ts';

type RowOf<List extends 'updates' | 'hits' | 'quotes' | 'marks'> = CallDetailRows[List][number];

const sameColumns = callColumnsWith<{ shown: 'same' }>(({ shown }) => shown === 'same');
type SameColumns = typeof sameColumns;

/** The fields that the API returns as they are stored. */
function sameFields(row: CallRow) {
  const fields = Object.entries<keyof CallRow>(sameColumns).map(([key, name]) => [key, row[name]]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Object.fromEntries forgets the names.
  return Object.fromEntries(fields) as { readonly [Key in keyof SameColumns]: CallRow[SameColumns[Key]] };
}

/** A call as the API returns it. Does not check access. */
export function describeCall(row: CallRow, lastPrice?: ShownPrice): TokenCall {
  return {
    ...sameFields(row),
    caller: describeCallerSummary(row.caller_id, row),
    logoURI: callIconPath(row),
    callTimestamp: new Date(row.called_at).toISOString(),
    isActive: row.ended_at === null,
    ...(lastPrice === undefined ? {} : { lastPrice }),
    ...(row.end_price === null ? {} : { endPrice: row.end_price }),
    ...(row.ended_at === null ? {} : { endTimestamp: new Date(row.ended_at).toISOString() }),
    ...(row.peak_price === null || row.peak_at === null
      ? {}
      : { peak: { price: row.peak_price, at: new Date(row.peak_at).toISOString() } }),
    ...(row.change_percent === null ? {} : { changePercent: row.change_percent }),
  };
}

export function describeActive({
  caller_id,
  token_mint,
  called_at,
}: Pick<CallRow, 'caller_id' | 'token_mint' | 'called_at'>) {
  return { callerId: caller_id, mint: token_mint, calledAt: called_at };
}

export function describeUpdate({ id, message, created_at }: RowOf<'updates'>): CallUpdate {
  return { id, message, at: new Date(created_at).toISOString() };
}

export function describeHit({ level, price, at }: RowOf<'hits'>): LevelHit {
  return { level, price, at: new Date(at).toISOString() };
}

export function describeHoldings({
  read_until,
  state,
  found,
}: NonNullable<CallDetailRows['holdings']>): CallHoldings {
  return {
    readUntil: read_until === null ? null : new Date(read_until).toISOString(),
    state,
    found,
  };
}

export function describeQuote({ quotedAt, poolCreatedAt, ...row }: RowOf<'quotes'>): CallQuote {
  return {
    ...row,
    quotedAt: new Date(quotedAt).toISOString(),
    poolCreatedAt: poolCreatedAt === null ? null : new Date(poolCreatedAt).toISOString(),
  };
}

export function describeFollowerResult({ follower_rule, follower_ppm }: CallRow): CallDetail['follower'] {
  if (follower_rule === null) return null;
  return { rule: follower_rule, percent: follower_ppm === null ? null : follower_ppm / PPM_PER_PERCENT };
}

export function describeMark({ seenAt, ...row }: RowOf<'marks'>): PriceMark {
  return { ...row, seenAt: new Date(seenAt).toISOString() };
}

interface ChartParts {
  readonly row: Pick<CallRow, 'called_at' | 'entry_price' | 'ended_at' | 'end_price'>;
  readonly closes: readonly { readonly at: number; readonly price: string }[];
}

/** Makes a chart from the entry to the end. The chart of an active call ends with the newest close. */
export function describeChart({ row, closes }: ChartParts): CallChart {
  const points = [
    { at: row.called_at, price: row.entry_price },
    ...closes.filter(({ at }) => at > row.called_at && (row.ended_at === null || at < row.ended_at)),
  ];
  if (row.ended_at !== null && row.end_price !== null) {
    points.push({ at: row.ended_at, price: row.end_price });
  }
  return { points: points.map(({ at, price }) => ({ at: new Date(at).toISOString(), price })) };
}

/** Everybody may see the call: it has ended, and its caller isn't hidden. */
export const isPublicCall = (row: CallRow): boolean => row.ended_at !== null && !row.is_hidden;

interface StoredIcon {
  readonly id: string;
  readonly logo_uri: string | null;
  readonly ended_at: number | null;
}

/** The path of a call's token icon. The icon of an active call is only for viewers who may see the call. */
export function callIconPath({ id, logo_uri: url, ended_at: endedAt }: StoredIcon): string | null {
  return url === null ? null : `/api/images/${endedAt === null ? 'active-calls' : 'calls'}/${id}`;
}
