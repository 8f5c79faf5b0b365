import type { TokenCall } from '#schema/contracts/calls.ts';
import type { ShownPrice } from '#schema/contracts/prices.ts';
import { describeCallerSummary } from '../../app/caller-summary.ts';
import type { CallRow } from './calls.repository.ts';

/** A row as it goes over the wire. Whether the viewer may have it was decided before. */
export function describeCall(row: CallRow, lastPrice?: ShownPrice): TokenCall {
  return {
    id: row.id,
    callerId: row.caller_id,
    caller: describeCallerSummary(row.caller_id, row),
    tokenSymbol: row.token_symbol,
    tokenName: row.token_name,
    tokenMint: row.token_mint,
    logoURI: row.logo_uri,
    entryPrice: row.entry_price,
    callTimestamp: new Date(row.called_at).toISOString(),
    isActive: row.ended_at === null,
    thesis: row.thesis,
    targetPrice: row.target_price,
    stopPrice: row.stop_price,
    isPaidPromotion: row.is_paid_promotion === 1,
    unrankedReason: row.unranked_reason,
    ...(lastPrice === undefined ? {} : { lastPrice }),
    ...(row.end_price === null ? {} : { endPrice: row.end_price }),
    ...(row.ended_at === null ? {} : { endTimestamp: new Date(row.ended_at).toISOString() }),
    ...(row.peak_price === null || row.peak_at === null ? {} : { peak: { price: row.peak_price, at: new Date(row.peak_at).toISOString() } }),
    ...(row.change_percent === null ? {} : { changePercent: row.change_percent }),
  };
}
