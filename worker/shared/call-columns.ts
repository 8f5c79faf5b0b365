import { calls } from '#schema/tables/calls.ts';
import { shownTextOfCall } from './hidden-texts.ts';
import { columnsOf, computed, selection } from './rows.ts';

const storedColumns = columnsOf(calls, 'k', [
  'id',
  'caller_id',
  'token_mint',
  'token_symbol',
  'token_name',
  'logo_uri',
  'entry_price',
  'entry_market_cap_usd',
  'called_at',
  'end_price',
  'ended_at',
  'change_percent',
  'target_price',
  'stop_price',
  'is_paid_promotion',
  'made_on',
  'unranked_reason',
  'peak_price',
  'peak_at',
  'uncounted_gain_reason',
  'automatic_end',
  'follower_rule',
  'follower_ppm',
]);

/** The facts of a call for messages about it. The query must name the table `calls` as `k`. */
export const messageColumns = columnsOf(calls, 'k', {
  tokenSymbol: 'token_symbol',
  tokenName: 'token_name',
  tokenMint: 'token_mint',
  entryPrice: 'entry_price',
  calledAt: 'called_at',
  endPrice: 'end_price',
  endedAt: 'ended_at',
  changePercent: 'change_percent',
  unrankedReason: 'unranked_reason',
  uncountedGainReason: 'uncounted_gain_reason',
  automaticEnd: 'automatic_end',
  targetPrice: 'target_price',
  stopPrice: 'stop_price',
  isPaidPromotion: 'is_paid_promotion',
});

/** A call's thesis, or HIDDEN_TEXT if operators have hidden it. The query must name the table `calls` as `k`. */
export const shownThesis = shownTextOfCall({ kind: 'thesis', id: 'k.id', text: 'k.thesis' });

/** Every column of a call. The query must name the table `calls` as `k`. */
export const callColumns = selection(
  storedColumns,
  computed<{ thesis: string | null }>({ thesis: shownThesis }),
);
